/** The order of the rows: as ORDER BY, as what a cursor keeps of a row, and as the rows that come after one. */
import type { Column } from '../catalog/columns.ts'
import type { Dataset } from '../catalog/define.ts'
import type { Keys, Place } from './place.ts'
import { expression } from './select-list.ts'
import type { SortKey } from './selection.ts'

/** The order asked for, else the declared one; the grain ends it, so that it is total. Nulls come last. */
export function orderOf(dataset: Dataset, sort: readonly SortKey[] | undefined): readonly SortKey[] {
  if (sort) return total(dataset, sort)
  const known = declared.get(dataset) ?? total(dataset, (dataset.order ?? []).map(sortKey))
  declared.set(dataset, known)
  return known
}

const declared = new WeakMap<Dataset, readonly SortKey[]>()

function total({ grain }: Dataset, keys: readonly SortKey[]): readonly SortKey[] {
  const named = new Set(keys.map(({ column }) => column))
  return [...keys, ...grain.filter((name) => !named.has(name)).map(sortKey)]
}

const sortKey = (key: string): SortKey =>
  key.startsWith('-') ? { column: key.slice(1), descending: true } : { column: key, descending: false }

const sqlOf = ({ allColumns }: Dataset, name: string): string => {
  const column = allColumns.get(name)
  return column ? expression(column) : name
}

export const orderBy = (dataset: Dataset, order: readonly SortKey[]): string =>
  order.map(({ column, descending }) => `${sqlOf(dataset, column)}${descending ? ' DESC' : ''}`).join(', ')

/** How a value of the order becomes text without loss and a typed parameter again. */
interface Spelling {
  readonly written: (sql: string) => string
  /** The same text of the value as JSON has it; undefined where that does not tell it. */
  readonly told: (value: string | number | boolean) => string | undefined
  readonly valid: (text: string) => boolean
  readonly type: string
  /** SQL of the value over its parameter, where that is not the value. */
  readonly read?: (parameter: string) => string
}

const whole = (type: 'Int64' | 'UInt64'): Spelling => ({
  written: (sql) => `toString(to${type}(${sql}))`,
  told: (value) => (Number.isSafeInteger(Number(value)) ? String(Number(value)) : undefined),
  valid: (text) =>
    /^-?\d{1,20}$/.test(text) &&
    BigInt(text) === (type === 'Int64' ? BigInt.asIntN : BigInt.asUintN)(64, BigInt(text)),
  type,
})

const day: Spelling = {
  written: (sql) => `toString(${sql})`,
  told: String,
  valid: (text) =>
    /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text,
  type: 'Date32',
}

/** Milliseconds since 1970. */
const instant: Spelling = {
  written: (sql) => `toString(toUnixTimestamp64Milli(toDateTime64(${sql}, 3)))`,
  told: (value) => String(Date.parse(String(value))),
  valid: (text) => /^-?\d{1,13}$/.test(text),
  type: 'Int64',
  read: (parameter) => `fromUnixTimestamp64Milli(${parameter}, 'UTC')`,
}

const text: Spelling = {
  written: (sql) => `base64URLEncode(toString(${sql}))`,
  told: (value) => Buffer.from(String(value)).toString('base64url'),
  valid: (text) => /^[\w-]*$/.test(text) && text.length % 4 !== 1,
  type: 'String',
  read: (parameter) => `base64URLDecode(${parameter})`,
}

/** The engine writes as many digits as tell a number from every other. */
const float: Spelling = {
  written: (sql) => `toString(${sql})`,
  told: (value) => String(value).replace('e+', 'e'),
  valid: (text) => /^-?\d{1,32}(\.\d{1,32})?(e-?\d{1,3})?$/.test(text) && Number.isFinite(Number(text)),
  type: 'Float64',
}

const flag: Spelling = {
  written: (sql) => `toString(toUInt8(${sql}))`,
  told: (value) => String(Number(value)),
  valid: (text) => text === '0' || text === '1',
  type: 'UInt8',
}

const spellings: Readonly<Record<string, Spelling>> = {
  ...{ Bool: flag, Code: text, String: text, Date: day, Date32: day },
  ...{ DateTime: instant, 'DateTime64(3)': instant, Float64: float, UInt64: whole('UInt64') },
}

const other: Spelling = whole('Int64')

/** What orders but is no column of an answer is a whole number or a flag, which `test/datasets/walks.long.test.ts` holds. */
const spellingOf = (column: Column | undefined): Spelling => spellings[column?.type ?? ''] ?? other

/** SQL of the values that order a row, as the texts that a cursor keeps: an array, NULL for one that is absent. */
export const keysOf = (dataset: Dataset, order: readonly SortKey[]): string =>
  `[${order
    .map(({ column: name }) => spellingOf(dataset.allColumns.get(name)).written(sqlOf(dataset, name)))
    .map((sql) => `CAST(${sql} AS Nullable(String))`)
    .join(', ')}]`

/**
 * The same texts of a row in JSON; undefined where it does not tell them all: a column is not there, or a null may be what is
 * not a number.
 */
export function keysIn(
  { allColumns }: Dataset,
  order: readonly SortKey[],
  row: Readonly<Record<string, unknown>>,
): Keys | undefined {
  const keys: (string | null)[] = []
  for (const { column: name } of order) {
    const column = allColumns.get(name)
    const value = row[name]
    if (!column || value === undefined || (value === null && column.type === 'Float64')) return undefined
    if (typeof value === 'object' && value !== null) return undefined
    const key = value === null ? null : spellingOf(column).told(value as string | number | boolean)
    if (key === undefined) return undefined
    keys.push(key)
  }
  return keys
}

/** Whether those could be the texts of a row. */
export const areKeys = ({ allColumns }: Dataset, order: readonly SortKey[], keys: Keys): boolean =>
  keys.length === order.length &&
  keys.every((key, at) => key === null || spellingOf(allColumns.get(order[at]!.column)).valid(key))

/** A condition with the values that it names. */
interface After {
  readonly sql: string
  readonly params: Readonly<Record<string, string>>
}

/**
 * The rows that come after the one that a place keeps: those that differ from it first in a value that lies behind, so that
 * the engine reads no more of a table in this order than what follows. Null comes last, and just before it what is not a number.
 */
export function afterPlace(dataset: Dataset, order: readonly SortKey[], { keys }: Place): After | undefined {
  if (!keys) return undefined
  const params: Record<string, string> = {}
  let sql = 'false'
  for (let at = order.length - 1; at >= 0; at--) {
    const { column: name, descending } = order[at]!
    const column = dataset.allColumns.get(name)
    const own = sqlOf(dataset, name)
    const key = keys[at]
    if (key === null || key === undefined) {
      sql = `${own} IS NULL AND (${sql})`
      continue
    }
    const { type, read = (parameter: string) => parameter } = spellingOf(column)
    const value = read(`{after_${at}:${type}}`)
    params[`after_${at}`] = key
    const last = column?.nullable === false ? [] : [`${own} IS NULL`]
    if (type === 'Float64') last.unshift(`isNaN(${own})`)
    const beyond = descending ? '<' : '>'
    const behind = [`${own} ${beyond} ${value}`, ...last].join(' OR ')
    sql = sql === 'false' ? behind : `${behind} OR ${own} = ${value} AND (${sql})`
    // a condition of its own, as the others may be of columns that a join makes, and are then met after it
    if (at === 0) sql = `(${[`${own} ${beyond}= ${value}`, ...last].join(' OR ')}) AND (${sql})`
  }
  return { sql, params }
}
