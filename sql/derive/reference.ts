import { lineageOf } from '../formula/index.ts'
import { fdicVariable } from '../formula/metrics/index.ts'
import { hashOf } from '../hash.ts'
import type { Making } from '../steps/steps.ts'
import { Runner } from './runner.ts'
import { stepsType } from './traced.ts'
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
  // what each metric rests on, down to what was filed
  figure_lineage: `(
    universe LowCardinality(String),
    figure String,                        -- key of a metric
    steps ${stepsType}
) ENGINE = MergeTree ORDER BY (universe, figure) SETTINGS index_granularity = 16`,
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

/** Makes `metric_catalog`, `figure_lineage` and `cohorts` of all universes, which follow the code and not the data. */
export async function writeReference(making: Making, universes: readonly Universe[]): Promise<void> {
  const traced = universes.flatMap(({ entity, metrics, formulas, computed }) => {
    const lineage = lineageOf(formulas.set.formulas, computed?.items)
    return metrics.map((metric, index) => {
      return { universe: entity, position: index + 1, metric, ...lineage(`m:${metric.key}`) }
    })
  })
  const values = {
    metric_catalog: traced.map(({ universe, position, items, metric: { aggregation: _, ...metric } }) => ({
      ...{ universe, position, items, tier: 'Public' },
      ...metric,
      fdic_variable: fdicVariable(metric),
    })),
    figure_lineage: traced.map(({ universe, metric, steps }) => ({ universe, figure: metric.key, steps })),
    cohorts: universes.flatMap(({ entity, cohorts: { metric, tiers } }) =>
      tiers.map((tier, index) => ({ universe: entity, position: index + 1, metric, ...tier })),
    ),
  }
  const { client, changes } = making
  const tables = ['metric_catalog', 'figure_lineage', 'cohorts'] as const
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
