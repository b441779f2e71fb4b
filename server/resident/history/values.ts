/** Columns of a piece of a panel: out of memory where they are held, or else read of their file. */
import type { Values } from '../arrow-columns.ts'
import { TableLost } from '../table.ts'
import type { OpenColumn, Stretch } from './column-file.ts'
import { newRoom, type Room } from './disk.ts'
import type { Opened, Piece } from './pieces.ts'

interface Found {
  readonly values: Values
  readonly places: Uint32Array
}

/** The values of a column in the rows of a piece; at once where what is read is in memory. @throws TableLost */
export function valuesOf(piece: Piece, name: string, room: Room): Found | Promise<Found> {
  const { file, memory, ranks, rows, stretches, places } = piece
  const { runs, ids, dates } = file.ranked
  const [by, id, date] = file.order
  if (name === id) return { values: ids, places: ranks }
  if (name === date) return { values: dates, places: ranks }
  if (name === by) return { values: { codes: runs, texts: file.runTexts }, places: ranks }
  const column = file.column(name)
  const held = memory.get(column)
  if (held) return { values: held, places: rows }
  if (memory.wants(column, file.rows * column.width)) return whenHeld(piece, column)
  const reading = read(piece, column, stretches, room)
  if (reading || (column.stored && !column.texts)) return whenRead(piece, column, room, reading)
  return { values: column.texts ? { codes: room.codes, texts: column.texts } : room.numbers, places }
}

/** Reads a column whole, to be held. */
async function whenHeld(piece: Piece, column: OpenColumn): Promise<Found> {
  const { file, memory, rows } = piece
  const room = newRoom(file.rows * column.width)
  const { values } = await whenRead(piece, column, room, read(piece, column, file.all, room))
  memory.hold(column, values, room.bytes.length)
  return { values, places: rows }
}

function read(
  piece: Piece,
  column: OpenColumn,
  stretches: readonly Stretch[],
  { bytes }: Room,
): Promise<void> | undefined {
  try {
    return piece.file.read(column, stretches, bytes)
  } catch (error) {
    throw lost(piece, error)
  }
}

async function whenRead(
  piece: Piece,
  column: OpenColumn,
  { numbers, codes }: Room,
  reading: Promise<void> | undefined,
): Promise<Found> {
  const { file, places } = piece
  try {
    await reading
    if (!column.stored) return { values: numbers, places }
    return { values: { codes, texts: column.texts ?? (await file.readTexts(column)) }, places }
  } catch (error) {
    throw lost(piece, error)
  }
}

function lost(piece: Opened, error: unknown): TableLost {
  piece.lost(error)
  return new TableLost('the history cannot be read', { cause: error })
}
