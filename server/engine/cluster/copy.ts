/** Copies of tables from server to server: only what differs, by partition, as bytes that nobody looks into. */
import type { ClickHouseClient } from '@clickhouse/client'
import { EngineError } from '../errors.ts'

/** How a table was when it was looked at. */
export interface Extent {
  readonly definition: string
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
  const found = await rows<{ name: string; definition: string; parts: [string, string][] }>(
    client,
    `SELECT t.name AS name, t.definition AS definition, p.parts AS parts
     FROM (
       SELECT name, if(engine = 'Memory', concat(create_table_query, toString(generateUUIDv4())), create_table_query) AS definition
       FROM system.tables WHERE database = {database:String} AND (engine LIKE '%MergeTree' OR engine = 'Memory') ${among}
     ) AS t
     LEFT JOIN (
       SELECT table, groupArray((partition_id, hash)) AS parts FROM (
         SELECT table, partition_id, hex(sipHash128(arraySort(groupArray(hash_of_all_files)))) AS hash
         FROM system.parts WHERE database = {database:String} AND active GROUP BY table, partition_id
       ) GROUP BY table
     ) AS p ON p.table = t.name`,
    { database, names: [...(names ?? [])] },
  )
  return new Map(
    found.map(({ name, definition, parts }) => [name, { definition, partitions: new Map(parts) }]),
  )
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
  one.definition === other.definition &&
  one.partitions.size === other.partitions.size &&
  [...other.partitions].every(([id, hash]) => one.partitions.get(id) === hash)

interface Copying extends Way {
  readonly table: string
}

async function bring(copying: Copying, was: Extent | undefined, is: Extent): Promise<void> {
  const { to, database, into, table } = copying
  let before = was?.partitions ?? new Map<string, string>()
  if (was?.definition !== is.definition) {
    const prefix = `CREATE TABLE ${database}.`
    const [definition] = await rows<{ query: string }>(
      copying.from,
      'SELECT create_table_query AS query FROM system.tables WHERE database = {database:String} AND name = {table:String}',
      { database, table },
    )
    if (!definition?.query.startsWith(prefix))
      throw new EngineError(`${database}.${table} cannot be copied: it is gone, or no table`)
    await to.command({ query: `DROP TABLE IF EXISTS ${into}.\`${table}\` SYNC` })
    await to.command({ query: `CREATE TABLE ${into}.${definition.query.slice(prefix.length)}` })
    before = new Map()
  }
  const changed = [...is.partitions].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id)
  const replaced = [...before.keys()].filter((id) => changed.includes(id) || !is.partitions.has(id))
  if (replaced.length > 0) {
    const drops = replaced.map((id) => `DROP PARTITION ID '${id}'`)
    await to.command({ query: `ALTER TABLE ${into}.\`${table}\` ${drops.join(', ')}` })
  }
  // which has no parts
  const inMemory = is.definition.includes('ENGINE = Memory')
  if (inMemory || changed.length > 0) await copyRows(copying, inMemory ? undefined : changed)
}

async function copyRows({ from, to, database, into, table }: Copying, partitions?: string[]): Promise<void> {
  const columns = await rows<{ name: string }>(
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
  const found = await rows<{ place: string; rows: string }>(
    client,
    `SELECT concat(table, ' ', partition_id) AS place, toString(sum(rows)) AS rows FROM system.parts
     WHERE database = {database:String} AND active GROUP BY place`,
    { database },
  )
  return new Map(found.map(({ place, rows }) => [place, rows]))
}

export async function rows<T>(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<T[]> {
  return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<T>()
}
