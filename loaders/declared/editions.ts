import { type ClickHouseClient, TupleParam } from '@clickhouse/client'
import { quoted } from '../../sql/quoted.ts'
import { copiesOf, keptColumns, sums, type Table, USUAL_SHRINK } from '../../sql/sources/declare.ts'
import { LoadError } from '../lib/errors.ts'
import type { Reject } from '../lib/source.ts'
import { scratchOf } from './stage.ts'

/** The rows of an edition that are staged for a table. */
export interface StagedRows {
  table: Table
  /** SQL of a relation with all columns, `_file` and `_line`. */
  relation: string
}

/**
 * The staged rows with what is the same for all of them.
 * @param file the name of the edition's file
 * @throws LoadError where such a value cannot be told
 */
export async function stagedRows(client: ClickHouseClient, table: Table, file: string): Promise<StagedRows> {
  const { rows } = scratchOf(table)
  const stamps: string[] = []
  for (const [name, { stamped, type, doc }] of Object.entries(table.columns)) {
    if (!stamped) continue
    const sql = stamped.replaceAll('{file}', quoted(file))
    const value = await text(client, `SELECT ifNull(toString(${sql}), '') FROM ${rows}`)
    if (value === '')
      throw new LoadError(`${file}: tells no ${name.replaceAll('_', ' ')}${doc ? `: expected ${doc}` : ''}`)
    stamps.push(`, CAST(${quoted(value)}, ${quoted(type)}) AS ${name}`)
  }
  // the rows of a file are added up already
  if (table.adds && (await number(client, `SELECT uniqExact(_file) FROM ${rows}`)) > 1)
    return {
      table,
      relation: `(SELECT ${sums(table, table.columns)} FROM ${rows} GROUP BY ${table.unique.join(', ')})`,
    }
  return { table, relation: stamps.length === 0 ? rows : `(SELECT *${stamps.join('')} FROM ${rows})` }
}

/**
 * Takes rows out of the scratch whose unique columns another row of the edition has: the first is kept, the others are
 * listed.
 * @param files names of the files by their place in the edition
 */
export async function takeDuplicates(
  client: ClickHouseClient,
  { table, relation }: StagedRows,
  files: readonly string[],
): Promise<Reject[]> {
  if (table.adds) return []
  const key = table.unique.join(', ')
  // a key that begins the order is grouped without being held
  const settings =
    'SETTINGS optimize_aggregation_in_order = 1, max_bytes_before_external_group_by = 500000000'
  if (
    (await number(
      client,
      `SELECT count() FROM (SELECT 1 FROM ${relation} GROUP BY ${key} HAVING count() > 1) ${settings}`,
    )) === 0
  )
    return []
  const others = keptColumns(table.columns).flatMap(([name, { stamped }]) =>
    table.unique.includes(name) || stamped === '' ? [] : [name],
  )
  const values = others.length === 0 ? '1' : `toString((${others.join(', ')}))`
  const place =
    "concat('line ', toString(first.2), if(first.1 = _file, '', concat(' of ', {files:Array(String)}[first.1 + 1])))"
  const answer = await client.query({
    query: `
      SELECT _file AS file, {files:Array(String)}[file + 1] AS member, _line AS line,
        concat(${table.unique.map((column) => `'${column} ', toString(${column})`).join(", ', ', ")},
          if(same, ' repeats ', ' stands with other values on '), ${place}) AS reason, '' AS text
      FROM (
        SELECT *, min((_file, _line)) OVER own AS first,
          ${values} = argMin(${values}, (_file, _line)) OVER own AS same
        FROM ${relation} WHERE (${key}) IN (SELECT ${key} FROM ${relation} GROUP BY ${key} HAVING count() > 1)
        WINDOW own AS (PARTITION BY ${key})
      )
      WHERE (_file, _line) > first ORDER BY file, line`,
    query_params: { files: [...files] },
    format: 'JSONEachRow',
  })
  const rejects = await answer.json<Reject & { file: number }>()
  await client.command({
    query: `ALTER TABLE ${scratchOf(table).rows} DELETE WHERE has({lines:Array(Tuple(UInt16, UInt32))}, (_file, _line))`,
    query_params: { lines: rejects.map(({ file, line }) => new TupleParam([file, line])) },
    clickhouse_settings: { mutations_sync: '1' },
  })
  return rejects.map(({ member, line, reason, text }) => ({ member, line, reason, text }))
}

