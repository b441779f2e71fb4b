/** Which files make the history of one data version, and how a series is read of them. */
import { rowSpan } from '../../../sql/derive/tables.ts'
import type { Universe } from '../../../sql/derive/universe.ts'
import { hashOf } from '../../../sql/hash.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Selection, Test } from '../../query/selection.ts'
import { type ColumnSpec, type Held, type ResidentTable, TableLost, VALUE_BYTES } from '../table.ts'
import { type HistoryFile, writeHistory } from './file.ts'
import { columnsOf, historyFormat, rowsSql, tableOf } from './rows.ts'

/** Another one for files that are laid out otherwise. */
const LAYOUT = 1
/**
 * Older years are written into one file up to this: each read of a file costs as much as what it reads. The newest are by
 * themselves, as they change with each quarter.
 */
const LARGEST_FILE = 2 ** 31
/** The first room for a series. */
const ROOM = 2 ** 20

/** Some years of a universe, and the file that they are in. */
export interface Span {
  readonly universe: Universe
  /** Partitions of the table, ascending: `rowSpan`. */
  readonly years: readonly number[]
  readonly name: string
  readonly hash: string
}

/** The files of all versions. */
export interface Files {
  /** Series read, and those that could not be. */
  readonly counts: { read: number; lost: number }
  /** The open one of a name. */
  file(name: string): HistoryFile | undefined
  /** Opens the files of this version from now on. */
  take(version: VersionHistory): Promise<void>
  /** That of this span could not be read. */
  lost(span: Span, error: unknown): void
}

interface Version {
  readonly engine: Engine
  readonly database: string
  readonly universes: readonly Universe[]
}

/** What there is of one universe. */
interface Series {
  readonly universe: Universe
  readonly columns: readonly ColumnSpec[]
  /** Of each column by name, which of them it is. */
  readonly places: ReadonlyMap<string, number>
  /** Oldest first; undefined where the data version was not looked at yet. */
  spans: readonly Span[] | undefined
  /** Years that there is no room for. */
  without: readonly number[]
}

export class VersionHistory {
  readonly #history: Files
  readonly #version: Version
  readonly #series: ReadonlyMap<string, Series>

