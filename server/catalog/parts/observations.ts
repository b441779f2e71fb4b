/**
 * What the datasets of rates share: series under public keys, made of what one publisher or another filed, as they
 * stand now or as they were known at a past moment.
 */

import { dayPattern, parseDay, parseQuarter, quarterEnd, quarterPattern } from '../../../sql/quarter.ts'
import { quoted } from '../../../sql/quoted.ts'
import { type Column, code, instant, longDate } from '../columns.ts'
import { InvalidValue } from '../invalid-value.ts'
import { dateWindow, type Parameter, yesNo } from '../parameters.ts'
import type { Scope } from '../scope.ts'

/** An instant of UTC, to the millisecond. */
const MOMENT = `${dayPattern}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,3})?Z`
const isMoment = new RegExp(`^${MOMENT}$`)

/** A series as readers see it. */
export interface PublicSeries {
  readonly key: string
  readonly label: string
  /** Numbers that belong to the key, such as months to maturity: a column each. */
  readonly facts?: Readonly<Record<string, number>>
  /** Texts that belong to the key: a column each. */
  readonly texts?: Readonly<Record<string, string>>
  /**
   * For each measure (a column) the stored series that hold it, the preferred publisher's first: `{ yield:
   * ['UST_PAR_10Y', 'DGS10'] }`. At the same place in every list stands the same publisher.
   */
  readonly measures: Readonly<Record<string, readonly string[]>>
}

export interface ObservedOptions {
  /** Name of the key's column. */
  readonly key: string
  /** Source of the publishers, in the order of the lists: `['treasury', 'fred']`. */
  readonly sources: readonly string[]
  /** Publishers are not mixed within a period: a later one speaks only of periods that the earlier ones left out. */
  readonly period?: 'day' | 'month'
  /** What `latest` means: the newest observation of each series, or the newest day that has a whole curve. */
  readonly latest?: 'series' | 'curve'
}

const FOREVER = "toDateTime64('2200-01-01 00:00:00', 3, 'UTC')"
const CUT = "{as_of:DateTime64(3, 'UTC')}"

/**
 * What is in force, or was at `as_of`. From the day that a series was first loaded on this is exactly what the
 * server held; of days before that it is the first value learnt, dated up to `as_of`.
 */
const known = (scope: Scope): string =>
  scope.has('as_of')
    ? `o.value IS NOT NULL AND ((learnt_at < ${CUT} AND replaced_at >= ${CUT})
        OR (watched_since >= ${CUT} AND revision = 1 AND date <= toDate32(${CUT} - toIntervalMillisecond(1))))`
    : `o.value IS NOT NULL AND replaced_at = ${FOREVER}`

const within = (scope: Scope): string =>
  (scope.has('from') ? ' AND date >= {from:Date32}' : '') +
  (scope.has('to') ? ' AND date <= {to:Date32}' : '')

