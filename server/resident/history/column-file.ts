/**
 * A file with all columns of a universe over a year, each in one piece: what a panel asks for is read as it lies there.
 * The rows are in the order of a column that many panels choose by (the state of banks), then of quarter and number; those of
 * one value of it are a run. First the columns: numbers as 64-bit floats, NaN for null, dates with the digits of their ISO
 * spelling, texts as 32-bit codes with the different texts in JSON behind them. Then a CRC-32 of each run of each column, the
 * index in JSON, and the tail. It never changes.
 */
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { firstAfter } from '../../../sql/ascending.ts'
import { DiskFile, endOf, opened, readAt, WrongFile } from './disk.ts'

/** The name, as hex digits, begins the tail; then come bytes of the index, of all after the columns, and a CRC-32 of that. */
const NAME_BYTES = 64
const TAIL_BYTES = NAME_BYTES + 12
/** A file has fewer rows: with an institution's number that of a row is an exact integer. */
export const MOST_ROWS = 2 ** 21

export const NUMBER_BYTES = 8
const CODE_BYTES = 4

export interface StoredColumn {
  readonly name: string
  /** Where its values begin. */
  readonly at: number
  /** Of a column of texts: where these are. */
  readonly texts?: { readonly at: number; readonly length: number; readonly crc: number }
}

export interface ColumnIndex {
  readonly rows: number
  /** Bytes of the columns. */
  readonly size: number
  /** Columns of the file's order: the one that has runs, the institution's number, the quarter. */
  readonly order: readonly [string, string, string]
  readonly runs: readonly { readonly text: string | null; readonly rows: number }[]
  readonly columns: readonly StoredColumn[]
}

/** Rows one after the other, and which of those that are read the first one is. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly at: number
}

/** Of each row by its rank, its place by quarter and number: what every panel looks at. */
export interface Ranked {
  readonly rows: Uint32Array
  readonly runs: Uint32Array
  readonly ids: Uint32Array
  readonly dates: Uint32Array
  /** Ascending: the ranks of each quarter follow each other. */
  readonly quarters: readonly { readonly date: number; readonly from: number; readonly to: number }[]
}

/** A column of an open file. */
export interface OpenColumn {
  readonly number: number
  readonly at: number
  /** Bytes of a value. */
  readonly width: number
  /** Where its texts are, and they themselves once they were asked for. */
  readonly stored: StoredColumn['texts']
  texts: readonly (string | null)[] | undefined
  /** Runs that were not compared with their checksums yet. */
  unchecked: number
}

export class ColumnFile extends DiskFile {
  readonly rows: number
  /** All of them. */
  readonly all: readonly Stretch[]
  readonly order: ColumnIndex['order']
  /** The value that the rows of each run have. */
  readonly runTexts: readonly (string | null)[]
  /** Where each run begins, and where the last one ends. */
  readonly runStarts: Uint32Array
  readonly #columns: ReadonlyMap<string, OpenColumn>
  readonly #crcs: Uint32Array
  /** Which runs of which columns were found as they were written: looked at when they are first read. */
  readonly #checked: Uint8Array
  #ranked: Ranked | undefined

