/** Copies of tables from server to server: only what differs, by partition, as bytes that nobody looks into. */
import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf } from '../../../sql/rows.ts'

/** How a table was when it was looked at. */
export interface Extent {
  /** The statement that makes it. */
  readonly definition: string
  /** Nothing tells whether its rows are as they were. */
  readonly inMemory: boolean
  /** Of each partition, a hash over its parts; a clone by hard links has the same. */
  readonly partitions: ReadonlyMap<string, string>
}

export type Extents = ReadonlyMap<string, Extent>

/** The tables of a database that hold rows themselves. @param names of these only */
export async function extentsOf(
  client: ClickHouseClient,
  database: string,
  names?: readonly string[],
): Promise<Map<string, Extent>> {
  const among = names ? 'AND name IN {names:Array(String)}' : ''
  const found = await rowsOf<{
    name: string
    definition: string
    inMemory: boolean
    parts: [string, string][]
  }>(
    client,
    `SELECT t.name AS name, t.create_table_query AS definition, (t.engine = 'Memory')::Bool AS inMemory, p.parts AS parts
     FROM (
       SELECT name, create_table_query, engine FROM system.tables
       WHERE database = {database:String} AND (engine LIKE '%MergeTree' OR engine = 'Memory') ${among}
     ) AS t
     LEFT JOIN (
       SELECT table, groupArray((partition_id, hash)) AS parts FROM (
         SELECT table, partition_id, hex(sipHash128(arraySort(groupArray(hash_of_all_files)))) AS hash
         FROM system.parts WHERE database = {database:String} AND active GROUP BY table, partition_id
       ) GROUP BY table
     ) AS p ON p.table = t.name`,
    { database, names: [...(names ?? [])] },
  )
  return new Map(found.map(({ name, parts, ...extent }) => [name, { ...extent, partitions: new Map(parts) }]))
}

/** A database of one server as it is to be on another one. */
export interface Way {
  readonly from: ClickHouseClient
  readonly to: ClickHouseClient
  readonly database: string
  /** What the database is called there. */
  readonly into: string
}

/** Makes tables on `to` what they are on `from`. @param known how they were on `from` when `to` had the same; it is kept up */
export async function bringAll(way: Way, known: Map<string, Extent>, is: Extents): Promise<void> {
  for (const [table, extent] of is) {
    const was = known.get(table)
    if (was && same(was, extent)) continue
    await bring({ ...way, table }, was, extent)
    known.set(table, extent)
  }
}

const same = (one: Extent, other: Extent): boolean =>
  !other.inMemory &&
  one.definition === other.definition &&
  one.partitions.size === other.partitions.size &&
  [...other.partitions].every(([id, hash]) => one.partitions.get(id) === hash)

interface Copying extends Way {
  readonly table: string
}

async function bring(copying: Copying, was: Extent | undefined, is: Extent): Promise<void> {
  const { to, database, into, table } = copying
  let before = was?.partitions ?? new Map<string, string>()
  if (is.inMemory || was?.definition !== is.definition) {
    await to.command({ query: `DROP TABLE IF EXISTS ${into}.\`${table}\` SYNC` })
    await to.command({ query: is.definition.replace(`CREATE TABLE ${database}.`, `CREATE TABLE ${into}.`) })
    before = new Map()
  }
  const changed = [...is.partitions].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id)
  const replaced = [...before.keys()].filter((id) => changed.includes(id) || !is.partitions.has(id))
  if (replaced.length > 0) {
    const drops = replaced.map((id) => `DROP PARTITION ID '${id}'`)
    await to.command({ query: `ALTER TABLE ${into}.\`${table}\` ${drops.join(', ')}` })
  }
  if (is.inMemory || changed.length > 0) await copyRows(copying, is.inMemory ? undefined : changed)
}

async function copyRows({ from, to, database, into, table }: Copying, partitions?: string[]): Promise<void> {
  const columns = await rowsOf<{ name: string }>(
    from,
    `SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String}
     AND default_kind NOT IN ('ALIAS', 'MATERIALIZED') ORDER BY position`,
    { database, table },
  )
  const list = columns.map(({ name }) => `\`${name}\``).join(', ')
  const where = partitions ? ' WHERE _partition_id IN {partitions:Array(String)}' : ''
  const { stream } = await from.exec({
    query: `SELECT ${list} FROM ${database}.\`${table}\`${where} FORMAT Native`,
    query_params: { partitions: partitions ?? [] },
    clickhouse_settings: { http_write_exception_in_output_format: false } as never,
  })
  const sent = await to.exec({
    query: `INSERT INTO ${into}.\`${table}\` (${list}) FORMAT Native`,
    values: stream,
    clickhouse_settings: { max_partitions_per_insert_block: '0' } as never,
  })
  sent.stream.resume()
}

/** How many rows tables have by partition, as text that is equal where they are. */
export async function countsOf(client: ClickHouseClient, database: string): Promise<Map<string, string>> {
  const found = await rowsOf<{ place: string; rows: string }>(
    client,
    `SELECT concat(table, ' ', partition_id) AS place, toString(sum(rows)) AS rows FROM system.parts
     WHERE database = {database:String} AND active GROUP BY place`,
    { database },
  )
  return new Map(found.map(({ place, rows }) => [place, rows]))
}
