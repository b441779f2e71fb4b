/**
 * Parameter builders. A parameter says once how its text is read, what it means in SQL, and how it is
 * documented. Its value reaches SQL only as a typed parameter `{name:Type}`.
 */
import { metrics as metricCatalog } from '../../sql/formula/metrics/index.ts'
import { dayPattern, parseDay, parseQuarter, quarterEnd, quarterPattern } from '../query/quarter.ts'
import { Refusal } from '../query/refusal.ts'
import type { Operator } from '../query/selection.ts'
import { suggest } from '../query/suggest.ts'
import type { Scope } from './define.ts'
import { states } from './states.ts'

/** Institutions whose filings the server knows of in memory: existence and filed quarters cost no query. */
export type EntityKind = 'bank'

/** What the planner does with a value beyond binding it. `known_at`: a moment, for `meta.as_of`; no filed quarter. */
export type Role = 'as_of' | 'known_at' | 'from' | 'to' | 'quarters' | 'metrics'

export interface JsonSchema {
  readonly type?: string
  readonly [keyword: string]: unknown
}

/** A condition that is one comparison: of a column with the value of the parameter, bound as a ClickHouse type. */
export interface Comparison {
  readonly column: string
  readonly operator: Operator
  readonly type: string
}

type Where = Comparison | string

export interface Parameter<T = unknown> {
  readonly doc: string
  readonly schema: JsonSchema
  /** Reads the text of the URL. Throws Refusal. */
  readonly parse: (text: string) => T
  /** The text that means the same in every spelling; `String(value)` where it is left out. */
  readonly canonical?: (value: T) => string
  /** SQL parameters by name; `{ [name]: value }` where it is left out. */
  readonly bind?: (value: T, name: string) => Record<string, unknown>
  /** Condition that the value puts on the relation: a comparison where it is one, else SQL. */
  readonly where?: Where | ((value: T, name: string, scope: Scope) => Where | undefined)
  /** Taken when the request says nothing. */
  readonly default?: T
  /** Parameters whose place this one takes: to give both is refused. */
  readonly insteadOf?: readonly string[]
  readonly role?: Role
  /** A path parameter that names an institution: unknown is 404. */
  readonly entity?: EntityKind
  /** A list of institutions of this kind; one that never filed is refused. */
  readonly members?: EntityKind
  /** Name of the thing that a path parameter names, for the 404: "metric", "dataset". */
  readonly noun?: string
  /** A value for docs and tests. Entities have none: which institutions are held is not known here. */
  readonly example?: string
  /** `report_date` unless said: the column that `as_of`, `from` and `to` look at. */
  readonly column?: string
  /** The window is one of quarters (filed ones) or of days. */
  readonly grain?: 'quarter' | 'day'
}

// biome-ignore lint/suspicious/noExplicitAny: parameters of every type live in one record
export type AnyParameter = Parameter<any>
export type Parameters = Readonly<Record<string, AnyParameter>>

const MOST_VALUES = 500
/** One value of a list by comma: no control characters, no blank at either end. */
const PLAIN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  /^[^\u0000-\u0020\u007f-\u00a0,]([^\u0000-\u001f\u007f-\u009f,]{0,198}[^\u0000-\u0020\u007f-\u00a0,])?$/
/** One to ten words. */
const WORDS = /^\s*\S+(\s+\S+){0,9}\s*$/

/** A whole number in a range. */
export function integer(options: {
  doc: string
  min?: number
  max?: number
  default?: number
  where?: Comparison | string
  example?: string
}): Parameter<number> {
  const { doc, min = 0, max = 0xffff_ffff, where, example } = options
  return {
    doc,
    schema: { type: 'integer', minimum: min, maximum: max },
    parse(text) {
      const value = Number(text)
      if (!/^-?\d{1,15}$/.test(text) || value < min || value > max) {
        throw new Refusal('not a whole number in range', `a whole number from ${min} to ${max}`)
      }
      return value
    },
    ...(options.default !== undefined && { default: options.default }),
    ...(where !== undefined && { where }),
    ...(example !== undefined && { example }),
  }
}

