/** What a request asks of the rows: as conditions, and as a selection where they are no more than comparisons. */
import type { Column } from '../catalog/columns.ts'
import type { Dataset } from '../catalog/define.ts'
import type { AnyParameter, Operator } from '../catalog/parameters.ts'
import { metricSql } from '../catalog/relations.ts'
import type { Scope } from '../catalog/scope.ts'
import { parameterOfRole, type When } from './as-of.ts'
import { render } from './clauses.ts'
import type { Query } from './query.ts'
import { expression } from './select-list.ts'
import type { Condition, Selection, Test } from './selection.ts'

/** What a request asks of the rows. */
export function conditionsOf(query: Query, when: When, scope: Scope): Condition[] {
  const { dataset, values, bounds } = query
  const conditions: Condition[] = []
  if (dataset.where !== undefined) conditions.push({ sql: render(dataset.where, scope) })
  for (const [name, value] of values) {
    const parameter = dataset.parameters[name]!
    if (parameter.role !== 'as_of') addCondition(conditions, parameter, name, value, scope)
  }
  const asOf = parameterOfRole(dataset, 'as_of')
  if (asOf) addCondition(conditions, asOf[1], 'as_of', when.asOf, scope)
  for (const { column, side, value } of bounds) {
    const operator: Operator = side === 'min' ? '>=' : '<='
    conditions.push({
      sql: `${expression(dataset.bounded.get(column)!)} ${operator} {${side}_${column}:Float64}`,
      test: { column, operator, value },
    })
  }
  conditions.push(...when.where)
  return conditions
}

/** Adds what the value of a parameter asks of the rows. */
function addCondition(
  conditions: Condition[],
  { where }: AnyParameter,
  name: string,
  value: unknown,
  scope: Scope,
): void {
  const asked = typeof where === 'function' ? where(value, name, scope) : where
  if (asked === undefined || asked === null) return
  if (typeof asked === 'string') {
    conditions.push({ sql: asked })
    return
  }
  const { column, operator, type } = asked
  conditions.push({ sql: `${column} ${operator} {${name}:${type}}`, test: { column, operator, value } })
}

/** The conditions as tests; undefined where one is more than that. */
export function testsOf(conditions: readonly Condition[]): Test[] | undefined {
  const tests: Test[] = []
  for (const { test } of conditions) {
    if (!test) return undefined
    tests.push(test)
  }
  return tests
}

/** The plan as a selection: undefined where a column, a condition or the relation is more than a name. */
export function selectionOf(
  query: Query,
  when: When,
  scope: Scope,
  columns: readonly Column[],
  conditions: readonly Condition[],
): Selection | undefined {
  const { from, nodes, steps, groupBy, allColumns, allRows } = query.dataset
  if (from === undefined || nodes || steps || groupBy) return undefined
  if (allRows) return selectionOfAll(query, when, columns, conditions)
  const relation = render(from, scope)
  if (!/^\w+$/.test(relation)) return undefined
  let allPlain = plainLists.get(columns)
  if (allPlain === undefined) {
    allPlain = columns.every((column) => isPlain(query.dataset, column))
    plainLists.set(columns, allPlain)
  }
  if (!allPlain) return undefined
  for (const { column } of query.order) if (!isPlain(query.dataset, allColumns.get(column))) return undefined
  for (const { column } of query.bounds) if (!isPlain(query.dataset, allColumns.get(column))) return undefined
  const tests = testsOf(conditions)
  if (!tests) return undefined
  return pageSelection(query, relation, columns, tests)
}

/** What is chosen of the rows of every institution: their relation has the name of the dataset. */
function selectionOfAll(
  query: Query,
  { params }: When,
  columns: readonly Column[],
  conditions: readonly Condition[],
): Selection | undefined {
  const tests = testsOf(conditions)
  if (!tests) return undefined
  const { key, allRows } = query.dataset
  for (const [name, column] of Object.entries(allRows!.by))
    tests.push({ column, operator: '=', value: params[name] ?? query.values.get(name) })
  return pageSelection(query, key, columns, tests)
}

/** Of lists of columns, which are those of one dataset, whether all are `isPlain`. */
const plainLists = new WeakMap<readonly Column[], boolean>()

/** Whether a column is one of the relation, under its own name. */
const isPlain = ({ universe, metricShape }: Dataset, column: Column | undefined): boolean =>
  column?.sql === undefined ||
  column.sql === column.name ||
  (universe.metric(column.name) !== undefined && column.sql === metricSql(universe, column.name, metricShape))

export const pageSelection = (
  query: Query,
  relation: string,
  columns: readonly Column[],
  tests: readonly Test[],
): Selection => ({
  relation,
  columns,
  tests,
  order: query.order,
  limit: query.dataset.result === 'one' ? 1 : query.limit,
  offset: query.place.passed,
})
