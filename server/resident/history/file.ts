/**
 * A file with all metrics of the institutions of a universe over some years. The values of an institution lie together, column
 * after column, as the engine wrote them (rows.ts): a series reads the columns that it is of. Behind them are the
 * institutions' numbers, where the values of each begin and where the last ones end, and a CRC-32 of the head of each; then the
 * tail. It never changes.
 */
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { firstFrom } from '../../../sql/ascending.ts'
import { DiskFile, opened, readAt, type Scratch, WrongFile, written } from './disk.ts'
import { type Columns, columnIn, headBytes, rowAt, turned } from './rows.ts'
import { sealed, unsealed } from './sealed.ts'

/** Places in a file are of 32 bits. */
const MOST_BYTES = 2 ** 32 - 1
/** An institution of so few bytes is read at once; of another one so many behind its head, which hold number and quarter. */
const READ_WHOLE = 64 * 1024
const READ_AHEAD = 4 * 1024
/** To read so many bytes that nobody wants costs as much as another read. */
const GAP = 8 * 1024
/** Written at a time. */
const WRITTEN = 2 ** 20

interface Index {
  /** Ascending. */
  readonly ids: Uint32Array
  /** One more than there are institutions. */
  readonly starts: Uint32Array
  readonly crcs: Uint32Array
}

/** Bytes of an institution, from a place within it. */
interface Piece {
  readonly from: number
  readonly bytes: Buffer
}

export class HistoryFile extends DiskFile {
  readonly #index: Index
  readonly #columns: number

  constructor(handle: FileHandle, index: Index, columns: number) {
    super(handle)
    this.#index = index
    this.#columns = columns
  }

  /** Which of the institutions one is; undefined where it has no rows. */
  find(id: number): number | undefined {
    const { ids } = this.#index
    const found = firstFrom(ids, id)
    return ids[found] === id ? found : undefined
  }

  /**
   * Reads columns of an institution. @param scratch memory for them
   * @throws Error where it was dropped, the disk fails, or the values are others
   */
  async read(found: number, columns: readonly number[], scratch: Scratch): Promise<Columns> {
    const leave = this.hold()
    try {
      const { starts, crcs } = this.#index
      const size = starts[found + 1]! - starts[found]!
      const headSize = headBytes(this.#columns)
      const read = (from: number, to: number): Promise<Piece> =>
        this.#piece(found, { from, bytes: scratch.take(to - from) })
      const first = await read(0, size <= READ_WHOLE ? size : headSize + READ_AHEAD)
      const head = first.bytes.subarray(0, headSize)
      if (crc32(head) !== crcs[found]) throw new WrongFile('the checksum of its rows is another one')
      const wanted = columns.map((column) => columnIn(head, column, this.#columns))
      const all = [first]
      for (const { from, to } of runsOf(wanted, first.bytes.length)) all.push(await read(from, to))
      const values = wanted.map(({ from, to, crc }) => {
        const piece = all.find((one) => one.from <= from && to <= one.from + one.bytes.length)!
        const held = piece.bytes.subarray(from - piece.from, to - piece.from)
        if (crc32(held) !== crc) throw new WrongFile('the checksum of its values is another one')
        return held
      })
      return { rows: head.readUInt32LE(), values }
    } finally {
      leave()
    }
  }

  async #piece(found: number, piece: Piece): Promise<Piece> {
    const { from, bytes } = piece
    await readAt(this.fd, bytes, 0, bytes.length, this.#index.starts[found]! + from)
    return piece
  }
}

/** What is to be read for some columns where all before a place is there. */
function runsOf(wanted: readonly { from: number; to: number }[], there: number) {
  const runs: { from: number; to: number }[] = []
  for (const { from, to } of [...wanted].sort((a, b) => a.from - b.from)) {
    if (to <= there) continue
    const last = runs.at(-1)
    if (last && from - last.to <= GAP) last.to = to
    else runs.push({ from, to })
  }
  return runs
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
    const writer = new Writer(handle, columns)
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of rows) rest = await writer.rows(Buffer.concat([rest, chunk]))
    if (rest.length > 0) throw new Error('the engine answered with a row that is not whole')
    return new HistoryFile(handle, await writer.finish(name), columns)
  })
}

class Writer {
  readonly #handle: FileHandle
  readonly #columns: number
  readonly #ids: number[] = []
  readonly #starts: number[] = []
  readonly #crcs: number[] = []
  /** The rows of the last institution. */
  #rows: Buffer[] = []
  /** What is to be written next, and how many bytes that and all before it are. */
  #blocks: Buffer[] = []
  #unwritten = 0
  #size = 0

  constructor(handle: FileHandle, columns: number) {
    this.#handle = handle
    this.#columns = columns
  }

  /** Takes the rows that are whole. @returns the rest */
  async rows(bytes: Buffer): Promise<Buffer> {
    let at = 0
    for (let row = rowAt(bytes, at); row; row = rowAt(bytes, at)) {
      if (row.id !== this.#ids.at(-1)) {
        this.#end()
        this.#ids.push(row.id)
        this.#starts.push(this.#size)
      }
      this.#rows.push(bytes.subarray(row.text, row.next))
      at = row.next
    }
    if (this.#unwritten >= WRITTEN) await this.#write()
    return bytes.subarray(at)
  }

  /** The last institution has no more rows. */
  #end(): void {
    if (this.#rows.length === 0) return
    const block = turned(this.#rows, this.#columns)
    this.#rows = []
    this.#crcs.push(crc32(block.subarray(0, headBytes(this.#columns))))
    this.#add(block)
  }

  #add(block: Buffer): void {
    this.#blocks.push(block)
    this.#unwritten += block.length
    this.#size += block.length
    if (this.#size > MOST_BYTES) throw new Error('the file would be longer than 4 GiB')
  }

  async #write(): Promise<void> {
    const bytes = Buffer.concat(this.#blocks)
    this.#blocks = []
    this.#unwritten = 0
    await this.#handle.appendFile(bytes)
  }

  async finish(name: string): Promise<Index> {
    this.#end()
    const ids = Uint32Array.from(this.#ids)
    const starts = Uint32Array.from([...this.#starts, this.#size])
    const crcs = Uint32Array.from(this.#crcs)
    this.#add(sealed(name, ids.length, [ids, starts, crcs]))
    await this.#write()
    return { ids, starts, crcs }
  }
}

/**
 * Opens a file.
 * @param columns values of a row
 * @returns undefined where there is none
 * @throws WrongFile where it is torn or another one
 */
export const openHistory = (path: string, name: string, columns: number): Promise<HistoryFile | undefined> =>
  opened(path, async (handle, size) => {
    const { numbers, count, before } = await unsealed(handle, size, name, (count) => count * 3 + 1)
    const starts = numbers.subarray(count, count * 2 + 1)
    if (starts[count] !== before) throw new WrongFile('it has another length')
    const index = { ids: numbers.subarray(0, count), starts, crcs: numbers.subarray(count * 2 + 1) }
    return new HistoryFile(handle, index, columns)
  })
