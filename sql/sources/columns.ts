/**
 * Columns of declared tables. A column says once how the publisher heads it, how its text is read, and what it means:
 * the DDL, the reader, the validation, and the columns of datasets follow.
 */

import { quotedAll } from '../quoted.ts'
import { isoDay } from './iso-day.ts'

/** How the text of a field becomes a value. ClickHouse does it: `read` is SQL. */
export interface SourceColumn {
  /** Headings of all generations of the file, compared by their letters and digits alone. */
  readonly headings: readonly string[]
  /** ClickHouse type of the value, without Nullable and LowCardinality. */
  readonly type: string
  readonly repeated?: boolean
  readonly nullable: boolean
  /** SQL that brings a text into one form before it is read, such as ISO 8601 for a date; worked out once. */
  readonly form?: (text: string) => string
  /** SQL of the value of a text that is not blank, over a String expression; NULL where it cannot be read. */
  read(text: string): string
  /** What a readable text is, for messages: “a whole number”. */
  readonly expected: string
  /** SQL that makes the field's text what `read` expects, such as the state out of `ALMENA, KS`. */
  readonly take?: (text: string) => string
  /** Texts that stand for an absent value, beside the blank. */
  readonly absent: readonly string[]
  /** The file may lack the column: the value is then absent. */
  readonly mayLack: boolean
  /** Blank stays blank rather than being a fault or NULL. */
  readonly blank?: boolean
  /** What cannot be read is null rather than a fault of the row. */
  readonly lenient?: boolean
  /** Read for others that are worked out of it, and not kept. */
  readonly hidden?: boolean
  /** Worked out of the other columns of the row rather than read: SQL. */
  readonly computed?: string
  /** Of the row that completes this one, see `completed` of the table. */
  readonly beside?: boolean
  /** One value for all rows of an edition: SQL of an aggregate over its columns; `{file}` is the name of its file. */
  readonly stamped?: string
  readonly label?: string
  readonly doc?: string
  readonly unit?: string
  /** The kind of institution that the value names. */
  readonly entity?: Entity
}

/** What an identifier names: an institution by RSSD ID, a bank by FDIC certificate, a credit union by charter number. */
export type Entity = 'institution' | 'certificate' | 'credit_union'

/** What a column may say of itself beside its heading. */
export interface Said {
  label?: string
  doc?: string
  unit?: string
  take?: (text: string) => string
  absent?: readonly string[]
}

/** For columns in which 0 stands for nothing. */
export const zeroIsNone: Said = { absent: ['0', '0.0'] }

const column = (
  headings: string,
  type: string,
  expected: string,
  read: (text: string) => string,
  { absent = [], ...said }: Said = {},
): SourceColumn => ({
  headings: headings.split('|').map((heading) => heading.trim()),
  ...{ type, expected, read, absent, nullable: false, mayLack: false },
  ...said,
})

/** `4654.0`: what a statistics package makes of a whole number. */
const withoutPoint = (text: string) =>
  `if(endsWith(${text}, '.0'), substring(${text}, 1, length(${text}) - 2), ${text})`
const withoutCommas = (text: string) => `replaceAll(${text}, ',', '')`

/** A whole number from 0 to 4,294,967,295. */
export const whole = (headings: string, said?: Said) =>
  column(headings, 'UInt32', 'a whole number', (text) => `toUInt32OrNull(${withoutPoint(text)})`, said)

/** A whole number from 0 to 255. */
export const small = (headings: string, said?: Said): SourceColumn => ({
  ...whole(headings, said),
  type: 'UInt8',
  read: (text) => `toUInt8OrNull(${withoutPoint(text)})`,
})

/** An integer of either sign. */
export const integer = (headings: string, said?: Said) =>
  column(headings, 'Int64', 'an integer', (text) => `toInt64OrNull(${withoutPoint(text)})`, said)

/** A decimal number; commas between thousands are allowed. Say the unit. */
export const decimal = (headings: string, said?: Said) =>
  column(
    headings,
    'Float64',
    'a number',
    // what ClickHouse reads is a decimal number, or one of the words for what is none, which are not finite
    (text) => {
      const number = `toFloat64OrNull(${withoutCommas(text)})`
      return `if(isFinite(${number}), ${number}, NULL)`
    },
    said,
  )

/** Money in thousands of US dollars, as most agencies write it. */
export const thousands = (headings: string, said?: Said) =>
  decimal(headings, { unit: 'thousands of US dollars', ...said })

/** Money that the publisher writes in dollars; kept in thousands. */
export const dollars = (headings: string, said?: Said): SourceColumn => {
  const base = thousands(headings, { ...said })
  const withoutSign = (text: string) => `replaceAll(${text}, '$', '')`
  return {
    ...base,
    read: (text) => `(${base.read(withoutSign(text))}) / 1000`,
    expected: 'an amount in dollars',
  }
}

/** Free text, such as a name. */
export const words = (headings: string, said?: Said) =>
  column(headings, 'String', 'text', (text) => text, said)

/** A short text that repeats, such as a state or a class. */
export const code = (headings: string, said?: Said): SourceColumn => ({
  ...words(headings, said),
  expected: 'a code',
  repeated: true,
})

/** A year from 0 to 65,535. */
export const year = (headings: string, said?: Said): SourceColumn => ({
  ...{ ...whole(headings, said), type: 'UInt16', expected: 'a year' },
  read: (text) => `toUInt16OrNull(${withoutPoint(text)})`,
})

/** Digits that are a name, as text of that length: those that lost their leading zeros (`8243`, `8243.0`) have them again. */
export const digits = (headings: string, length: number, said?: Said) =>
  words(headings, {
    ...said,
    take: (text) =>
      `if(match(${text}, '^[0-9]{1,${length}}(\\\\.0+)?$'), leftPad(extract(${text}, '^[0-9]+'), ${length}, '0'), replaceRegexpOne(${text}, '\\\\.0+$', ''))`,
  })

