import type { EntityKind } from '../datasets/parameters.ts'
import { Problem } from '../errors.ts'
import type { Holdings } from './holdings.ts'
import { parseQuarter, quarterEnd, quarterName } from './quarter.ts'
import type { Query } from './query.ts'
import type { Condition } from './selection.ts'

/** When an answer is about, and what that binds in SQL. */
export interface When {
  /** The quarter that the answer looks from, ISO 8601; null where nothing is held. */
  readonly asOf: string | null
  readonly params: Readonly<Record<string, unknown>>
  /** Conditions beside those of the parameters' own. */
  readonly where: readonly Condition[]
}

/**
 * Resolves `as_of`, `from`, `to` and `quarters` against the quarters filed by the institution of the path, else
 * by the industry. `not-found` for an unknown institution, or a quarter that was not filed.
 */
export function resolveTime(query: Query, holdings: Holdings): When {
  const { dataset, values } = query
  let filed = holdings.industry
  let latest = holdings.latest
  let whose = 'the industry'
  for (const name of dataset.pathParameters) {
    const kind = dataset.parameters[name]?.entity
    if (!kind) continue
    const id = values.get(name) as number
    const quarters = holdings.quartersOf(kind, id)
    if (!quarters)
      throw new Problem('not-found', `the ${nouns[kind]} with RSSD ID ${id} is unknown: it never filed`)
    filed = quarters
    latest = quarters[quarters.length - 1]
    whose = `the ${nouns[kind]} with RSSD ID ${id}`
  }
  refuseUnknownMembers(query, holdings)
  const to = values.get('to') as string | undefined
  const upTo = to === undefined ? filed.length : countUntil(filed, to)
  const last = upTo > 0 ? filed[upTo - 1] : undefined
  for (const [name, parameter] of Object.entries(dataset.parameters)) {
    if (parameter.role === 'as_of') {
      const asked = values.get(name) as number | undefined
      if (asked !== undefined && !includes(filed, asked)) {
        throw new Problem(
          'not-found',
          `the quarter ${quarterName(asked)} is unknown: ${whose} filed none${range(filed)}`,
        )
      }
      const quarter = asked ?? (to === undefined ? latest : last) ?? latest
      if (quarter === undefined) throw new Problem('not-found', `no quarter is held for ${whose}`)
      const day = quarterEnd(quarter)
      return { asOf: day, params: { as_of: day }, where: [] }
    }
    if (parameter.role === 'known_at' && values.has(name)) {
      return { asOf: String(values.get(name)).slice(0, 10), params: {}, where: [] }
    }
  }
  const asOf = (to === undefined ? latest : last) ?? latest
  const day = asOf === undefined ? null : quarterEnd(asOf)
  const quarters = dataset.parameters.quarters?.role === 'quarters' ? values.get('quarters') : undefined
  if (typeof quarters !== 'number') return { asOf: day, params: {}, where: [] }
  const first = filed[Math.max(0, upTo - quarters)]
  const column = dataset.parameters.quarters?.column ?? 'report_date'
  if (first === undefined) return { asOf: day, params: {}, where: [{ sql: 'false' }] }
  const from = quarterEnd(first)
  const test = { column, operator: '>=', value: from } as const
  return { asOf: day, params: { from }, where: [{ sql: `${column} >= {from:Date}`, test }] }
}

/** A list of institutions must not shrink unseen: one that never filed is named. */
function refuseUnknownMembers({ dataset, values }: Query, holdings: Holdings): void {
  for (const [name, { members }] of Object.entries(dataset.parameters)) {
    if (!members) continue
    const unknown = ((values.get(name) as number[] | undefined) ?? []).filter(
      (id) => holdings.quartersOf(members, id) === undefined,
    )
    if (unknown.length === 0) continue
    const shown = `${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ', …' : ''}`
    const reason = `no ${nouns[members]} with RSSD ID ${shown} ever filed`
    throw new Problem('invalid-parameter', `${name}: ${reason}`, { errors: [{ parameter: name, reason }] })
  }
}

const nouns: Readonly<Record<EntityKind, string>> = { bank: 'bank' }

function includes(sorted: ArrayLike<number>, wanted: number): boolean {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (sorted[middle] === wanted) return true
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** How many quarters end on or before a day. */
function countUntil(sorted: ArrayLike<number>, day: string): number {
  const exact = parseQuarter(day)
  let count = 0
  while (count < sorted.length) {
    const quarter = sorted[count]!
    if (exact !== undefined ? quarter > exact : quarterEnd(quarter) > day) break
    count++
  }
  return count
}

const range = (filed: ArrayLike<number>): string =>
  filed.length === 0
    ? ''
    : ` for it (first ${quarterName(filed[0]!)}, latest ${quarterName(filed[filed.length - 1]!)})`
