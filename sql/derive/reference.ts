import type { ClickHouseClient } from '@clickhouse/client'
import { itemsOf } from '../formula/index.ts'
import { metrics } from '../formula/metrics/index.ts'
import { derivedItems } from '../formula/metrics/terms.ts'
import { cohorts } from './cohorts.ts'
import { figures } from './formulas.ts'

const reference = /\b(cc|m):(\w+)/g
const formulaOf = new Map(figures.map(({ key, formula }) => [key, formula]))

/** Every MDRM item that a metric looks at, also through other metrics, sorted. */
export function itemsOfMetric(key: string): string[] {
  const items = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    for (const [, space, code] of formulaOf.get(name)!.matchAll(reference)) {
      if (space === 'm') visit(code!)
      else if (!derivedItems.includes(code!)) for (const item of itemsOf(code!)) items.add(item)
    }
  }
  visit(key)
  return [...items].sort()
}

/** Writes `metric_catalog` and `cohorts`, which follow the code and not the data. */
export async function writeReference(client: ClickHouseClient): Promise<void> {
  const catalog = metrics.map((metric, index) => ({
    position: index + 1,
    key: metric.key,
    label: metric.label,
    unit: metric.unit,
    direction: metric.direction,
    category: metric.category,
    formula: metric.formula,
    items: itemsOfMetric(metric.key),
    source: metric.source,
    description: metric.description ?? null,
  }))
  const tiers = cohorts.map(({ key, label, min, max }, index) => ({
    key,
    label,
    min_total_assets: min,
    max_total_assets: max,
    position: index + 1,
  }))
  for (const [table, values] of [
    ['metric_catalog', catalog],
    ['cohorts', tiers],
  ] as const) {
    await client.command({ query: `TRUNCATE TABLE ${table}` })
    await client.insert<object>({ table, values: [...values], format: 'JSONEachRow' })
  }
}
