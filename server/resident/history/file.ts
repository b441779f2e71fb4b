/**
 * A file with all metrics of the institutions of a universe over some years, the rows of each together: a series is one
 * read a file. First the rows as the engine wrote them (`rowsSql` of rows.ts), by institution and quarter; then the
 * institutions' numbers, where the rows of each begin and where the last ones end, and a CRC-32 of the rows of each; then
 * the tail. It never changes.
 */
import { randomUUID } from 'node:crypto'
import { read, readSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { firstFrom } from '../sorted.ts'
import { rowAt } from './rows.ts'

/** What is not whole: it is written with this ending, and renamed. */
export const UNFINISHED = '.new'

/** The name, as hex digits, begins the tail; then come the number of institutions and a CRC-32 of all that follows the rows. */
const NAME_BYTES = 64
const TAIL_BYTES = NAME_BYTES + 8
/** Places in a file are of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1

/**
 * What the system holds in memory is read at once: through Node's threads it costs five times as much. After a read that
 * took longer than this, the disk's, reads are left to the threads for a while, so that the disk holds up nobody else.
 */
const AT_ONCE_MS = 2
const APART_MS = 1_000
let apartUntil = 0

/** A file is torn, or it is another one. */
export class WrongFile extends Error {}

interface Index {
  /** Ascending. */
  readonly ids: Uint32Array
  /** One more than there are institutions. */
  readonly starts: Uint32Array
  readonly crcs: Uint32Array
}

export class HistoryFile {
  readonly #handle: FileHandle
  readonly #index: Index
  /** Which institutions' rows were found as they were written: looked at when they are first read. */
  readonly #checked: Uint8Array
  #readers = 0
  #dropped = false

  constructor(handle: FileHandle, index: Index) {
    this.#handle = handle
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
    if (this.#dropped) throw new Error('the file was dropped')
    const { starts, crcs } = this.#index
    this.#readers++
    try {
      const began = performance.now()
      if (began < apartUntil) await readWhole(this.#handle.fd, into, starts[found]!)
      else {
        readAtOnce(this.#handle.fd, into, starts[found]!)
        const now = performance.now()
        if (now - began > AT_ONCE_MS) apartUntil = now + APART_MS
      }
      if (this.#checked[found] === 1) return
      if (crc32(into) !== crcs[found]) throw new WrongFile('the checksum of its rows is another one')
      this.#checked[found] = 1
    } finally {
      this.#readers--
      this.#closeIfFree()
    }
  }

  /** No read begins any more; those under way end. */
  drop(): void {
    if (this.#dropped) return
    this.#dropped = true
    this.#closeIfFree()
  }

  #closeIfFree(): void {
    if (this.#dropped && this.#readers === 0) this.#handle.close().catch(() => {})
  }
}

function readAtOnce(fd: number, into: Buffer, place: number): void {
  for (let at = 0; at < into.length; ) {
    const bytes = readSync(fd, into, at, into.length - at, place + at)
    if (bytes === 0) throw new WrongFile('it ends early')
    at += bytes
  }
}

/** Fewer calls and promises than a FileHandle's own. */
function readWhole(fd: number, into: Buffer, place: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const from = (at: number): void => {
      read(fd, into, at, into.length - at, place + at, (error, bytes) => {
        if (error) reject(error)
        else if (at + bytes === into.length) resolve()
        else if (bytes === 0) reject(new WrongFile('it ends early'))
        else from(at + bytes)
      })
    }
    from(0)
  })
}

/**
 * Writes a file out of what the engine answers with. Nothing stands under the name before it is whole and on the disk.
 * @param name 64 hex digits, which say what it is made of
 * @param columns values of a row
 */
export async function writeHistory(
  path: string,
  name: string,
  rows: AsyncIterable<Buffer>,
  columns: number,
): Promise<HistoryFile> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
  const handle = await open(unfinished, 'wx+', 0o600)
  try {
    const writer = new Writer(handle)
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of rows) rest = await writer.rows(Buffer.concat([rest, chunk]), columns)
    if (rest.length > 0) throw new Error('the engine answered with a row that is not whole')
    const index = await writer.finish(name)
    await handle.sync()
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return new HistoryFile(handle, index)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
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
export async function openHistory(path: string, name: string): Promise<HistoryFile | undefined> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!handle) return undefined
  try {
    return await checked(handle, name)
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

async function checked(handle: FileHandle, name: string): Promise<HistoryFile> {
  const { size } = await handle.stat()
  const last = async (length: number): Promise<Buffer> => {
    if (length > size) throw new WrongFile('it is too short')
    const into = Buffer.allocUnsafeSlow(length)
    await readWhole(handle.fd, into, size - length)
    return into
  }
  const tail = await last(TAIL_BYTES)
  if (tail.toString('latin1', 0, NAME_BYTES) !== name) throw new WrongFile('it is torn, or another one')
  const count = tail.readUInt32LE(NAME_BYTES)
  const end = await last(count * 12 + 4 + TAIL_BYTES)
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
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
