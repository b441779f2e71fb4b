/** The files of the rows of a universe: series of one institution that memory does not hold are read of them. */
import { rowSpan } from '../../../sql/derive/tables.ts'
import type { Universe } from '../../../sql/derive/universe.ts'
import { hashOf } from '../../../sql/hash.ts'
import type { Selection } from '../../query/selection.ts'
import { type ColumnSpec, type Held, type ResidentTable, TableLost } from '../table.ts'
import { Scratch } from './disk.ts'
import { type HistoryFile, openHistory, writeHistory } from './file.ts'
import {
  type FilesOf,
  fitting,
  type Look,
  mayHave,
  type Partition,
  partitionsOf,
  type VersionSpan,
} from './partitions.ts'
import { type Columns, columnsOf, historyFormat, rowsSql, tableOf } from './rows.ts'

/** Another one for files that are laid out otherwise. */
const LAYOUT = 3
/** A value takes 10 bytes on average, with its comma and where it ends: fewer, so that there is room. */
const VALUE_BYTES = 11
/**
 * Older years are written into one file up to this: each read of a file costs as much as what it reads. The newest are by
 * themselves, as they change with each quarter.
 */
const LARGEST_FILE = 3.5 * 2 ** 30

type RowSpan = VersionSpan<HistoryFile>

export class Series implements FilesOf {
  readonly #look: Look
  readonly #universe: Universe
  readonly #columns: readonly ColumnSpec[]
  /** Of each column by name, which of them it is. */
  readonly #places: ReadonlyMap<string, number>
  /** Oldest first; undefined where the data version was not looked at yet. */
  #spans: readonly RowSpan[] | undefined
  /** Years that there is no room for. */
  #without: readonly number[] = []

  constructor(look: Look, universe: Universe) {
    this.#look = look
    this.#universe = universe
    this.#columns = columnsOf(universe)
    this.#places = new Map(this.#columns.map(({ name }, place) => [name, place]))
  }

  /** The series that a selection asks for, where it is of one institution and all files are open that it needs. */
  holding({ relation, columns, tests, order }: Selection): Held | undefined {
    if (!this.#spans || relation !== this.#universe.tables.rows) return undefined
    const key = this.#universe.id
    const id = tests.find(({ column, operator }) => column === key && operator === '=')?.value as number
    if (id === undefined) return undefined
    const names = new Set([...columns.map(({ name }) => name), key])
    for (const { column } of tests) names.add(column)
    for (const { column } of order) names.add(column)
    const places: number[] = []
    for (const name of names) {
      const place = this.#places.get(name)
      if (place === undefined) return undefined
      places.push(place)
    }
    const wanted = (years: number): boolean => mayHave(rowSpan, years, tests)
    if (this.#without.some(wanted)) return undefined
    const spans = this.#spans.filter(({ years }) => years.some(wanted))
    if (!spans.every((span) => this.#look.files.file(span))) return undefined
    return { key, passing: true, table: () => this.#read(spans, id, places) }
  }

  async #read(spans: readonly RowSpan[], id: number, places: readonly number[]): Promise<ResidentTable> {
    const { files } = this.#look
    const parts: Columns[] = []
    const scratch = new Scratch()
    try {
      for (const span of spans) {
        const file = files.file(span)
        if (!file) throw new TableLost('another data version is served')
        const found = file.find(id)
        if (found === undefined) continue
        const part = file.read(found, places, scratch).catch((error: unknown) => {
          files.lost(span, error)
          throw new TableLost('the history cannot be read', { cause: error })
        })
        parts.push(await part)
      }
      const specs = places.map((place) => this.#columns[place]!)
      const table = tableOf(parts, specs)
      files.series.read++
      return table
    } finally {
      scratch.end()
    }
  }

  /** Finds which files there are to be, newest years first, as far as there is room for them. */
  async look(room: number): Promise<{ spans: readonly RowSpan[]; left: number }> {
    const partitions = await partitionsOf(this.#look, this.#universe.tables.rows, rowSpan.sql, 'partition')
    const rowBytes = this.#columns.length * VALUE_BYTES
    const { held, without, left } = fitting(partitions, rowBytes, room)
    const spans = filesOf(held, rowBytes).map((one) => this.#spanOf(one))
    this.#without = without
    this.#spans = [...spans].reverse()
    return { spans, left }
  }

  #spanOf(partitions: readonly Partition[]): RowSpan {
    const universe = this.#universe
    const columns = this.#columns
    const years = partitions.map((one) => one.years)
    const made = partitions.map((one) => one.made)
    const hash = hashOf([LAYOUT, made, rowsSql(universe), columns, historyFormat.settings])
    return {
      years,
      name: `${universe.tables.rows}-${years[0]}-${hash}`,
      counts: this.#look.files.series,
      open: (path) => openHistory(path, hash, columns.length),
      write: async (path, signal) => {
        const { engine, database } = this.#look
        const { stream } = await engine.read({
          sql: rowsSql(universe),
          params: { spans: years },
          database,
          streamed: true,
          signal,
          ...historyFormat,
        })
        return writeHistory(path, hash, stream, columns.length)
      },
    }
  }
}

/**
 * Which partitions are one file each, ascending; the newest file first. They are joined from the oldest on, so that
 * quarters that come later leave the files of older years as they are.
 * @param held newest first
 */
function filesOf([newest, ...older]: readonly Partition[], rowBytes: number): Partition[][] {
  if (!newest) return []
  const files: Partition[][] = []
  let room = 0
  for (const partition of older.reverse()) {
    const size = partition.rows * rowBytes
    if (size > room) {
      files.push([])
      room = LARGEST_FILE
    }
    files.at(-1)!.push(partition)
    room -= size
  }
  return [...files, [newest]].reverse()
}
