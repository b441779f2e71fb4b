import { lineageOf } from '../formula/index.ts'
import { fdicVariable } from '../formula/metrics/index.ts'
import { hashOf } from '../hash.ts'
import type { Making } from '../steps/steps.ts'
import { Runner } from './runner.ts'
import type { Universe } from './universe.ts'

const definitions = {
  metric_catalog: `(
    universe LowCardinality(String),
    position UInt16,
    key String,
    label String,
    unit String,
    direction String,
    category String,
    formula String,
    items Array(String),
    source String,
    fdic_variable Nullable(String),
    description Nullable(String),
    tier LowCardinality(String)
) ENGINE = MergeTree ORDER BY (universe, position)`,
  cohorts: `(
    universe LowCardinality(String),
    position UInt8,
    key String,
    label String,
    metric String,
    min Float64,
    max Nullable(Float64)
) ENGINE = MergeTree ORDER BY (universe, position)`,
}

/** Makes `metric_catalog` and `cohorts` of all universes, which follow the code and not the data. */
export async function writeReference(making: Making, universes: readonly Universe[]): Promise<void> {
  const values = {
    metric_catalog: universes.flatMap(({ entity, metrics, formulas, computed }) => {
      const lineage = lineageOf(formulas.set.formulas, computed?.items)
      return metrics.map(({ aggregation: _, ...metric }, index) => ({
        universe: entity,
        position: index + 1,
        items: lineage(`m:${metric.key}`).items,
        tier: 'Public',
        ...metric,
        fdic_variable: fdicVariable(metric),
      }))
    }),
    cohorts: universes.flatMap(({ entity, cohorts: { metric, tiers } }) =>
      tiers.map((tier, index) => ({ universe: entity, position: index + 1, metric, ...tier })),
    ),
  }
  const { client, changes } = making
  const tables = ['metric_catalog', 'cohorts'] as const
  const made = [hashOf([definitions, values])]
  if ((await changes?.kept('reference', made, tables)) !== undefined) return
  const runner = new Runner({ client })
  for (const table of tables) {
    // their columns may be others
    await runner.run(`DROP TABLE IF EXISTS ${table} SYNC`)
    await runner.run(`CREATE TABLE ${table} ${definitions[table]}`)
    await runner.insert(table, values[table])
  }
  changes?.written(tables)
  changes?.record('reference', made)
}