/** A postal code. */
export const zip = (headings: string, said?: Said) => digits(headings, 5, said)

/** A day of 1900 to 2299, checked by writing it back. */
export const day = (headings: string, said?: Said): SourceColumn => ({
  ...column(
    headings,
    'Date32',
    'a day of the calendar from 1900 to 2299',
    (iso) => `if(toString(toDate32OrNull(${iso})) = ${iso}, toDate32OrNull(${iso}), NULL)`,
    said,
  ),
  form: isoDay,
})

/** The day, and 1900-01-01 for what is older than ClickHouse's dates: where a row is worth more than its day. */
export const from1900 = (base: SourceColumn): SourceColumn => ({
  ...base,
  take: (text) => `if(match(${text}, '^1[0-8][0-9]{2}[-0-9]{4}'), '19000101', ${text})`,
})

/**
 * A day as ISO 8601 text, for what is older than ClickHouse's dates: many banks are. Before 1900 it is checked four
 * centuries later, as the calendar repeats after them.
 */
export const oldDay = (headings: string, said?: Said): SourceColumn => {
  const later = (iso: string) =>
    `if(${iso} BETWEEN '1600' AND '1900', concat(toString(toUInt16OrZero(substring(${iso}, 1, 4)) + 400), substring(${iso}, 5)), ${iso})`
  return {
    ...words(headings, said),
    expected: 'a day of the calendar from 1600 to 2299',
    read: (iso) => `if(toString(toDate32OrNull(${later(iso)})) = ${later(iso)}, ${iso}, NULL)`,
    form: isoDay,
  }
}

/** The type of a moment that datasets show: Arrow, Parquet and JSON have it alike. */
export const INSTANT = "DateTime64(3, 'UTC')"

/** A moment in UTC, to the second. */
export const moment = (headings: string, said?: Said) =>
  column(
    headings,
    'DateTime',
    'a date and a time of day',
    (text) => `parseDateTimeBestEffortOrNull(${text}, 'UTC')`,
    said,
  )

/** `Y`, `1`, `true` and their opposites; further words, in lower case, that mean the one or the other. */
export const flag = (headings: string, { yes = [], no = [], ...said }: Said & Flags = {}) => {
  const isYes = quotedAll(['1', '1.0', 'y', 'yes', 't', 'true', ...yes])
  const isNo = quotedAll(['0', '0.0', 'n', 'no', 'f', 'false', ...no])
  return column(
    headings,
    'Bool',
    'yes or no',
    (text) => `multiIf(lower(${text}) IN (${isYes}), true, lower(${text}) IN (${isNo}), false, NULL)`,
    said,
  )
}

interface Flags {
  yes?: readonly string[]
  no?: readonly string[]
}

/** Several texts in one field. @param between the characters that part them */
export const list = (headings: string, between: string, said?: Said) =>
  column(
    headings,
    'Array(String)',
    'texts',
    (text) =>
      `arrayFilter(one -> one != '', arrayMap(one -> trimBoth(one), splitByRegexp('[${between}]', ${text})))`,
    said,
  )

/** May be blank, or one of the texts that stand for “none”, or lacking in some generation of the file. */
export const optional = (base: SourceColumn, ...absent: readonly string[]): SourceColumn => ({
  ...base,
  nullable: true,
  mayLack: true,
  absent: [...base.absent, ...absent],
})

/** An identifier of an institution. 0 stands for none in many files: then it is absent. */
export const ref = (entity: Entity, headings: string, said?: Said): SourceColumn => ({
  ...whole(headings, said),
  entity,
})

/** May be blank or lacking: then the text is ''. */
export const orBlank = (base: SourceColumn): SourceColumn => ({ ...base, blank: true, mayLack: true })

/** The file must have the column, though it may be blank. */
export const inHeader = (base: SourceColumn): SourceColumn => ({ ...base, mayLack: false })

/** Absent where it cannot be read: the row is worth more than the field. */
export const orNull = (base: SourceColumn): SourceColumn => ({ ...optional(base), lenient: true })

/** Read for what is worked out of it, and not kept. */
export const hidden = (base: SourceColumn): SourceColumn => ({ ...base, hidden: true })

const made = (type: string, said: Said = {}): SourceColumn => ({
  ...column('', type, '', (text) => text, said),
  headings: [],
})

/** Worked out of other columns of the row, in SQL over their names. */
export const computed = (type: string, sql: string, said?: Said): SourceColumn => ({
  ...made(type, said),
  computed: sql,
})

/** That of the row that completes this one, see `completed` of the table. @param base the column of that row's table */
export const beside = (base: SourceColumn): SourceColumn => ({ ...base, headings: [], beside: true })

/** The same for all rows of an edition: SQL of an aggregate over its columns, with `{file}` for the file's name. */
export const stamped = (type: string, sql: string, said?: Said): SourceColumn => ({
  ...made(type, said),
  stamped: sql,
})

/** Written by the loader, and told by no file. */
export const noted = (type: string, said?: Said): SourceColumn => stamped(type, '', said)

/** The type as a table has it. */
export function columnType({ type, nullable, repeated }: SourceColumn): string {
  const value = nullable ? `Nullable(${type})` : type
  return repeated ? `LowCardinality(${value})` : value
}

/** The text in capitals. */
export const upper = (base: SourceColumn): SourceColumn => ({
  ...base,
  take: (text) => `upper(${base.take ? base.take(text) : text})`,
})

/** Headings are the same when their letters and digits are: `#ID_RSSD_PARENT`, `Bank Name` with a trailing 0xA0. */
export const bareHeading = (heading: string): string =>
  heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
