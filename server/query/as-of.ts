import { parseQuarter, quarterEnd, quarterName } from '../../sql/quarter.ts'
import type { Dataset } from '../catalog/define.ts'
import type { AnyParameter, Role } from '../catalog/parameter.ts'
import { Problem } from '../errors.ts'
import { type Coverage, type FiledQuarters, includes } from './coverage.ts'
import type { Query } from './query.ts'
import type { Condition } from './selection.ts'

/** When an answer is about, and what that binds in SQL. */
export interface When {
  /**
   * What the answer looks from, as an ISO date: a filed quarter, or the day asked for where rows are not of filed
   * quarters. Null where nothing is held, and where a relation without filed quarters is not asked for a day.
   */
  readonly asOf: string | null
  readonly params: Readonly<Record<string, unknown>>
  /** Conditions beside those of the parameters' own. */
  readonly where: readonly Condition[]
  /** The institution is known and has filed nothing: the answer has no row, and that is no fault. */
  readonly empty?: boolean
}

/**
 * Resolves the parameters of time by what a row of the dataset speaks of. For filed quarters that is against those of
 * the institution of the path, else of all.
 * @throws Problem `not-found` for an unknown institution, or a quarter that was not filed
 */
export function resolveTime(query: Query, coverage: Coverage): When {
  const filings = filingsOf(query, coverage)
  rejectUnknownMembers(query, coverage)
  if (query.dataset.time.kind === 'quarter') return resolveQuarter(query, filings)
  return { asOf: dayAskedFor(query), params: {}, where: [] }
}

/** The parameter that has a role, with its name. */
export const parameterOfRole = ({ declared }: Dataset, role: Role) =>
  declared.find(([, parameter]) => parameter.role === role)

/** There are no rows of filed quarters; SQL that names one is bound all the same. */
const nothingFiled: When = {
  asOf: null,
  params: { as_of: '1970-01-01' },
  where: [{ sql: 'false' }],
  empty: true,
}

/** Filed quarters, and of whom. */
interface FiledBy extends FiledQuarters {
  /** The parameter that names the institution, and its number; undefined of all institutions. */
  readonly parameter?: AnyParameter | undefined
  readonly id?: number
}

const whose = ({ parameter, id }: Pick<FiledBy, 'parameter' | 'id'>): string =>
  parameter ? `the ${called(parameter)} ${id}` : 'the industry'

function filingsOf({ dataset, values }: Query, coverage: Coverage): FiledBy {
  for (const name of dataset.pathParameters) {
    const parameter = dataset.parameters[name]!
    if (!parameter.entity) continue
    const id = values.get(name) as number
    const quarters = quartersOf(coverage, parameter, id)
    if (quarters) return { parameter, id, quarters, latest: quarters[quarters.length - 1] }
    const { entity, orOf = [] } = parameter
    if (![entity, ...orOf].some((kind) => coverage.knows(kind, id)))
      throw new Problem(
        'not-found',
        `${whose({ parameter, id })} is unknown: no source that is loaded knows it`,
      )
    return { parameter, id, quarters: [], latest: undefined }
  }
  return coverage.filed(dataset.universe.entity)
}

/** Of the first kind that the number is one of. */
function quartersOf(coverage: Coverage, { entity, orOf }: AnyParameter, id: number) {
  const quarters = coverage.quartersOf(entity!, id)
  if (quarters || !orOf) return quarters
  for (const kind of orOf) {
    const others = coverage.quartersOf(kind, id)
    if (others) return others
  }
  return undefined
}

/** `bank with RSSD ID` */
const called = ({ universe }: AnyParameter): string =>
  universe ? `${universe.noun} with ${universe.idLabel}` : 'institution'

function dayAskedFor({ dataset, values }: Query): string | null {
  const name = parameterOfRole(dataset, 'day')?.[0]
  const day = name === undefined ? '' : String(values.get(name) ?? '').slice(0, 10)
  return /^\d/.test(day) ? day : null
}

function resolveQuarter({ dataset, values }: Query, by: FiledBy): When {
  const { quarters: filed, latest } = by
  const to = values.get('to') as string | undefined
  const upTo = to === undefined ? filed.length : countUntil(filed, to)
  const last = upTo > 0 ? filed[upTo - 1] : undefined
  if (parameterOfRole(dataset, 'as_of')) {
    const asked = values.get('as_of') as number | undefined
    if (asked !== undefined && !includes(filed, asked)) {
      throw new Problem(
        'not-found',
        `the quarter ${quarterName(asked)} is unknown: ${whose(by)} filed none${range(filed)}`,
      )
    }
    const quarter = asked ?? (to === undefined ? latest : last) ?? latest
    if (quarter === undefined) return nothingFiled
    const day = quarterEnd(quarter)
    return { asOf: day, params: { as_of: day }, where: [] }
  }
  if (latest === undefined) return nothingFiled
  const asOf = (to === undefined ? latest : last) ?? latest
  const day = quarterEnd(asOf)
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
function rejectUnknownMembers({ dataset, values }: Query, coverage: Coverage): void {
  for (const [name, parameter] of dataset.declared) {
    const { members } = parameter
    if (!members) continue
    const unknown = ((values.get(name) as number[] | undefined) ?? []).filter(
      (id) => coverage.quartersOf(members, id) === undefined,
    )
    if (unknown.length === 0) continue
    const shown = `${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ', …' : ''}`
    const reason = `no ${called(parameter)} ${shown} ever filed`
    throw new Problem('invalid-parameter', `${name}: ${reason}`, { errors: [{ parameter: name, reason }] })
  }
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
