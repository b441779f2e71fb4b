/** The rows of an answer as rows of a worksheet: each value a cell of its type, written by ClickHouse. */
import type { Column, ColumnType } from '../catalog/columns.ts'
import { style } from '../formats/xlsx.ts'

/** Characters of a cell (Excel, "specifications and limits"); a longer text is cut, and ends with "…". */
const LONGEST_TEXT = 32_767
/** The largest whole number that a cell, which is a double, holds without loss. */
const LARGEST_NUMBER = 2 ** 53
/** Days from the epoch of a sheet to 1970. Sheets believe that there was a 29 February 1900: earlier days are texts. */
const EPOCH = 25_569
const FIRST_DAY = '1900-03-01'

/** What XML cannot hold, and what it would change: a carriage return. */
const FORBIDDEN = "'[\\\\x00-\\\\x08\\\\x0b-\\\\x1f]'"
const ABSENT = "'<c/>'"

/** Text as XML may hold it; `_xHHHH_` stands for what it may not, and so `_` before what looks like that is one too. */
function escaped(sql: string): string {
  // what is used more than once has a name: the text of a query has a bound
  const [valid, plain] = [`_valid_${sql.replace(/\W/g, '')}`, `_plain_${sql.replace(/\W/g, '')}`]
  return `encodeXMLComponent(if(match((replaceRegexpAll(if(lengthUTF8((
    replaceRegexpAll(toValidUTF8(${sql}), '[\\\\x{FFFE}\\\\x{FFFF}]', '\u{FFFD}') AS ${valid})) > ${LONGEST_TEXT},
    concat(substringUTF8(${valid}, 1, ${LONGEST_TEXT - 1}), '…'), ${valid}), '_(x[0-9A-Fa-f]{4})', '_x005F_\\\\1') AS ${plain}), ${FORBIDDEN}),
    arrayStringConcat(arrayMap(c -> if(match(c, ${FORBIDDEN}), concat('_x00', hex(c), '_'), c), extractAll(${plain}, '(?s).'))), ${plain}))`
}

const number = (sql: string): string => `concat('<c><v>', toString(${sql}), '</v></c>')`
const text = (sql: string): string =>
  `concat('<c s="${style.text}" t="inlineStr"><is><t xml:space="preserve">', ${escaped(sql)}, '</t></is></c>')`
const styled = (format: number, serial: string): string =>
  `concat('<c s="${format}"><v>', toString(${serial}), '</v></c>')`
const large = (sql: string): string =>
  `if(abs(${sql}) <= ${LARGEST_NUMBER}, ${number(sql)}, ${text(`toString(${sql})`)})`
const day = (sql: string): string =>
  `if(${sql} >= toDate32('${FIRST_DAY}'), ${styled(style.date, `toInt32(${sql}) + ${EPOCH}`)}, ${text(`toString(${sql})`)})`
const list = (sql: string): string => text(`toJSONString(${sql})`)

const cells: Readonly<Partial<Record<ColumnType, (sql: string) => string>>> = {
  Bool: (sql) => `concat('<c t="b"><v>', toString(toUInt8(${sql})), '</v></c>')`,
  Date: day,
  Date32: day,
  DateTime: (sql) => styled(style.instant, `toUnixTimestamp(${sql}) / 86400 + ${EPOCH}`),
  'DateTime64(3)': (sql) => styled(style.instant, `toUnixTimestamp64Milli(${sql}) / 86400000 + ${EPOCH}`),
  Float64: (sql) => `if(isFinite(${sql}), ${number(sql)}, ${ABSENT})`,
  Int32: number,
  UInt8: number,
  UInt16: number,
  UInt32: number,
  Int64: large,
  UInt64: large,
  'Array(String)': list,
  'Array(UInt32)': list,
  'Array(Float64)': list,
}

/** The rows as cells; one that is absent is an empty cell. */
export function asCells(columns: readonly Column[], rows: string): string {
  const list = columns.map(({ name, type }) => {
    const written = (cells[type] ?? ((sql: string) => text(`toString(${sql})`)))(name)
    return `ifNull(${written}, ${ABSENT})`
  })
  return `SELECT ${list.join(', ')} FROM (${rows})`
}
