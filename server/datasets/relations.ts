/** Relations of the version database that hold every metric of the catalog, and in which shape. */
import type { Metric } from '../../sql/formula/metrics/index.ts'
import { metrics } from '../../sql/formula/metrics/index.ts'

/** `columns`: a column a metric. `array`: elements of `metrics` in catalog order. */
export type MetricShape = 'columns' | 'array'

const shapes: Readonly<Record<string, MetricShape>> = {
  bank_quarters: 'columns',
  state_quarters: 'columns',
  industry_quarters: 'columns',
  banks: 'columns',
  bank_rows: 'array',
}

/** The shape of a relation by its name; subqueries expose metrics as columns. */
export function shapeOf(relation: string | undefined): MetricShape {
  return (relation !== undefined && shapes[relation]) || 'columns'
}

/** Whether a relation is a table by itself, rather than a view or a query. */
export const isTable = (relation: string): boolean => Object.hasOwn(shapes, relation)

/** Settings of the engine for reads of a relation, where the usual ones cost more than the read itself. */
const settings: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // one bank's rows are too few to share out, and to merge sorted parts costs more than to sort them
  bank_rows: { max_threads: 1, optimize_read_in_order: 0 },
  // quarters follow each other: a part is opened when its turn comes, rather than all before the first row
  bank_quarters: { read_in_order_use_virtual_row: 1 },
}

export const settingsOf = (relation: string): Readonly<Record<string, number>> => settings[relation] ?? {}

const positions = new Map(metrics.map((metric, index) => [metric.key, index + 1]))
const byKey = new Map(metrics.map((metric) => [metric.key, metric]))

/** The metric of a key, or undefined. */
export const metricOf = (key: string): Metric | undefined => byKey.get(key)

/** 1-based position of a metric in `bank_rows.metrics` and `bank_rows.ranks`. */
export function positionOf(key: string): number {
  const position = positions.get(key)
  if (position === undefined) throw new Error(`no metric ${key} in the catalog`)
  return position
}

/** The expression of a metric over a relation of that shape. */
export const metricSql = (key: string, shape: MetricShape): string =>
  shape === 'array' ? `metrics[${positionOf(key)}]` : key