/** The RSSD ID of a bank in the path. An id that never filed answers 404. */
export function bank(): Parameter<number> {
  return {
    ...integer({
      doc: 'RSSD ID of the bank.',
      min: 1,
      where: { column: 'rssd_id', operator: '=', type: 'UInt32' },
    }),
    entity: 'bank',
  }
}

/** One of a fixed list, matched without regard to case, spaces or punctuation. */
export function choice<const V extends readonly string[]>(
  allowed: V,
  options: { doc: string; default?: V[number]; where?: string },
): Parameter<V[number]> {
  return {
    doc: options.doc,
    schema: { type: 'string', enum: allowed },
    parse: (text) => oneOf(allowed, text),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.where !== undefined && { where: options.where }),
  }
}

/** `1` or `true`, `0` or `false`. */
export function yesNo(options: { doc: string; default?: boolean; where?: string }): Parameter<boolean> {
  return {
    doc: options.doc,
    schema: { type: 'string', enum: ['1', '0', 'true', 'false'] },
    parse(text) {
      if (text === '1' || text === 'true') return true
      if (text === '0' || text === 'false') return false
      throw new Refusal('not a yes or no', ['1', '0', 'true', 'false'])
    },
    canonical: (value) => (value ? '1' : '0'),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.where !== undefined && { where: options.where }),
  }
}

/** Equality with one value or several by comma, on a column that has a known set of values. */
export function oneOfMany(
  column: string,
  allowed: readonly string[],
  options: { doc: string },
): Parameter<string[]> {
  return {
    doc: options.doc,
    schema: list({ type: 'string', enum: allowed }),
    parse: (text) => sortedUnique(split(text).map((value) => oneOf(allowed, value))),
    where: { column, operator: 'IN', type: 'Array(String)' },
  }
}

/** Equality with one value or several by comma; the values must match the pattern, which `form` puts in words. */
export function anyOf(
  column: string,
  options: { doc: string; pattern?: RegExp; form?: string; upper?: boolean; example?: string },
): Parameter<string[]> {
  const pattern = options.pattern ?? PLAIN
  return {
    doc: options.doc,
    schema: list({ type: 'string', pattern: pattern.source }),
    parse: (text) =>
      sortedUnique(
        split(text).map((value) => {
          const spelled = options.upper ? value.toUpperCase() : value
          if (!pattern.test(spelled))
            throw new Refusal(`“${value.slice(0, 100)}” is malformed`, options.form ?? pattern.source)
          return spelled
        }),
      ),
    where: { column, operator: 'IN', type: 'Array(String)' },
    ...(options.example !== undefined && { example: options.example }),
  }
}

/** Identifiers by comma: `peer_ids=1,2,3`. Bound as Array(UInt32). */
export function idList(options: {
  doc: string
  most?: number
  where?: string
  /** The ids are institutions of this kind: an unknown one is refused. */
  members?: EntityKind
  insteadOf?: readonly string[]
}): Parameter<number[]> {
  const one = integer({ doc: options.doc, min: 1 })
  const most = options.most ?? MOST_VALUES
  return {
    doc: options.doc,
    schema: list({ type: 'integer', minimum: 1, maximum: 0xffff_ffff }, most),
    parse: (text) => [...new Set(split(text, most).map((value) => one.parse(value)))],
    ...(options.members !== undefined && { members: options.members }),
    ...(options.insteadOf !== undefined && { insteadOf: options.insteadOf }),
    ...(options.where !== undefined && { where: options.where }),
  }
}

/** Head-office state: USPS codes. A state without a bank is an empty answer, a state that is none a refusal. */
export const state = (column = 'hq_state'): Parameter<string[]> =>
  oneOfMany(column, states, { doc: 'USPS code of the state, or several by comma.' })

