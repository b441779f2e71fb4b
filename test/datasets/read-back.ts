/** Reads every format of an answer into rows of plain values, so that the formats can be compared. */
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