/** @throws LoadError where a file is older, or much smaller, than what it would replace */
export async function checkEdition(
  client: ClickHouseClient,
  { table, relation }: StagedRows,
  place: string,
): Promise<void> {
  const { replaces, newest, shrink = USUAL_SHRINK } = table.edition
  if (replaces !== 'all' && replaces !== 'partition') return
  const replaced =
    replaces === 'all' ? '' : ` WHERE ${table.partition} IN (SELECT ${table.partition} FROM ${relation})`
  const [before, after] = [
    await number(client, `SELECT count() FROM ${table.name}${replaced}`),
    await number(client, `SELECT count() FROM ${relation}`),
  ]
  if (before === 0) return
  const say = (count: number) => count.toLocaleString('en-US')
  if (newest !== undefined) {
    const latest = (from: string) => text(client, `SELECT toString(max(${newest})) FROM ${from}`)
    const [is, has] = [await latest(`${table.name}${replaced}`), await latest(relation)]
    if (has < is)
      throw new LoadError(
        `${place}: is older than what is loaded: its newest ${newest} is ${has}, there it is ${is} (--force loads it)`,
      )
  }
  if (after < before * shrink)
    throw new LoadError(
      `${place}: has ${say(after)} rows where ${say(before)} are loaded, less than ${Math.round(shrink * 100)} %: is it whole? (--force loads it)`,
    )
}

/**
 * Puts the rows of the scratch into the table, and into those of the same rows in another order. Returns the partitions that
 * were replaced.
 */
export async function putRows(client: ClickHouseClient, { table, relation }: StagedRows): Promise<string[]> {
  let partitions: string[] = []
  for (const copy of copiesOf(table)) partitions = await putInto(client, copy, relation)
  return partitions
}

async function putInto(client: ClickHouseClient, table: Table, rows: string): Promise<string[]> {
  const { name, partition, unique, edition } = table
  const key = `(${(edition.same ?? unique).join(', ')})`
  const columns = keptColumns(table.columns)
    .map(([column]) => column)
    .join(', ')
  const run = (query: string) =>
    client.command({
      query,
      clickhouse_settings: {
        mutations_sync: '1',
        max_partitions_per_insert_block: '0',
        max_insert_threads: '2',
        // rows that add up are in the order of their key
        optimize_aggregation_in_order: 1,
      },
    })
  const insert = (where = 'true') =>
    run(`INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${rows} WHERE ${where}`)
  const partitionsOf = () => list(client, `SELECT DISTINCT toString(${partition}) FROM ${rows} ORDER BY 1`)
  let partitions: string[] = []
  switch (edition.replaces) {
    case 'all':
      await run(`TRUNCATE TABLE ${name}`)
      break
    case 'partition': {
      partitions = await partitionsOf()
      const ids = `SELECT DISTINCT _partition_id FROM ${name} WHERE ${partition} IN (SELECT ${partition} FROM ${rows})`
      for (const id of await list(client, ids)) await run(`ALTER TABLE ${name} DROP PARTITION ID '${id}'`)
      break
    }
    case 'upsert':
    case 'nothing': {
      const empty = (await number(client, `SELECT count() FROM ${name}`)) === 0
      const within = partition
        ? (await partitionsOf()).map((value) => `${partition} = ${quoted(value)}`)
        : ['true']
      for (const part of within) {
        const keys = (from: string) => `${key} IN (SELECT ${key} FROM ${from} WHERE ${part})`
        const old = empty ? 'false' : keys(name)
        if (edition.replaces === 'nothing') await insert(`${part} AND NOT ${old}`)
        else {
          if (
            !empty &&
            (await number(client, `SELECT count() FROM ${name} WHERE ${part} AND ${keys(rows)}`)) > 0
          )
            await run(`ALTER TABLE ${name} DELETE WHERE ${part} AND ${keys(rows)}`)
          await insert(part)
        }
      }
      return []
    }
  }
  await insert()
  return partitions
}

async function list(client: ClickHouseClient, query: string): Promise<string[]> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' })
  return (await answer.json<[string]>()).map(([value]) => value)
}

const text = async (client: ClickHouseClient, query: string) => (await list(client, query))[0] ?? ''
const number = async (client: ClickHouseClient, query: string) => Number(await text(client, query))
