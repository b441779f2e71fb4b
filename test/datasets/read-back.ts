/** Reads every format of an answer into rows of plain values, so that the formats can be compared. */
import { read as readWorkbook, utils } from '@e965/xlsx'
import { Type, tableFromIPC } from 'apache-arrow'
import { parse as parseCsv } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

export type Row = Record<string, unknown>

export function fromJson(body: Buffer): Row[] {
  const { data } = JSON.parse(body.toString()) as { data: Row | Row[] }
  return Array.isArray(data) ? data : [data]
}

export function fromColumns(body: Buffer): Row[] {
  const { data } = JSON.parse(body.toString()) as { data: Record<string, unknown[]> }
  const names = Object.keys(data)
  const count = data[names[0]!]!.length
  for (const name of names)
    if (data[name]!.length !== count) throw new Error(`${name}: ${data[name]!.length}, not ${count}`)
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(names.map((name) => [name, data[name]![at]])),
  )
}

export const fromNdjson = (body: Buffer): Row[] =>
  body
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** CSV knows no types: its texts, with the empty one as null. */
export function fromCsv(body: Buffer): Row[] {
  const rows = parseCsv(body, { columns: true, bom: true }) as Record<string, string>[]
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, text === '' ? null : text])),
  )
}

export function fromArrow(body: Buffer): Row[] {
  const table = tableFromIPC(body)
  return Array.from({ length: table.numRows }, (_, at) =>
    Object.fromEntries(
      table.schema.fields.map(({ name, type }) => [name, plain(table.getChild(name)!.get(at), type.typeId)]),
    ),
  )
}

export async function fromParquet(body: Buffer): Promise<Row[]> {
  const file = body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) as ArrayBuffer
  const rows = await parquetReadObjects({ file, compressors })
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
  )
}

const DAY = 86_400_000
/** What a cell says, by the type that the second sheet says of its column. */
const fromCell: Readonly<Record<string, (value: unknown) => unknown>> = {
  Date: (value) => (typeof value === 'number' ? isoOfSerial(value).slice(0, 10) : value),
  Date32: (value) => (typeof value === 'number' ? isoOfSerial(value).slice(0, 10) : value),
  DateTime: (value) => isoOfSerial(value as number).replace('.000Z', 'Z'),
  'DateTime64(3)': (value) => isoOfSerial(value as number),
  'Array(String)': (value) => JSON.parse(value as string),
  'Array(UInt32)': (value) => JSON.parse(value as string),
  'Array(Float64)': (value) => JSON.parse(value as string),
}

const isoOfSerial = (days: number): string => new Date(Math.round((days - 25_569) * DAY)).toISOString()

/** The sheets of a workbook as rows of values; a cell that is empty is null. */
export function sheets(body: Buffer): Record<string, unknown[][]> {
  const book = readWorkbook(body, { dense: true })
  return Object.fromEntries(
    book.SheetNames.map((name) => [
      name,
      utils.sheet_to_json(book.Sheets[name]!, { header: 1, defval: null, blankrows: true, raw: true }),
    ]),
  )
}

export function fromXlsx(body: Buffer): Row[] {
  const { Data, About } = sheets(body)
  const [, , names, ...rows] = Data as [unknown, unknown, string[], ...unknown[][]]
  const described = About!.slice(About!.findIndex(([first]) => first === 'column') + 1)
  const types = new Map(described.map(([name, , , type]) => [name, type as string]))
  return rows.map((row) =>
    Object.fromEntries(
      names.map((name, at) => {
        const value = row[at] ?? null
        return [name, value === null ? null : (fromCell[types.get(name)!]?.(value) ?? value)]
      }),
    ),
  )
}

/** Dates as ISO 8601, big integers as numbers, lists as arrays. */
function plain(value: unknown, arrowType?: Type): unknown {
  if (value === null || value === undefined) return null
  if (arrowType === Type.Date) return new Date(Number(value)).toISOString().slice(0, 10)
  if (arrowType === Type.Timestamp) return new Date(Number(value)).toISOString()
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'object' && Symbol.iterator in value)
    return Array.from(value as Iterable<unknown>, (one) => plain(one))
  return value
}