/** The relation of a dataset: `date`, the key, its label, facts and texts, the measures, `source`, `learnt_at`. */
export function observed(list: readonly PublicSeries[], options: ObservedOptions): (scope: Scope) => string {
  const measures = [...new Set(list.flatMap((series) => Object.keys(series.measures)))]
  const stored = list.flatMap((series) =>
    Object.entries(series.measures).flatMap(([measure, ids]) =>
      ids.map((id, rank) => ({ id, rank, measure, series })).filter(({ id }) => id !== ''),
    ),
  )
  const lookup = (
    of: (entry: (typeof stored)[number]) => string,
    fallback: string,
    type = 'String',
  ): string =>
    // worked out once a dictionary's entry, then plain: a dictionary of numbers is nothing that readers expect
    `CAST(transform(toString(o.series), [${stored.map(({ id }) => quoted(id))}], [${stored.map(of)}], ${fallback}), '${type}')`
  const columns = [
    `${lookup(({ series }) => quoted(series.key), "''")} AS ${options.key}`,
    `${lookup(({ series }) => quoted(series.label), "''")} AS label`,
    ...Object.keys(list[0]?.facts ?? {}).map(
      (name) =>
        `${lookup(({ series }) => `toFloat64(${series.facts![name]})`, 'toFloat64(0)', 'Float64')} AS ${name}`,
    ),
    ...Object.keys(list[0]?.texts ?? {}).map(
      (name) => `${lookup(({ series }) => quoted(series.texts![name]!), "''")} AS ${name}`,
    ),
    `${lookup(({ rank }) => quoted(options.sources[rank]!), "''")} AS source`,
  ]
  const names = columns.map((column) => column.slice(column.lastIndexOf(' ') + 1))
  const period = options.period === 'month' ? 'toStartOfMonth(date)' : 'date'
  const ofRank = (rank: number): string =>
    `o.series IN (${stored.filter((entry) => entry.rank === rank).map(({ id }) => quoted(id))})`
  const publishers = (scope: Scope, window: string): string =>
    options.sources
      .map((_, rank) => {
        const before = options.sources.slice(0, rank).map((_, earlier) => ofRank(earlier))
        if (before.length === 0) return ofRank(rank)
        return `${ofRank(rank)} AND ${period} NOT IN (SELECT ${period} FROM observations AS o WHERE (${before.join(' OR ')}) AND ${known(scope)}${window})`
      })
      .map((condition) => `(${condition})`)
      .join(' OR ')
  const every = options.sources.map((_, rank) => ofRank(rank)).join(' OR ')

  return (scope) => {
    const latest = scope.is('latest', true)
    const inside = within(scope)
    const recent =
      latest && options.latest === 'curve'
        ? ` AND date > (SELECT max(date) - 31 FROM observations AS o WHERE (${every}) AND ${known(scope)}${inside})`
        : ''
    // A month may begin before the window does.
    const window = options.period === 'month' ? '' : `${inside}${recent}`
    const read = (select: string): string =>
      `SELECT ${select} FROM observations AS o WHERE (${publishers(scope, window)}) AND ${known(scope)}${inside}${recent}`
    const rows =
      measures.length === 1
        ? read(`date, ${columns.join(', ')}, assumeNotNull(o.value) AS ${measures[0]}, learnt_at`)
        : `SELECT date, ${names.join(', ')}, ${measures.map((name) => `maxIf(value, measure = '${name}') AS ${name}`).join(', ')}, max(told_at) AS learnt_at
           FROM (${read(`date, ${columns.join(', ')}, value, ${lookup(({ measure }) => quoted(measure), "''")} AS measure, learnt_at AS told_at`)})
           GROUP BY date, ${names.join(', ')}`
    if (!latest) return rows
    return options.latest === 'curve'
      ? newestCurve(rows)
      : `SELECT * FROM (${rows}) ORDER BY date DESC LIMIT 1 BY ${options.key}`
  }
}

/** The newest day with more than half of the points that the fullest day of the month before it has. */
const newestCurve = (rows: string): string => `
SELECT * EXCEPT (points, fullest) FROM (
  SELECT *, max(points) OVER () AS fullest FROM (SELECT *, count() OVER (PARTITION BY date) AS points FROM (${rows})))
WHERE 2 * points > fullest ORDER BY date DESC LIMIT 1 WITH TIES`

/** `from`, `to`, `latest`, `as_of`: the parameters of every dataset of observations. */
export const observationParameters = {
  ...dateWindow('date'),
  latest: yesNo({ doc: 'With 1 only the newest observation of each series.' }),
  as_of: knownAt(),
} as const

/** The end of a day or quarter, or a moment: what was known then. Bound as the moment until which values count. */
export function knownAt(): Parameter<string> {
  return {
    doc: 'What was known at the end of that day (2026-06-30, 2026Q2), or at a moment (2026-06-30T16:00:00Z).',
    schema: {
      type: 'string',
      pattern: `^(${quarterPattern}|${dayPattern}|${MOMENT})$`,
    },
    parse(text) {
      const quarter = parseQuarter(text)
      const day = parseDay(text) ?? (quarter === undefined ? undefined : quarterEnd(quarter))
      if (day !== undefined) return day
      if (isMoment.test(text)) return new Date(text).toISOString()
      throw new InvalidValue(
        'not a day',
        'a day like 2026-06-30, a quarter like 2026Q2 or a moment like 2026-06-30T16:00:00Z',
      )
    },
    bind: (value) => ({
      as_of: sqlMoment(value.length === 10 ? Date.parse(value) + DAY_MS : Date.parse(value)),
    }),
    role: 'day',
  }
}

const DAY_MS = 86_400_000
const sqlMoment = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, -1)

export const observationDate: Column = longDate('date', 'Date', {
  doc: 'The day that the observation is of.',
})
export const observationSource: Column = code('source', 'Source', { doc: 'Key of the source that told it.' })
export const learntAt: Column = instant('learnt_at', 'Learnt at', {
  doc: 'When this server learnt the value (UTC). A value that is revised later is still found with `as_of`.',
})
