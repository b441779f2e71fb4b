/** Which columns and metrics a request chooses. */
import type { Metric } from '../../sql/formula/metrics/index.ts'
import type { Column } from '../catalog/columns.ts'
import type { Dataset } from '../catalog/define.ts'
import { chosenKeys, isMetricColumns, metricColumn } from '../catalog/define.ts'
import type { Scope } from '../catalog/scope.ts'
import type { Query } from './query.ts'

/** The columns of an answer: `fields` if given, else the declared ones with the chosen metrics in their place. */
export function columnsOf(query: Query): readonly Column[] {
  const { dataset, fields } = query
  const chosen = fields ?? chosenMetrics(query)
  const asked = chosen ? `${fields ? 'fields' : 'metrics'} ${chosen}` : ''
  const found = lists.get(dataset)?.get(asked)
  if (found) return found
  const columns = fields ? fields.map((name) => dataset.allColumns.get(name)!) : expand(dataset, chosen)
  listed += asked.length + columns.length
  if (listed > MOST_LISTED) {
    lists = new WeakMap()
    listed = 0
  }
  lists.set(dataset, (lists.get(dataset) ?? new Map()).set(asked, columns))
  return columns
}

/** By dataset what requests named lately. The same list is the same array: what was worked out of it is kept with it. */
let lists = new WeakMap<Dataset, Map<string, readonly Column[]>>()
/** Characters and columns of all of them together: some ten megabytes. */
const MOST_LISTED = 500_000
let listed = 0

function expand(dataset: Dataset, chosen: readonly string[] | undefined): readonly Column[] {
  return dataset.columns.flatMap((column) =>
    isMetricColumns(column)
      ? (chosen ?? chosenKeys(dataset, column)).map((key) =>
          metricColumn(dataset.universe, key, dataset.metricShape),
        )
      : [column],
  )
}

function chosenMetrics(query: Query): readonly string[] | undefined {
  const name = query.dataset.metricParameter
  return name === undefined ? undefined : (query.values.get(name) as string[] | undefined)
}

/** What the SQL of a declaration may look at of a request. */
export class RequestScope implements Scope {
  readonly #query: Query
  #metrics: readonly Metric[] | undefined

  constructor(query: Query) {
    this.#query = query
  }

  get metrics(): readonly Metric[] {
    const { dataset } = this.#query
    this.#metrics ??= (chosenMetrics(this.#query) ?? defaultMetrics(dataset)).map(
      (key) => dataset.universe.metric(key)!,
    )
    return this.#metrics
  }

  // declarations take it apart, and most requests ask neither
  get has(): Scope['has'] {
    return (name) => this.#query.values.has(name)
  }

  get is(): Scope['is'] {
    return (name, value) => this.#query.values.get(name) === value
  }
}

const defaultMetrics = (dataset: Dataset): readonly string[] =>
  dataset.columns.filter(isMetricColumns).flatMap((columns) => chosenKeys(dataset, columns))
