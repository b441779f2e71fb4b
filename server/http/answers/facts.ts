/** What an answer says of itself: its facts, its links, its totals. */

import type { Incomplete } from '../../../sql/sources/incomplete.ts'
import { Problem } from '../../errors.ts'
import type { Links, Meta } from '../../formats/envelope.ts'
import { formats } from '../../formats/names.ts'
import type { Published } from '../../published.ts'
import { parameterOfRole } from '../../query/as-of.ts'
import { encodeCursor, following } from '../../query/cursor.ts'
import type { Keys } from '../../query/place.ts'
import type { Plan } from '../../query/plan.ts'
import type { Query } from '../../query/query.ts'
import type { Answering } from './answering.ts'

/** Whether an answer of one row may have none: of an institution that is known it is an empty object, not a 404. */
export const mayBeEmpty = ({ query: { dataset } }: Plan): boolean =>
  dataset.pathParameters.some((name) => dataset.parameters[name]?.entity)

export function nothingFound({ plan }: Answering): Problem {
  const named = plan.query.dataset.pathParameters.map((name) => {
    const noun = plan.query.dataset.parameters[name]?.noun ?? name
    return `${noun} “${plan.query.values.get(name)}”`
  })
  const when = plan.when.asOf === null ? '' : ` as of ${plan.when.asOf}`
  return new Problem('not-found', `nothing is held for ${named.join(', ') || 'this request'}${when}`)
}

/** Rows of this page. */
export function pageRows({ query }: Plan, total: number): number {
  return Math.max(0, Math.min(query.limit ?? Number.POSITIVE_INFINITY, total - query.place.passed))
}

/** The facts of an answer with this number of rows; records the number in its timing. */
export function metaOf({ plan, published, timing, leftOut }: Answering, count: number, total: number): Meta {
  timing.rows = count
  const { dataset, limit } = plan.query
  const incomplete = incompleteIn(plan, published)
  const { dataVersion, synthetic } = published.publication
  return {
    dataset: dataset.key,
    as_of: plan.when.asOf,
    data_version: dataVersion,
    synthetic,
    sources: dataset.sources,
    count,
    total,
    limit: limit ?? null,
    left_out: leftOut.length > 0 ? leftOut : undefined,
    incomplete: incomplete.length > 0 ? incomplete : undefined,
    columns: plan.columns,
  }
}

/** Those of the incomplete quarters that the answer speaks of: the one that it looks from, or those of its series up to that. */
function incompleteIn(
  { query: { dataset, values }, when }: Plan,
  { incomplete }: Published,
): readonly Incomplete[] {
  if (incomplete.length === 0 || (dataset.time.kind === 'quarter' && when.asOf === null)) return []
  const one = parameterOfRole(dataset, 'as_of') !== undefined
  const from = when.params.from ?? values.get('from') ?? ''
  return incomplete.filter(
    ({ source, report_date }) =>
      dataset.sources.includes(source) &&
      (when.asOf === null ||
        (one ? report_date === when.asOf : report_date <= when.asOf && report_date >= String(from))),
  )
}

/** How many rows there are without limit and cursor, and what a cursor keeps of the last one of the page where more follow. */
export interface Extent {
  readonly total: number
  readonly last?: Keys | undefined
}

/** Whether rows follow those of the page. */
export const hasNext = ({ query: { limit, place } }: Plan, total: number): boolean =>
  limit !== undefined && place.passed + limit < total

export function linksOf(answering: Answering, extent: Extent): Links {
  const { query } = answering.plan
  return {
    self: linkOf(query, query.cursor),
    next: nextOf(answering, extent),
    docs: `/docs/${query.dataset.key}`,
  }
}

function linkOf({ path, canonical }: Query, cursor: string): string {
  if (cursor === '') return canonical === '' ? path : `${path}?${canonical}`
  return `${path}?${canonical === '' ? '' : `${canonical}&`}cursor=${cursor}`
}

function nextOf({ plan: { query }, published }: Answering, { total, last }: Extent): string | null {
  if (!last) return null
  const { dataset, order, place, limit, path, canonical } = query
  const next = following(place, { dataset, order, rows: limit!, total, last })
  const { dataVersion } = published.publication
  return linkOf(query, encodeCursor(next, { dataset, order, canonical: `${path}?${canonical}`, dataVersion }))
}

export function factHeaders({ plan, published, format }: Answering): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': formats[format].mediaType,
    'x-dataset': plan.query.dataset.key,
  }
  if (plan.when.asOf !== null) headers['x-as-of'] = plan.when.asOf
  headers['x-data-version'] = published.publication.dataVersion
  return headers
}

export function totalHeaders(answering: Answering, extent: Extent): Record<string, string> {
  const next = nextOf(answering, extent)
  return { 'x-total-count': String(extent.total), ...(next !== null && { link: `<${next}>; rel="next"` }) }
}

export function tooManyRows(rows: number, most: number): Problem {
  return new Problem(
    'query-too-large',
    `the answer would have ${rows} rows, at most ${most} are given at once: ask for pages with limit, or for less`,
  )
}