export const charterClass = (column = 'charter'): Parameter<string[]> =>
  oneOfMany(column, ['N', 'NM', 'NC', 'SM', 'SI', 'SB', 'SA', 'SL', 'OI', 'CU', 'NS'], {
    doc: 'FDIC charter class, or several by comma: N national, NM state non-member, SM state member, SB and SA savings, OI insured branch of a foreign bank.',
  })

export const regulatorOf = (column = 'regulator'): Parameter<string[]> =>
  oneOfMany(column, ['OCC', 'FDIC', 'FED', 'OTS', 'NCUA', 'STATE'], {
    doc: 'Primary federal regulator, or several by comma.',
  })

/** Words that must all occur, each in any of the columns, without regard to case. */
export function search(columns: readonly string[]): Parameter<string[]> {
  const haystack = columns.length === 1 ? columns[0] : `concat(${columns.join(", ' ', ")})`
  return {
    doc: `Words that must all occur in ${columns.join(', ')}, without regard to case.`,
    schema: { type: 'string', minLength: 1, maxLength: 200, pattern: WORDS.source },
    parse(text) {
      const words = text.trim().split(/\s+/u).filter(Boolean)
      if (words.length === 0 || text.length > 200) throw new Refusal('not a search', '1 to 200 characters')
      if (words.length > 10) throw new Refusal('too many words', 'at most 10 words')
      return words
    },
    canonical: (words) => words.join(' '),
    bind: (words, name) => Object.fromEntries(words.map((word, i) => [`${name}_${i}`, word])),
    where: (words, name) =>
      words
        .map((_, i) => `positionCaseInsensitiveUTF8(${haystack}, {${name}_${i}:String}) > 0`)
        .join(' AND '),
    example: 'first bank',
  }
}

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
  const bound = (role: 'from' | 'to', operator: Operator, doc: string): Parameter<string> => ({
    doc,
    schema: { type: 'string', pattern: `^(${quarterPattern}|${dayPattern})$` },
    parse: (text) => dayOf(text, role),
    role,
    column,
    grain: 'quarter',
    bind: (value) => ({ [role]: value }),
    where: { column, operator, type: 'Date' },
  })
  const most = options.most ?? 1000
  const quarters: Parameter<number> = {
    ...integer({ doc: 'The latest so many filed quarters.', min: 1, max: most }),
    role: 'quarters',
    column,
    ...(options.default !== undefined && { default: options.default }),
  }
  return {
    from: bound('from', '>=', 'First quarter or day of the series, inclusive.'),
    to: bound('to', '<=', 'Last quarter or day of the series, inclusive.'),
    quarters,
  } as const
}

/** A series by days: `from`, `to`. */
export function dateWindow(column: string) {
  const bound = (role: 'from' | 'to', operator: Operator, doc: string): Parameter<string> => ({
    doc,
    schema: { type: 'string', pattern: `^(${quarterPattern}|${dayPattern})$` },
    parse: (text) => dayOf(text, role),
    role,
    column,
    grain: 'day',
    bind: (value) => ({ [role]: value }),
    where: { column, operator, type: 'Date32' },
  })
  return {
    from: bound('from', '>=', 'First day, inclusive (a quarter means its first day).'),
    to: bound('to', '<=', 'Last day, inclusive (a quarter means its last day).'),
  } as const
}

/**
 * Keys of the metric catalog. Chooses the metric columns; in long datasets it binds `{metrics:Array(String)}`
 * and, at the same index, `{metric_positions:Array(UInt16)}` for `bank_rows`.
 */
export function metricList(options: { where?: Where } = {}): Parameter<string[]> {
  return {
    doc: 'Keys of the metric catalog by comma, in the order wanted.',
    schema: list({ type: 'string' }),
    parse: (text) => [...new Set(split(text).map(metricKey))],
    role: 'metrics',
    ...(options.where !== undefined && { where: options.where }),
    example: 'roa,nim',
  }
}