  constructor(handle: FileHandle, { rows, order, runs, columns }: ColumnIndex, crcs: Uint32Array) {
    super(handle)
    this.rows = rows
    this.all = [{ from: 0, to: rows, at: 0 }]
    this.order = order
    this.runTexts = runs.map(({ text }) => text)
    this.runStarts = new Uint32Array(runs.length + 1)
    for (const [run, { rows }] of runs.entries()) this.runStarts[run + 1] = this.runStarts[run]! + rows
    this.#columns = new Map(
      columns.map(({ name, at, texts }, number) => [
        name,
        {
          ...{ number, at, width: texts ? CODE_BYTES : NUMBER_BYTES, unchecked: runs.length },
          ...{ stored: texts, texts: undefined },
        },
      ]),
    )
    this.#crcs = crcs
    this.#checked = new Uint8Array(columns.length * runs.length)
  }

  get ranked(): Ranked {
    return this.#ranked!
  }

  column(name: string): OpenColumn {
    return this.#columns.get(name)!
  }

  /**
   * Reads the values of some rows of a column, those of each stretch to its place.
   * @returns undefined where that is done already
   * @throws Error where the disk fails or the values are others, as the promise does
   */
  read(column: OpenColumn, stretches: readonly Stretch[], into: Buffer): Promise<void> | undefined {
    if (column.unchecked > 0 && stretches.some((one) => this.#isUnchecked(column, one)))
      return this.#readAndCheck(column, stretches, into)
    const { at: place, width } = column
    let reading: Promise<void>[] | undefined
    for (const { from, to, at } of stretches) {
      const wait = readAt(this.fd, into, at * width, (to - from) * width, place + from * width)
      if (wait) {
        reading ??= []
        reading.push(wait)
      }
    }
    return reading && allOf(reading)
  }

  /** Reads whole runs, so that what was never read is compared with its checksum. */
  async #readAndCheck(column: OpenColumn, stretches: readonly Stretch[], into: Buffer): Promise<void> {
    const { number, at: place, width } = column
    const { runStarts } = this
    const runs = this.runTexts.length
    for (const stretch of stretches) {
      const { from, to, at } = stretch
      await readAt(this.fd, into, at * width, (to - from) * width, place + from * width)
      for (const run of this.#runsOf(stretch)) {
        const [begin, end] = [runStarts[run]!, runStarts[run + 1]!]
        const known = number * runs + run
        if (this.#checked[known] === 1) continue
        let bytes = into.subarray((at + begin - from) * width, (at + end - from) * width)
        if (begin < from || end > to) {
          bytes = Buffer.allocUnsafeSlow((end - begin) * width)
          await readAt(this.fd, bytes, 0, bytes.length, place + begin * width)
        }
        if (crc32(bytes) !== this.#crcs[known])
          throw new WrongFile('the checksum of its values is another one')
        // another request may have been as quick
        if (this.#checked[known] === 0) column.unchecked--
        this.#checked[known] = 1
      }
    }
  }

  #isUnchecked({ number }: OpenColumn, stretch: Stretch): boolean {
    const first = number * this.runTexts.length
    for (const run of this.#runsOf(stretch)) if (this.#checked[first + run] === 0) return true
    return false
  }

  /** The runs that rows of a stretch are of. */
  *#runsOf({ from, to }: Stretch): Generator<number> {
    const { runStarts } = this
    for (let run = firstAfter(runStarts, from) - 1; runStarts[run]! < to; run++) yield run
  }

  /** The different texts of a column, by their codes: read once. */
  async readTexts(column: OpenColumn): Promise<readonly (string | null)[]> {
    const { at, length, crc } = column.stored!
    const bytes = Buffer.allocUnsafe(length)
    await readAt(this.fd, bytes, 0, length, at)
    if (crc32(bytes) !== crc) throw new WrongFile('the checksum of its texts is another one')
    column.texts ??= JSON.parse(bytes.toString()) as (string | null)[]
    return column.texts
  }

  /** Finds the place of each row by quarter and number. */
  async rank(): Promise<void> {
    const { rows, all, order, runStarts } = this
    const [ids, dates] = [new Float64Array(rows), new Float64Array(rows)]
    await this.read(this.column(order[1]), all, Buffer.from(ids.buffer))
    await this.read(this.column(order[2]), all, Buffer.from(dates.buffer))
    const runOf = new Uint32Array(rows)
    for (let run = 0; run < this.runTexts.length; run++) runOf.fill(run, runStarts[run], runStarts[run + 1])
    const ranked = new Uint32Array(rows)
    const quarters: { date: number; from: number; to: number }[] = []
    for (const date of [...new Set(dates)].sort((a, b) => a - b)) {
      const from = quarters.at(-1)?.to ?? 0
      const keys: number[] = []
      for (let row = 0; row < rows; row++) if (dates[row] === date) keys.push(ids[row]! * MOST_ROWS + row)
      ranked.set(
        Float64Array.from(keys)
          .sort()
          .map((key) => key % MOST_ROWS),
        from,
      )
      quarters.push({ date, from, to: from + keys.length })
    }
    this.#ranked = {
      rows: ranked,
      runs: ranked.map((row) => runOf[row]!),
      ids: ranked.map((row) => ids[row]!),
      dates: ranked.map((row) => dates[row]!),
      quarters,
    }
  }
}

/** All have ended before what they read into is used again. */
async function allOf(reading: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(reading)).find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

/** What follows the columns. @param crcs of each run of each column */
export function endOfColumns(name: string, index: ColumnIndex, crcs: Uint32Array): Buffer {
  const json = Buffer.from(JSON.stringify(index))
  const tail = Buffer.alloc(TAIL_BYTES)
  const end = Buffer.concat([Buffer.from(crcs.buffer), json, tail])
  const at = end.length - TAIL_BYTES
  end.write(name, at, 'latin1')
  end.writeUInt32LE(json.length, at + NAME_BYTES)
  end.writeUInt32LE(end.length, at + NAME_BYTES + 4)
  end.writeUInt32LE(crc32(end.subarray(0, -4)), end.length - 4)
  return end
}

/**
 * Opens a file.
 * @returns undefined where there is none
 * @throws WrongFile where it is torn or another one
 */
export const openColumns = (path: string, name: string): Promise<ColumnFile | undefined> =>
  opened(path, (handle, size) => lookInto(handle, size, name))

/** @throws WrongFile where it is torn or another one */
export async function lookInto(handle: FileHandle, size: number, name: string): Promise<ColumnFile> {
  const tail = await endOf(handle, size, TAIL_BYTES)
  if (tail.toString('latin1', 0, NAME_BYTES) !== name) throw new WrongFile('it is torn, or another one')
  const end = await endOf(handle, size, Math.max(TAIL_BYTES, tail.readUInt32LE(NAME_BYTES + 4)))
  if (crc32(end.subarray(0, -4)) !== end.readUInt32LE(end.length - 4))
    throw new WrongFile('its checksum is another one')
  const json = end.length - TAIL_BYTES - tail.readUInt32LE(NAME_BYTES)
  const index = JSON.parse(end.toString('utf8', json, end.length - TAIL_BYTES)) as ColumnIndex
  if (index.size + end.length !== size) throw new WrongFile('it has another length')
  const file = new ColumnFile(handle, index, new Uint32Array(end.buffer.slice(0, json)))
  await file.rank()
  return file
}
