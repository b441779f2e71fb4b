/** Parameters of time: which of them a relation has, and what they mean, follows from its `Time`. */

import {
  dayPattern,
  parseDay,
  parseQuarter,
  quarterEnd,
  quarterPattern,
  yearPattern,
} from '../../sql/quarter.ts'
import type { Time } from '../../sql/sources/declare.ts'
import { InvalidValue } from './invalid-value.ts'
import { integer, type Parameter, type Parameters } from './parameter.ts'

/**
 * The filed quarter to look from; default the latest that the institution of the path filed, else the
 * industry's. Bound as `{as_of:Date}`. `where: null` leaves its meaning to the dataset's SQL.
 */
export function asOf(options: { where?: Parameter<number>['where'] | null } = {}): Parameter<number> {
  const { where = { column: 'report_date', operator: '=', type: 'Date' } } = options
  return {
    doc: 'The filed quarter to look from, as 2026Q2 or 2026-06-30. Default: the latest filed.',
    schema: { type: 'string', pattern: `^${quarterPattern}$` },
    parse: quarterOf,
    canonical: quarterEnd,
    role: 'as_of',
    ...(where !== null && { where }),
  }
}

/** A series by quarters: `from`, `to`, `quarters` (the latest so many that were filed). */
export function window(options: { column?: string; most?: number; default?: number } = {}) {
  const column = options.column ?? 'report_date'
  const most = options.most ?? 1000
  const quarters: Parameter<number> = {
    ...integer({ doc: 'The latest so many filed quarters.', min: 1, max: most }),
    role: 'quarters',
    column,
    ...(options.default !== undefined && { default: options.default }),
  }
  return {
    from: end('from', 'First quarter or day of the series, inclusive.', column, 'quarter', {
      ...{ column, operator: '>=', type: 'Date' },
    }),
    to: end('to', 'Last quarter or day of the series, inclusive.', column, 'quarter', {
      ...{ column, operator: '<=', type: 'Date' },
    }),
    quarters,
  } as const
}

/** What a row speaks of decides how a reader chooses among the rows by time. */
export function timeParameters(time: Time): Parameters {
  if (time.kind === 'quarter') return window({ column: time.column })
  if (time.kind === 'day') return dateWindow(time.column)
  if (time.kind === 'year') return yearWindow(time.column)
  return time.kind === 'valid' ? { as_of: validOn(time.from, time.to) } : {}
}

/** One end of a span: a quarter or a year stands for its first or its last day. */
const end = (
  role: 'from' | 'to',
  doc: string,
  column: string,
  grain: 'day' | 'quarter',
  where: Parameter<string>['where'],
): Parameter<string> => ({
  doc,
  schema: { type: 'string', pattern: `^(${quarterPattern}|${dayPattern}|${yearPattern})$` },
  parse: (text) => dayOf(text, role),
  role,
  column,
  grain,
  bind: (value) => ({ [role]: value }),
  where,
})

/** A series by days: `from`, `to`. */
export function dateWindow(column: string) {
  const type = 'Date32'
  return {
    from: end('from', 'First day, inclusive (a quarter or a year means its first day).', column, 'day', {
      ...{ column, operator: '>=', type },
    }),
    to: end('to', 'Last day, inclusive (a quarter or a year means its last day).', column, 'day', {
      ...{ column, operator: '<=', type },
    }),
  } as const
}

/** A series by years, the numbers of a column: `from`, `to`. */
export const yearWindow = (column: string) =>
  ({
    from: end('from', 'First year, inclusive, as 2019.', column, 'day', `${column} >= toYear({from:Date32})`),
    to: end('to', 'Last year, inclusive, as 2023.', column, 'day', `${column} <= toYear({to:Date32})`),
  }) as const

/** Still in force in the newest edition of the source. */
const NOW = 'now'

/**
 * The rows that were in force on a day, where each is from its first day to its last, and one that goes on has no last.
 * Default: those that go on.
 */
export const validOn = (from: string, to: string): Parameter<string> => ({
  doc: 'The day to look from; `now` is what is in force still.',
  schema: { type: 'string', pattern: `^(${quarterPattern}|${dayPattern}|${yearPattern}|${NOW})$` },
  parse: (text) => (text === NOW ? NOW : dayOf(text, 'to')),
  role: 'day',
  default: NOW,
  where: (value, name) =>
    value === NOW
      ? `${to} IS NULL`
      : `${from} <= {${name}:Date32} AND (${to} IS NULL OR ${to} >= {${name}:Date32})`,
})

/**
 * The day to look from in rows that are of no filed quarters; without it there is none. Bound as `{as_of:Date32}`.
 * @param where what it means, where that is a condition
 */
export const lookFrom = (doc: string, where?: string): Parameter<string> => ({
  doc,
  schema: { type: 'string', pattern: `^(${quarterPattern}|${dayPattern}|${yearPattern})$` },
  parse: (text) => dayOf(text, 'to'),
  role: 'day',
  ...(where !== undefined && { where }),
})

const YEAR = new RegExp(`^${yearPattern}$`)

function quarterOf(text: string): number {
  const quarter = parseQuarter(text)
  if (quarter === undefined) {
    throw new InvalidValue('not a quarter', 'a quarter like 2026Q2 or its last day like 2026-06-30')
  }
  return quarter
}

/** A day, or the first or last day of a quarter or a year. */
function dayOf(text: string, side: 'from' | 'to'): string {
  const day = parseDay(text)
  if (day !== undefined) return day
  if (YEAR.test(text)) return `${text}-${side === 'from' ? '01-01' : '12-31'}`
  const quarter = parseQuarter(text)
  if (quarter === undefined)
    throw new InvalidValue('not a date', 'a day like 2026-06-30, a quarter like 2026Q2 or a year like 2026')
  if (side === 'to') return quarterEnd(quarter)
  return `${Math.floor(quarter / 4)}-${['01', '04', '07', '10'][quarter % 4]}-01`
}
