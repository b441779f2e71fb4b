/** How a file of columns is made out of what the engine answers with. */
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { ColumnSpec } from '../table.ts'
import {
  type ColumnFile,
  type ColumnIndex,
  endOfColumns,
  lookInto,
  MOST_ROWS,
  type StoredColumn,
} from './column-file.ts'
import { written } from './disk.ts'
import { type Codes, nativeColumns } from './native.ts'

/** So many columns are asked for at once: those of a year take some 10 MB. */
const AT_ONCE = 48

/** What the engine is to tell of a column. */
export const storedSql = ({ name, kind }: ColumnSpec): string =>
  kind === 'text'
    ? `CAST(${name}, 'Nullable(String)')`
    : kind === 'date'
      ? `toFloat64(toYYYYMMDD(${name}))`
      : `ifNull(toFloat64(${name}), nan)`

export interface Writing {
  /** 64 hex digits, which say what the file is made of. */
  readonly name: string
  readonly order: ColumnIndex['order']
  /** Those of the order and others. */
  readonly columns: readonly ColumnSpec[]
  /** What the engine tells of some columns, in the format Native: rows in the order of the file. */
  readonly read: (columns: readonly ColumnSpec[]) => Promise<Buffer>
}

export const writeColumns = (path: string, writing: Writing): Promise<ColumnFile> =>
  written(path, (handle) => write(handle, writing))

async function write(handle: FileHandle, { name, order, columns, read }: Writing): Promise<ColumnFile> {
  const [by] = nativeColumns(await read(columns.filter((one) => one.name === order[0])))
  const runs = runsOf(by as Codes)
  const rows = (by as Codes).codes.length
  const crcs = new Uint32Array(columns.length * runs.length)
  const stored: StoredColumn[] = []
  let size = 0
  const put = async (bytes: Buffer): Promise<number> => {
    const at = size
    size += bytes.length
    await handle.appendFile(bytes)
    return at
  }
  for (let first = 0; first < columns.length; first += AT_ONCE) {
    const group = columns.slice(first, first + AT_ONCE)
    const values = nativeColumns(await read(group))
    for (const [n, { name }] of group.entries()) {
      const column = values[n]!
      const numbers = 'codes' in column ? column.codes : column
      if (numbers.length !== rows) throw new Error(`${name} has ${numbers.length} rows, expected ${rows}`)
      const bytes = Buffer.from(numbers.buffer)
      const width = numbers.BYTES_PER_ELEMENT
      let row = 0
      for (const [run, { rows }] of runs.entries()) {
        crcs[(first + n) * runs.length + run] = crc32(bytes.subarray(row * width, (row + rows) * width))
        row += rows
      }
      const at = await put(bytes)
      if ('codes' in column) {
        const json = Buffer.from(JSON.stringify(column.texts))
        stored.push({ name, at, texts: { at: await put(json), length: json.length, crc: crc32(json) } })
      } else stored.push({ name, at })
    }
  }
  await put(endOfColumns(name, { rows, size, order, runs, columns: stored }, crcs))
  return lookInto(handle, size, name)
}

function runsOf({ codes, texts }: Codes): { text: string | null; rows: number }[] {
  if (codes.length > MOST_ROWS) throw new Error(`${codes.length} rows are more than a file has`)
  const runs: { text: string | null; rows: number }[] = []
  for (const [row, code] of codes.entries()) {
    if (row === 0 || code !== codes[row - 1]) runs.push({ text: texts[code]!, rows: 0 })
    runs.at(-1)!.rows++
  }
  if (runs.length !== texts.length) throw new Error('the engine answered with rows in another order')
  return runs
}
