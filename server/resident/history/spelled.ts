/** The rows of a piece of a panel as text: what their runs have on the disk, as a table whose values are copied out. */
import { type ColumnSpec, ResidentTable, SLACK } from '../table.ts'
import type { Chunk } from '../text.ts'
import { type Room, roomFor } from './disk.ts'
import type { Piece } from './pieces.ts'
import { LENGTH_BYTES, type SpelledFile } from './spelled-file.ts'

/** Whole runs are read: where fewer of their rows are wanted than one in so many, the engine reads less. */
const FEW = 8

/** A column, and which one it is in the files. */
export interface StoredSpec {
  readonly spec: ColumnSpec
  readonly number: number
}

/** A file of a year, and which of its columns are wanted. */
export interface Spelled {
  readonly file: SpelledFile
  readonly columns: readonly StoredSpec[]
}

/** What is read of the file for a piece. */
export interface SpelledPiece {
  readonly spelled: Spelled
  /** Runs that follow each other in the file, and their rows. */
  readonly groups: readonly { readonly first: number; readonly rows: readonly number[] }[]
  /** Values of a column: those of these runs, and one that is none behind each run. */
  readonly values: number
  /** Which of the values is that of each row of the piece. */
  readonly rows: Uint32Array
  readonly bytes: number
}

/** @returns undefined where too few rows of its runs are wanted */
export function spelledPiece({ file, ranks, rows }: Piece, spelled: Spelled): SpelledPiece | undefined {
  const { runStarts, ranked } = file
  const count = runStarts.length - 1
  const wanted = new Uint8Array(count)
  for (let n = 0; n < ranks.length; n++) wanted[ranked.runs[ranks[n]!]!] = 1
  const groups: { first: number; rows: number[] }[] = []
  const shifts = new Int32Array(count)
  let values = 0
  for (let run = 0; run < count; run++) {
    if (wanted[run] === 0) continue
    if (wanted[run - 1] !== 1) groups.push({ first: run, rows: [] })
    const size = runStarts[run + 1]! - runStarts[run]!
    groups.at(-1)!.rows.push(size)
    shifts[run] = values - runStarts[run]!
    values += size + 1
  }
  if (ranks.length * FEW < values) return undefined
  let bytes = 0
  for (const { number } of spelled.columns)
    for (const { first, rows } of groups) bytes += spelled.file.size(number * count + first, rows.length)
  const places = rows.map((row, n) => row + shifts[ranked.runs[ranks[n]!]!]!)
  return { spelled, groups, values, rows: places, bytes }
}

/** Reads a piece. @param room that `spelledRoom` gave @throws Error where the file cannot be read */
export async function readSpelled(
  { spelled, groups, values, rows }: SpelledPiece,
  runs: number,
  { bytes: text }: Room,
): Promise<Chunk> {
  const { file, columns } = spelled
  const starts = new Uint32Array(columns.length * values + 1)
  const longest = new Uint32Array(columns.length)
  let at = 0
  let value = 0
  for (const [n, { number }] of columns.entries()) {
    for (const group of groups) {
      const block = number * runs + group.first
      const reading = file.read(block, group.rows.length, text, at)
      if (reading) await reading
      for (const size of group.rows) {
        const ends = at
        at += size * LENGTH_BYTES
        starts[value++] = at
        for (let from = ends, row = 0; row < size; row++, from += LENGTH_BYTES) {
          const length = text[from]! | (text[from + 1]! << 8)
          if (length > longest[n]!) longest[n] = length
          at += length
          starts[value++] = at
        }
      }
    }
  }
  const specs = columns.map(({ spec }) => spec)
  return {
    table: new ResidentTable({ specs, rows: values, byRow: undefined, byColumn: { text, starts }, longest }),
    rows,
  }
}

/** Memory to read a piece into, and to copy out of. */
export const spelledRoom = ({ bytes }: SpelledPiece): Room => roomFor(bytes + SLACK)
