/**
 * A file with the values of all columns of a universe over a year as JSON spells them: of what is asked for as text, such as a
 * panel in JSON or CSV, the engine need spell none anew, which is most of its work. Rows are in the order of the file of columns of
 * that year (column-file.ts). Of each run of each column first the lengths of its values, in 16 bits, then these, a comma after
 * each. Behind them are where each run of each column ends and its CRC-32; then the tail. It never changes.
 */
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { ColumnSpec, ResidentTable } from '../table.ts'
import { DiskFile, opened, readAt, WrongFile, written } from './disk.ts'
import { sealed, unsealed } from './sealed.ts'

/** Of the length of a value. */
export const LENGTH_BYTES = 2
/** So many columns are asked for at once: those of a year take some 15 MB. */
const AT_ONCE = 48

/** A block is a run of a column: runs of a column follow each other, and columns. */
export class SpelledFile extends DiskFile {
  readonly #ends: Uint32Array
  readonly #crcs: Uint32Array
  readonly #checked: Uint8Array

  constructor(handle: FileHandle, ends: Uint32Array, crcs: Uint32Array) {
    super(handle)
    this.#ends = ends
    this.#crcs = crcs
    this.#checked = new Uint8Array(ends.length)
  }

  /** Bytes of blocks that follow each other. */
  size(block: number, count: number): number {
    return this.#ends[block + count - 1]! - this.#from(block)
  }

  /**
   * Reads blocks that follow each other. @returns undefined where that is done already
   * @throws Error where the disk fails or the values are others, as the promise does
   */
  read(block: number, count: number, into: Buffer, at: number): Promise<void> | undefined {
    const reading = readAt(this.fd, into, at, this.size(block, count), this.#from(block))
    if (reading) return reading.then(() => this.#check(block, count, into, at))
    this.#check(block, count, into, at)
    return undefined
  }

  #from(block: number): number {
    return block === 0 ? 0 : this.#ends[block - 1]!
  }

  /** What was never read is compared with its checksum. */
  #check(first: number, count: number, bytes: Buffer, at: number): void {
    let from = at
    for (let block = first; block < first + count; block++) {
      const end = from + this.size(block, 1)
      if (this.#checked[block] === 0) {
        if (crc32(bytes.subarray(from, end)) !== this.#crcs[block])
          throw new WrongFile('the checksum of its values is another one')
        this.#checked[block] = 1
      }
      from = end
    }
  }
}

export interface Spelling {
  /** 64 hex digits, which say what the file is made of. */
  readonly name: string
  /** The column that has runs. */
  readonly by: ColumnSpec
  readonly columns: readonly ColumnSpec[]
  /** Some columns, in the order of the file and column after column. */
  readonly read: (columns: readonly ColumnSpec[]) => Promise<ResidentTable>
}

export const writeSpelled = (path: string, spelling: Spelling): Promise<SpelledFile> =>
  written(path, (handle) => write(handle, spelling))

async function write(handle: FileHandle, { name, by, columns, read }: Spelling): Promise<SpelledFile> {
  const starts = runsOf(await read([by]))
  const runs = starts.length - 1
  const ends = new Uint32Array(columns.length * runs)
  const crcs = new Uint32Array(ends.length)
  let size = 0
  for (let first = 0; first < columns.length; first += AT_ONCE) {
    const group = columns.slice(first, first + AT_ONCE)
    const { byColumn, rows } = await read(group)
    if (rows !== starts[runs]) throw new Error(`there are ${rows} rows, expected ${starts[runs]}`)
    for (const column of group.keys()) {
      const blocks: Buffer[] = []
      for (let run = 0; run < runs; run++) {
        const values = { from: column * rows + starts[run]!, to: column * rows + starts[run + 1]! }
        const block = blockOf(byColumn!, values)
        size += block.length
        const place = (first + column) * runs + run
        ends[place] = size
        crcs[place] = crc32(block)
        blocks.push(block)
      }
      await handle.appendFile(Buffer.concat(blocks))
    }
  }
  await handle.appendFile(sealed(name, ends.length, [ends, crcs]))
  return new SpelledFile(handle, ends, crcs)
}

/** Where each run begins, and where the last one ends. */
function runsOf(table: ResidentTable): number[] {
  const { rows, byColumn } = table
  const { text, starts } = byColumn!
  const textOf = (row: number): Buffer => text.subarray(starts[row], starts[row + 1])
  const begins: number[] = []
  for (let row = 0; row < rows; row++) if (row === 0 || !textOf(row).equals(textOf(row - 1))) begins.push(row)
  return [...begins, rows]
}

const MOST_BYTES = 2 ** 16 - 1

function blockOf(
  { text, starts }: NonNullable<ResidentTable['byColumn']>,
  { from, to }: { from: number; to: number },
): Buffer {
  const lengths = Buffer.allocUnsafe((to - from) * LENGTH_BYTES)
  for (let value = from; value < to; value++) {
    const length = starts[value + 1]! - starts[value]!
    if (length > MOST_BYTES) throw new Error(`a value has ${length} bytes, expected ${MOST_BYTES} at most`)
    lengths.writeUInt16LE(length, (value - from) * LENGTH_BYTES)
  }
  return Buffer.concat([lengths, text.subarray(starts[from], starts[to])])
}

/**
 * Opens a file.
 * @returns undefined where there is none
 * @throws WrongFile where it is torn or another one
 */
export const openSpelled = (path: string, name: string): Promise<SpelledFile | undefined> =>
  opened(path, async (handle, size) => {
    const { numbers, count, before } = await unsealed(handle, size, name, (count) => count * 2)
    const ends = numbers.subarray(0, count)
    if ((ends.at(-1) ?? 0) !== before) throw new WrongFile('it has another length')
    return new SpelledFile(handle, ends, numbers.subarray(count))
  })
