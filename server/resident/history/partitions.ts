/** What the files of one data version are made of: which years, and what says that these are the same. */
import type { Span as YearSpan } from '../../../sql/derive/spans.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Test } from '../../query/selection.ts'
import type { ColumnMemory } from './column-memory.ts'
import type { DiskFile, Files, Span } from './disk.ts'
import type { Limits } from './limits.ts'

/** Where the files of a version come from, and where they are. */
export interface Look {
  readonly files: VersionFiles
  readonly engine: Engine
  readonly database: string
}

/** The files of all versions. */
export interface VersionFiles extends Files {
  readonly series: Counts
  readonly panels: Counts
  readonly limits: Limits
  readonly memory: ColumnMemory
  /** Opens the files of this version from now on. */
  take(version: Looking): Promise<void>
}

/** Whoever knows which files there are to be. */
export interface Looking {
  /** As far as there is room for them, in the order in which they are made. */
  look(room: number): Promise<readonly Span[]>
}

/** What was read, and what could not be. */
export interface Counts {
  read: number
  lost: number
}

/** Some years of a universe, and the file that they are in. */
export interface VersionSpan<F extends DiskFile = DiskFile> extends Span<F> {
  /** Partitions of the table, ascending. */
  readonly years: readonly number[]
}

/** Files of one kind. */
export interface FilesOf {
  /** Finds which there are to be, newest years first, as far as there is room for them. */
  look(room: number): Promise<{ readonly spans: readonly VersionSpan[]; readonly left: number }>
}

/** A partition of a table, or some: how many rows it has, and what says that they are the same. */
export interface Partition {
  readonly years: number
  readonly rows: number
  readonly made: unknown
}

/**
 * The partitions of a table, newest first.
 * @param years SQL of what tells the years of a row
 * @param ofPartition SQL of the same of a partition's `partition_id`
 */
export async function partitionsOf(
  { engine, database }: Look,
  table: string,
  years: string,
  ofPartition: string,
): Promise<Partition[]> {
  const parts = await engine.rows<{ years: number; parts: string[]; rows: number; version: string }>({
    database,
    // where the rows are divided between servers, no one server knows their parts
    sql: engine.places
      ? `SELECT toInt32(${years}) AS years, [currentDatabase()] AS parts, toUInt32(count()) AS rows, version() AS version
          FROM ${table} GROUP BY years ORDER BY years DESC`
      : `SELECT toInt32(${ofPartition}) AS years, arraySort(groupArray(hash_of_all_files)) AS parts, toUInt32(sum(rows)) AS rows, version() AS version
          FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}
          GROUP BY years ORDER BY years DESC`,
    params: { table },
  })
  return parts.map(({ years, parts, rows, version }) => ({ years, rows, made: [parts, version] }))
}

/** The partitions that there is room for, newest first, and the years of the others. @param rowBytes of a row in a file */
export function fitting(
  partitions: readonly Partition[],
  rowBytes: number,
  room: number,
): { readonly held: readonly Partition[]; readonly without: readonly number[]; readonly left: number } {
  const held: Partition[] = []
  const without: number[] = []
  let left = room
  for (const partition of partitions) {
    const size = partition.rows * rowBytes
    if (size > left) without.push(partition.years)
    else {
      left -= size
      held.push(partition)
    }
  }
  return { held, without, left }
}

/** Whether quarters of these years may pass the tests. */
export const mayHave = (span: YearSpan, years: number, tests: readonly Test[]): boolean =>
  tests.every(({ column, operator, value }) => {
    if (column !== 'report_date' || operator === 'IN') return true
    const of = span.of(value as string)
    return operator === '>=' ? years >= of : operator === '<=' ? years <= of : years === of
  })