  constructor(history: Files, version: Version) {
    this.#history = history
    this.#version = version
    this.#series = new Map(
      version.universes.map((universe) => {
        const columns = columnsOf(universe)
        const places = new Map(columns.map(({ name }, place) => [name, place]))
        return [universe.tables.rows, { universe, columns, places, spans: undefined, without: [] }]
      }),
    )
  }

  /** Opens or writes its files, in place of those of other versions. */
  take(): Promise<void> {
    return this.#history.take(this)
  }

  /** The series that a selection asks for, where it is of one institution and all files are open that it needs. */
  holding(selection: Selection): Held | undefined {
    const series = this.#series.get(selection.relation)
    const { tests } = selection
    if (!series?.spans) return undefined
    const key = series.universe.id
    const id = tests.find(({ column, operator }) => column === key && operator === '=')?.value as number
    if (id === undefined) return undefined
    const names = new Set([...selection.columns.map(({ name }) => name), key])
    for (const { column } of tests) names.add(column)
    for (const { column } of selection.order) names.add(column)
    const places: number[] = []
    for (const name of names) {
      const place = series.places.get(name)
      if (place === undefined) return undefined
      places.push(place)
    }
    const wanted = (years: number): boolean => mayHave(years, tests)
    if (series.without.some(wanted)) return undefined
    const spans = series.spans.filter(({ years }) => years.some(wanted))
    if (!spans.every(({ name }) => this.#history.file(name))) return undefined
    return { key, passing: true, table: () => this.#read(series, spans, id, places) }
  }

  async #read(
    { columns }: Series,
    spans: readonly Span[],
    id: number,
    places: readonly number[],
  ): Promise<ResidentTable> {
    const parts: { span: Span; file: HistoryFile; found: number }[] = []
    let size = 0
    for (const span of spans) {
      const file = this.#history.file(span.name)
      if (!file) throw new TableLost('another data version is served')
      const found = file.find(id)
      if (found === undefined) continue
      parts.push({ span, file, found })
      size += file.sizeOf(found)
    }
    const bytes = scratch(size)
    let at = 0
    const reads = parts.map(({ span, file, found }) => {
      const into = bytes.subarray(at, at + file.sizeOf(found))
      at += into.length
      return file.read(found, into).catch((error: unknown) => {
        this.#history.lost(span, error)
        throw new TableLost('the history cannot be read', { cause: error })
      })
    })
    // all have ended before what they read into is used again
    const lost = (await Promise.allSettled(reads)).find((one) => one.status === 'rejected')
    if (lost) {
      spare(bytes)
      throw lost.reason
    }
    const table = tableOf(bytes, columns, places)
    spare(bytes)
    this.#history.counts.read++
    return table
  }

  /** Finds which files there are to be, newest years first, as far as there is room for them. @returns in that order */
  async look(room: number): Promise<readonly Span[]> {
    const { engine, database } = this.#version
    const all: Span[] = []
    let left = room
    for (const series of this.#series.values()) {
      const { universe, columns } = series
      const parts = await engine.rows<{ years: number; parts: string[]; rows: number; version: string }>({
        database,
        // where the rows are divided between servers, no one server knows their parts
        sql: engine.places
          ? `SELECT toInt32(${rowSpan.sql}) AS years, [currentDatabase()] AS parts, toUInt32(count()) AS rows, version() AS version
              FROM ${universe.tables.rows} GROUP BY years ORDER BY years DESC`
          : `SELECT toInt32(partition) AS years, arraySort(groupArray(hash_of_all_files)) AS parts, toUInt32(sum(rows)) AS rows, version() AS version
              FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}
              GROUP BY partition ORDER BY years DESC`,
        params: { table: universe.tables.rows },
      })
      const held: Partition[] = []
      const without: number[] = []
      for (const { years, parts: made, rows, version } of parts) {
        const size = rows * columns.length * VALUE_BYTES
        if (size > left) {
          without.push(years)
          continue
        }
        left -= size
        held.push({ years, size, made: [made, version] })
      }
      const spans = filesOf(held).map((partitions): Span => {
        const years = partitions.map((one) => one.years)
        const made = partitions.map((one) => one.made)
        const hash = hashOf([LAYOUT, made, rowsSql(universe), columns, historyFormat.settings])
        return { universe, years, hash, name: `${universe.tables.rows}-${years[0]}-${hash}` }
      })
      all.push(...spans)
      series.without = without
      series.spans = [...spans].reverse()
    }
    return all
  }

  /** Writes the file of a span out of the engine. */
  async write(path: string, { universe, years, hash }: Span, signal: AbortSignal): Promise<HistoryFile> {
    const { engine, database } = this.#version
    const { stream } = await engine.read({
      sql: rowsSql(universe),
      params: { spans: years },
      database,
      streamed: true,
      signal,
      ...historyFormat,
    })
    return writeHistory(path, hash, stream, columnsOf(universe).length)
  }
}

/** A partition of the table: how large its rows may be in a file, and what says that they are the same. */
interface Partition {
  readonly years: number
  readonly size: number
  readonly made: unknown
}

/**
 * Which partitions are one file each, ascending; the newest file first. They are joined from the oldest on, so that
 * quarters that come later leave the files of older years as they are.
 * @param held newest first
 */
function filesOf([newest, ...older]: readonly Partition[]): Partition[][] {
  if (!newest) return []
  const files: Partition[][] = []
  let room = 0
  for (const partition of older.reverse()) {
    if (partition.size > room) {
      files.push([])
      room = LARGEST_FILE
    }
    files.at(-1)!.push(partition)
    room -= partition.size
  }
  return [...files, [newest]].reverse()
}

/** Whether quarters of these years may pass the tests. */
const mayHave = (years: number, tests: readonly Test[]): boolean =>
  tests.every(({ column, operator, value }) => {
    if (column !== 'report_date' || operator === 'IN') return true
    const of = rowSpan.of(value as string)
    return operator === '>=' ? years >= of : operator === '<=' ? years <= of : years === of
  })

/** Memory that a series was read into and the next one may be: new pages cost more than the reading. */
let spared: Buffer | undefined

function scratch(size: number): Buffer {
  const found = spared
  spared = undefined
  return (found && found.length >= size ? found : Buffer.allocUnsafeSlow(Math.max(size, ROOM))).subarray(
    0,
    size,
  )
}

function spare(bytes: Buffer): void {
  spared = Buffer.from(bytes.buffer)
}
