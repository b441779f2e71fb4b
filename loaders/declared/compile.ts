import { quoted } from '../../sql/quoted.ts'
import { columnType, type SourceColumn } from '../../sql/sources/columns.ts'
import type { Layout } from './header.ts'

/** How the fields of a record lie: parted by a character, or each of so many characters. */
export type Cut = string | readonly number[]

/** SQL of the number of fields of a text. To take the separators out of it costs a third of counting them. */
export const fieldsIn = (text: string, separator: string): string =>
  `length(${text}) - length(translate(${text}, ${quoted(separator)}, '')) + 1`

/** SQL of the fields of a text up to the last that is wanted, of how long the text is, and how long it is to be. */
function cutSql(cut: Cut, width: number, last: number) {
  if (typeof cut === 'string') {
    const fields = `splitByChar(${quoted(cut)}, text, ${last})`
    return { fields, width: fieldsIn('text', cut), expected: width, unit: 'fields' }
  }
  let place = 1
  const fields = cut.map((length) => {
    const field = `substringUTF8(text, ${place}, ${length})`
    place += length
    return field
  })
  return {
    ...{ fields: `[${fields.slice(0, last).join(', ')}]`, width: 'lengthUTF8(text)' },
    ...{ expected: place - 1, unit: 'characters' },
  }
}

/**
 * A SELECT of records a line each (`line, fault, text`) over what `RowBinaryWriter` writes.
 * @param overLines whether a record that comes by itself may hold line ends
 */
export const recordsSql = (from: string, overLines: boolean): string => {
  const lines = `splitByChar('\\n', text)`
  return `(SELECT toUInt32(line + nth - 1) AS line, fault, record AS text
    FROM (SELECT line, run, fault, ${overLines ? `if(run > 0, ${lines}, [text])` : lines} AS records FROM ${from})
    ARRAY JOIN records AS record, arrayEnumerate(records) AS nth WHERE run = 0 OR record != '')`
}

/**
 * A SELECT over records (`line, fault, text`): `_line`, `_fault` and `_text` of each, and its values under the names of
 * the columns. `_fault` says what is wrong with the first field that is, '' where nothing is.
 */
export function readSql({ table, fields, headings, width }: Layout, cut: Cut, from: string): string {
  const columns = Object.entries(table.columns).filter(
    ([, { stamped, beside }]) => stamped === undefined && !beside,
  )
  const read = columns.filter(([name]) => fields.has(name))
  // of a hundred fields a few may be wanted: what lies behind the last of them is counted and not cut
  const cutting = cutSql(cut, width, Math.max(1, ...fields.values()))
  const raw = (name: string, { take, absent }: SourceColumn) => {
    const field = `trimBoth(_f[${fields.get(name)!}])`
    const none = [...absent, ...(table.absent ?? [])]
    const text = none.length === 0 ? field : `if(${field} IN (${none.map(quoted).join(', ')}), '', ${field})`
    return `${take ? take(text) : text} AS _r_${name}`
  }
  const value = (name: string, column: SourceColumn) =>
    `if(_r_${name} = '', ${column.blank ? defaultOf(column) : 'NULL'}, ${column.read(column.form ? `_n_${name}` : `_r_${name}`)}) AS _v_${name}`
  const formed = read.flatMap(([name, { form }]) => (form ? [`${form(`_r_${name}`)} AS _n_${name}`] : []))
  const faults = [
    ["_text_fault != ''", '_text_fault'],
    [
      `_width != ${cutting.expected}`,
      `concat(toString(_width), ${quoted(` ${cutting.unit} where ${cutting.expected} are expected`)})`,
    ],
    ...read.flatMap(([name, column]) => faultOf(name, column, headings.get(name)!)),
  ] as const
  const final = columns.map(([name, column]) => {
    if (column.computed !== undefined)
      return `CAST(${column.computed}, ${quoted(columnType(column))}) AS ${name}`
    if (!fields.has(name)) return `${absentOf(column)} AS ${name}`
    return column.nullable || column.blank
      ? `_v_${name} AS ${name}`
      : `${assumed(column, `_v_${name}`)} AS ${name}`
  })
  const checks = Object.entries(table.checks ?? {}).map(
    ([condition, fault]) => [`NOT (${condition})`, fault] as const,
  )
  const checked =
    checks.length === 0 ? '*' : `* REPLACE (${firstOf([["_fault != ''", '_fault'], ...checks])} AS _fault)`
  return `SELECT ${checked} FROM (
SELECT _line, _fault, _text, ${final.join(', ')}
FROM (
  SELECT *, ${firstOf(faults)} AS _fault
  FROM (
    SELECT _line, _text_fault, _text, _width, ${read.map(([name]) => `_r_${name}`).join(', ')},
      ${read.map(([name, column]) => value(name, column)).join(',\n      ')}
    FROM (SELECT ${['*', ...formed].join(', ')} FROM (
      SELECT line AS _line, fault AS _text_fault, text AS _text, ${cutting.fields} AS _f,
        ${cutting.width} AS _width,
        ${read.map(([name, column]) => raw(name, column)).join(',\n        ')}
      FROM ${from}
    ))
  )
))`
}

/** A value that is there where the row has no fault; of a row that has one, whatever the type has. */
const assumed = ({ type }: SourceColumn, value: string): string =>
  type === 'String' ? `ifNull(${value}, '')` : `assumeNotNull(${value})`

const defaultOf = ({ type }: SourceColumn): string => `defaultValueOfTypeName(${quoted(type)})`

const absentOf = (column: SourceColumn): string =>
  column.nullable ? `CAST(NULL, ${quoted(`Nullable(${column.type})`)})` : defaultOf(column)

type Fault = readonly [condition: string, what: string]

/**
 * SQL of the first fault of a row, '' where there is none. All conditions are looked at first: words are only put together
 * for the rows that have a fault, where a list of conditions costs several times as much for every row.
 */
const firstOf = (faults: readonly Fault[]): string =>
  `if(${faults.map(([condition]) => `(${condition})`).join(' + ')} = 0, '', multiIf(${faults.flat().join(',\n    ')}, ''))`

function faultOf(name: string, column: SourceColumn, heading: string): Fault[] {
  const { nullable, expected, headings, blank, lenient } = column
  if (lenient) return []
  const where = quoted(heading || headings[0]!)
  const shown = `concat(${where}, ' is “', substringUTF8(_r_${name}, 1, 100), '”, expected ', ${quoted(expected)})`
  const unreadable: Fault = [`bitAnd(_r_${name} != '', isNull(_v_${name}))`, shown]
  if (nullable || blank) return [unreadable]
  return [[`_r_${name} = ''`, `concat(${where}, ' is blank, expected ', ${quoted(expected)})`], unreadable]
}