/** A key in the path: unknown is 404. */
export function keyIn(
  keys: readonly string[],
  options: { doc: string; noun: string; where: string; example: string },
): Parameter<string> {
  const known = new Set(keys)
  return {
    doc: options.doc,
    schema: { type: 'string' },
    parse(text) {
      if (known.has(text)) return text
      throw new Refusal(`no such ${options.noun}`, undefined, suggest(text, keys))
    },
    where: options.where,
    noun: options.noun,
    example: options.example,
  }
}

/** A metric's key, or the code of a UBPR concept, in the path: unknown is 404. */
export function metricOrConcept(keys: readonly string[]): Parameter<string> {
  const metric = keyIn(keys, {
    doc: 'Key of the metric, or code of a concept of the UBPR such as UBPRE013.',
    noun: 'metric',
    where: 'key = {metric:String}',
    example: 'roa',
  })
  return {
    ...metric,
    parse(text) {
      const code = text.toUpperCase()
      return /^(UBP|R)[A-Z]{1,3}[A-Z0-9]{4}$/.test(code) && code.length === 8 ? code : metric.parse(text)
    },
  }
}

/** Text of a pattern, such as an MDRM code; in the path, no row for it is 404. */
export function word(options: {
  doc: string
  pattern: RegExp
  upper?: boolean
  where?: string
  noun?: string
  example?: string
}): Parameter<string> {
  const { doc, pattern, upper, where, noun, example } = options
  return {
    doc,
    schema: { type: 'string', pattern: pattern.source },
    parse(text) {
      const value = upper ? text.toUpperCase() : text
      if (!pattern.test(value)) throw new Refusal('malformed', pattern.source)
      return value
    },
    ...(where !== undefined && { where }),
    ...(noun !== undefined && { noun }),
    ...(example !== undefined && { example }),
  }
}

const metricKeys = metricCatalog.map((metric) => metric.key)
const knownMetrics = new Set(metricKeys)

function metricKey(text: string): string {
  if (knownMetrics.has(text)) return text
  throw new Refusal(
    `there is no metric “${text}”`,
    'keys of /api/v1/reference/metrics/',
    suggest(text, metricKeys),
  )
}

function quarterOf(text: string): number {
  const quarter = parseQuarter(text)
  if (quarter === undefined) {
    throw new Refusal('not a quarter', 'a quarter like 2026Q2 or its last day like 2026-06-30')
  }
  return quarter
}

/** A day, or the first or last day of a quarter. */
function dayOf(text: string, side: 'from' | 'to'): string {
  const day = parseDay(text)
  if (day !== undefined) return day
  const quarter = parseQuarter(text)
  if (quarter === undefined) throw new Refusal('not a date', 'a day like 2026-06-30 or a quarter like 2026Q2')
  if (side === 'to') return quarterEnd(quarter)
  return `${Math.floor(quarter / 4)}-${['01', '04', '07', '10'][quarter % 4]}-01`
}

function oneOf<V extends string>(allowed: readonly V[], text: string): V {
  const wanted = squash(text)
  const found = allowed.find((value) => squash(value) === wanted)
  if (found !== undefined) return found
  throw new Refusal(`“${text}” is not one of the values`, allowed, suggest(text, allowed))
}

const squash = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '')

function split(text: string, most = MOST_VALUES): string[] {
  const values = text.split(',').map((value) => value.trim())
  if (values.some((value) => value === '')) throw new Refusal('an empty value', 'values by comma')
  if (values.length > most) throw new Refusal('too many values', `at most ${most}`)
  return values
}

const sortedUnique = (values: readonly string[]): string[] => [...new Set(values)].sort()

const list = (items: JsonSchema, most = MOST_VALUES): JsonSchema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems: most,
})
