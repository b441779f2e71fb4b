/** What is known of relations of the version database: of which universe, in which shape, of which time. */
import type { Universe } from '../../sql/derive/universe.ts'
import type { Time } from '../../sql/sources/declare.ts'
import { declaredTables } from '../../sql/sources/index.ts'

/** How a relation holds the metrics of its universe. `columns`: a column a metric. `array`: elements of `metrics` in catalog order. */
export type MetricShape = 'columns' | 'array'

/** The shape of a relation by its name; subqueries expose metrics as columns. */
export const shapeOf = ({ tables }: Universe, relation: string | undefined): MetricShape =>
  relation === tables.rows ? 'array' : 'columns'

/** Whether a relation is a table of figures by itself, rather than a view or a query. */
export const isTable = ({ tables, inOrderOf }: Universe, relation: string): boolean =>
  [tables.quarters, tables.rows, tables.industry, tables.directory].includes(relation) ||
  Object.hasOwn(inOrderOf, relation)

/** Which moment a row of a table speaks of, for those that universes and sources make. */
export function timeOfRelation({ tables, inOrderOf }: Universe, relation: string): Time | undefined {
  if (Object.values(tables).includes(relation) || Object.hasOwn(inOrderOf, relation))
    return { kind: 'quarter', column: 'report_date' }
  return declaredTables.find(({ name }) => name === relation)?.time
}

/** Settings of the engine for reads of a relation, where the usual ones cost more than the read itself. */
export function settingsOf({ tables }: Universe, relation: string): Readonly<Record<string, number>> {
  // one institution's rows are too few to share out, and to merge sorted parts costs more than to sort them
  if (relation === tables.rows) return { max_threads: 1, optimize_read_in_order: 0 }
  // quarters follow each other: a part is opened when its turn comes, rather than all before the first row
  return relation === tables.quarters ? { read_in_order_use_virtual_row: 1 } : {}
}

/** The expression of a metric over a relation of that shape. */
export const metricSql = (universe: Universe, key: string, shape: MetricShape): string =>
  shape === 'array' ? `metrics[${universe.position(key)}]` : key
