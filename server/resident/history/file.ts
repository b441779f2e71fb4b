/**
 * A file with all metrics of the institutions of a universe over some years, the rows of each together: a series is one
 * read a file. First the rows as the engine wrote them (`rowsSql` of rows.ts), by institution and quarter; then the
 * institutions' numbers, where the rows of each begin and where the last ones end, and a CRC-32 of the rows of each; then
 * the tail. It never changes.
 */
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { firstFrom } from '../sorted.ts'
import { DiskFile, endOf, opened, readAt, WrongFile, written } from './disk.ts'
import { rowAt } from './rows.ts'

/** The name, as hex digits, begins the tail; then come the number of institutions and a CRC-32 of all that follows the rows. */
const NAME_BYTES = 64
const TAIL_BYTES = NAME_BYTES + 8
/** Places in a file are of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1

interface Index {
  /** Ascending. */
  readonly ids: Uint32Array
  /** One more than there are institutions. */
  readonly starts: Uint32Array
  readonly crcs: Uint32Array
}

export class HistoryFile extends DiskFile {
  readonly #index: Index
  /** Which institutions' rows were found as they were written: looked at when they are first read. */
  readonly #checked: Uint8Array

  constructor(handle: FileHandle, index: Index) {
    super(handle)
    this.#index = index
    this.#checked = new Uint8Array(index.ids.length)
  }

  /** Which of the institutions one is; undefined where it has no rows. */
  find(id: number): number | undefined {
    const { ids } = this.#index
    const found = firstFrom(ids, id)
    return ids[found] === id ? found : undefined
  }

  /** Bytes of the rows of an institution. */
  sizeOf(found: number): number {
    const { starts } = this.#index
    return starts[found + 1]! - starts[found]!
  }

  /** Reads the rows of an institution. @throws Error where it was dropped, the disk fails, or the rows are others */
  async read(found: number, into: Buffer): Promise<void> {
    const { starts, crcs } = this.#index
    const leave = this.hold()
    try {
      await readAt(this.fd, into, 0, into.length, starts[found]!)
      if (this.#checked[found] === 1) return
      if (crc32(into) !== crcs[found]) throw new WrongFile('the checksum of its rows is another one')
      this.#checked[found] = 1
    } finally {
      leave()
    }
  }
}

/**
 * Writes a file out of what the engine answers with.
 * @param name 64 hex digits, which say what it is made of
 * @param columns values of a row
 */
export function writeHistory(
  path: string,
  name: string,
  rows: AsyncIterable<Buffer>,
  columns: number,
): Promise<HistoryFile> {
  return written(path, async (handle) => {
    const writer = new Writer(handle)
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of rows) rest = await writer.rows(Buffer.concat([rest, chunk]), columns)
    if (rest.length > 0) throw new Error('the engine answered with a row that is not whole')
    return new HistoryFile(handle, await writer.finish(name))
  })
}

class Writer {
  readonly #handle: FileHandle
  readonly #ids: number[] = []
  readonly #starts: number[] = []
  readonly #crcs: number[] = []
  #size = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Writes the rows that are whole. @returns the rest */
  async rows(bytes: Buffer, columns: number): Promise<Buffer> {
    let at = 0
    let unsummed = 0
    const sum = (): void => {
      const last = this.#crcs.length - 1
      if (last >= 0) this.#crcs[last] = crc32(bytes.subarray(unsummed, at), this.#crcs[last])
      unsummed = at
    }
    for (let row = rowAt(bytes, at, columns); row; row = rowAt(bytes, at, columns)) {
      if (row.id !== this.#ids.at(-1)) {
        sum()
        this.#ids.push(row.id)
        this.#starts.push(this.#size + at)
        this.#crcs.push(0)
      }
      at = row.next
    }
    sum()
    await this.#write(bytes.subarray(0, at))
    return bytes.subarray(at)
  }

  async finish(name: string): Promise<Index> {
    const ids = Uint32Array.from(this.#ids)
    const starts = Uint32Array.from([...this.#starts, this.#size])
    const crcs = Uint32Array.from(this.#crcs)
    const tail = Buffer.alloc(TAIL_BYTES)
    tail.write(name, 'latin1')
    tail.writeUInt32LE(ids.length, NAME_BYTES)
    const end = Buffer.concat([...[ids, starts, crcs].map(({ buffer }) => Buffer.from(buffer)), tail])
    end.writeUInt32LE(crc32(end.subarray(0, -4)), end.length - 4)
    await this.#write(end)
    return { ids, starts, crcs }
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#size + bytes.length > MOST_BYTES) throw new Error('the file would be longer than 4 GiB')
    await this.#handle.appendFile(bytes)
    this.#size += bytes.length
  }
}

/**
 * Opens a file.
 * @returns undefined where there is none
 * @throws WrongFile where it is torn or another one
 */
export const openHistory = (path: string, name: string): Promise<HistoryFile | undefined> =>
  opened(path, async (handle, size) => {
    const tail = await endOf(handle, size, TAIL_BYTES)
    if (tail.toString('latin1', 0, NAME_BYTES) !== name) throw new WrongFile('it is torn, or another one')
    const count = tail.readUInt32LE(NAME_BYTES)
    const end = await endOf(handle, size, count * 12 + 4 + TAIL_BYTES)
    if (crc32(end.subarray(0, -4)) !== end.readUInt32LE(end.length - 4))
      throw new WrongFile('its checksum is another one')
    const numbers = new Uint32Array(end.buffer, 0, count * 3 + 1)
    const starts = numbers.subarray(count, count * 2 + 1)
    if (starts[count] !== size - end.length) throw new WrongFile('it has another length')
    return new HistoryFile(handle, {
      ids: numbers.subarray(0, count),
      starts,
      crcs: numbers.subarray(count * 2 + 1),
    })
  })
