/** The clauses of a plan's statements. */
import type { Sql } from '../catalog/define.ts'
import type { Scope } from '../catalog/scope.ts'
import { afterPlace, orderBy } from './order.ts'
import type { Query } from './query.ts'
import { expression } from './select-list.ts'
import type { Condition } from './selection.ts'

/** The parts of the statements, which many answers out of the server's memory never need. */
export interface Clauses {
  readonly head: string
  readonly from: string
  /** The conditions and groups of the rows that are left on the page and after it. */
  readonly onPage: string
  readonly order: string
  readonly page: string
  /** What is counted. */
  readonly counted: string
  readonly params: Readonly<Record<string, unknown>>
}

export function clausesOf(
  query: Query,
  relation: string,
  scope: Scope,
  conditions: readonly Condition[],
): Clauses {
  const { dataset } = query
  const nodes = Object.entries(dataset.nodes ?? {})
  const head =
    nodes.length === 0
      ? ''
      : `WITH ${nodes.map(([name, sql]) => `${name} AS (${render(sql, scope)})`).join(', ')} `
  const from = /^\w+$/.test(relation) ? relation : `(${relation})`
  const where =
    conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`
  const groups = dataset.groupBy?.map((name) => expression(dataset.allColumns.get(name)!))
  const rest = groups ? `${where} GROUP BY ${groups.join(', ')}` : where
  const { page, params } = pageOf(query)
  // rows that are groups are compared by what is worked out of each
  const after = afterPlace(dataset, query.order, query.place)
  return {
    head,
    from,
    onPage: after ? `${rest}${groups ? ' HAVING ' : where === '' ? ' WHERE ' : ' AND '}(${after.sql})` : rest,
    order: dataset.result === 'one' ? '' : ` ORDER BY ${orderBy(dataset, query.order)}`,
    page,
    counted: groups ? `(SELECT 1 FROM ${from}${rest})` : from + where,
    params: { ...params, ...after?.params },
  }
}

/** The page of the rows. Its numbers are bound too, under names that no parameter of a dataset has. */
function pageOf({ dataset, limit, place: { skip } }: Query): Pick<Clauses, 'page' | 'params'> {
  if (dataset.result === 'one') return { page: ' LIMIT 1', params: {} }
  if (limit === undefined) return { page: '', params: {} }
  return {
    page: ` LIMIT {limit:UInt64}${skip > 0 ? ' OFFSET {skip:UInt64}' : ''}`,
    params: { limit, skip, last: skip + limit - 1 },
  }
}

export const render = (sql: Sql, scope: Scope): string => (typeof sql === 'string' ? sql : sql(scope))
