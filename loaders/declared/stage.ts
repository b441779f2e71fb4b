import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { quoted } from '../../sql/quoted.ts'
import { columnType } from '../../sql/sources/columns.ts'
import { sums, type Table } from '../../sql/sources/declare.ts'
import { LoadError } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import type { Reject } from '../lib/source.ts'
import { readSql, recordsSql } from './compile.ts'
import { type Layout, lackingOf, layoutOf } from './header.ts'
import type { Reading } from './read.ts'
import { RECORD_COLUMNS, RowBinaryWriter } from './rowbinary.ts'

/** Names of the scratch tables of a table. */
export const scratchOf = (table: Table) => ({
  rows: `load_${table.name}`,
  /** Of a table of series: the lines, and what was found of them. */
  lines: `load_${table.name}_lines`,
  checked: `load_${table.name}_checked`,
  /** What of the rows is news to a history. */
  changes: `load_${table.name}_changes`,
})

export async function dropScratch(client: ClickHouseClient, table: Table): Promise<void> {
  await client.command({ query: `DROP TABLE IF EXISTS ${Object.values(scratchOf(table)).join(', ')} SYNC` })
}

/** Rejects of a file that are listed: the rest is counted. */
const MOST_REJECTS = 10_000
/** Of a block as it is read: it stays in the processor's cache, and is what bounds the engine's memory. */
const BLOCK_BYTES = 4 << 20
/** Of what is written at a time. */
const PART = { rows: 262_144, bytes: 64 << 20 }
/** Of rows that add up: beyond it they go to the disk until all are read. */
const GROUPED_BYTES = 300_000_000

export interface Staged {
  /** Facts of the file that the user should hear of. */
  notes: string[]
  rowsRead: number
  rowsSound: number
  rejects: Reject[]
  /** Rejects, listed or not. */
  rejected: number
}

/** A file that is staged. */
export interface StageFile {
  /** For messages. */
  place: string
  name: string
  /** Which file of its edition it is. */
  index: number
  /** The table to look at for the name of one: of those before it in the edition the scratch, for `keep`. */
  held(name: string): string
}

/**
 * Reads a file into the scratch of its table in one pass of constant memory: the loader cuts it into records, ClickHouse
 * types the fields, checks them, and parts the sound rows from the others. The rows of several files add up.
 */
export async function stage(
  client: ClickHouseClient,
  table: Table,
  reading: Reading,
  file: StageFile,
  progress: Progress,
): Promise<Staged> {
  const layout = layoutOf(table, reading.header)
  if ('lacking' in layout)
    throw new LoadError(
      `${file.place}: the header lacks ${layout.lacking.map((heading) => `“${heading}”`).join(', ')}`,
    )
  await client.command({ query: scratchSql(table) })
  const rowsRead = await send(client, stageSql(layout, reading, file), reading, progress)
  const found = await outcome(client, table, file)
  if (table.adds) found.rowsSound = rowsRead - found.rejected
  return { notes: notesOn(layout), rowsRead, ...found }
}

const readColumns = ({ columns, adds, unique }: Table) =>
  Object.entries(columns).filter(
    ([name, { stamped }]) => stamped === undefined && (!adds || [...unique, ...adds].includes(name)),
  )

/** Rows of all files of an edition, those that are refused in a partition of their own. */
function scratchSql(table: Table): string {
  const typed = readColumns(table).map(([name, column]) => `${name} ${columnType(column)}`)
  const order = [...table.order.filter((name) => !table.columns[name]!.stamped), '_file', '_line']
  return `CREATE TABLE IF NOT EXISTS ${scratchOf(table).rows} (_file UInt16, _line UInt32, _fault String, _text String, ${typed.join(', ')})
    ENGINE = MergeTree PARTITION BY _fault = '' ORDER BY (${order.join(', ')})`
}

/** The statement that makes rows of what is sent to it. A row that is refused is never completed, left out, or added up. */
function stageSql(layout: Layout, { cut, runs }: Reading, { index, held }: StageFile): string {
  const { table } = layout
  const columns = readColumns(table)
  const names = columns.map(([name]) => name)
  const sent = `(SELECT * FROM input(${quoted(RECORD_COLUMNS)}))`
  const read = `(${readSql(layout, cut, runs ? recordsSql(sent, runs.overLines) : sent)})`
  const { by, on } = table.completed ?? {}
  const beside = columns.filter(([, column]) => column.beside).map(([name]) => name)
  const completed = by
    ? `${read} AS sent LEFT JOIN (SELECT ${[on, ...beside].join(', ')}, true AS _completes FROM ${held(by)}) AS completing USING ${on}`
    : read
  const conditions = [by && '_completes', table.keep && heldIn(table.keep, held)].filter(Boolean)
  const kept =
    conditions.length === 0
      ? ''
      : `WHERE _fault != '' OR (${conditions.map((one) => `(${one})`).join(' AND ')})`
  const into = `${scratchOf(table).rows} (_file, _line, _fault, _text, ${names.join(', ')})`
  if (!table.adds)
    return `${into} SELECT ${index}, _line, _fault, if(_fault = '', '', _text), ${names.join(', ')} FROM ${completed} ${kept}`
  return `${into} SELECT ${index}, _row, _refused.1, _refused.2, ${names.join(', ')} FROM (
    SELECT ${sums(table, table.columns)}, if(_fault = '', 0, _line) AS _row,
      groupArrayIf(1)((_fault, _text), _fault != '')[1] AS _refused
    FROM ${completed} ${kept} GROUP BY ${table.unique.join(', ')}, _row)`
}

/** SQL with the tables that it names as `{table}`: of those before it in the edition the scratch. */
export const heldIn = (sql: string, held: StageFile['held']): string =>
  sql.replaceAll(/\{([a-z]\w*)\}/g, (_, name: string) => held(name))

/** Sends the records. @param into a table, or a table and a SELECT over `input()`. Returns how many lines they are of. */
export async function send(
  client: ClickHouseClient,
  into: string,
  { records }: Pick<Reading, 'records'>,
  progress: Progress,
): Promise<number> {
  let rows = 0
  let line = 0
  let told = 0
  let fault: unknown
  async function* batches(): AsyncGenerator<Buffer> {
    const writer = new RowBinaryWriter()
    try {
      for await (const record of records) {
        const full = writer.add(record)
        if (record.run) rows += record.run
        else if (record.line !== line) rows += 1
        line = record.line
        if (!full) continue
        progress.rows(rows - told)
        told = rows
        yield full
        // records that are at hand leave the sockets no turn, and the engine closes a connection that is idle for seconds
        await setImmediate()
      }
    } catch (error) {
      // the statement is ended whole, as the engine closes a connection that breaks: the scratch is dropped anyway
      fault = error
    }
    const last = writer.take()
    if (last) yield last
    progress.rows(rows - told)
  }
  // a connection on which nothing is sent for some seconds is closed as idle: the first bytes may take longer to be read
  const rest = batches()
  const first = await rest.next()
  const sent = await client.exec({
    query: `INSERT INTO ${into} FORMAT RowBinary`,
    values: Readable.from(resumed(first, rest), { objectMode: false, highWaterMark: 1 << 20 }),
    clickhouse_settings: {
      max_insert_block_size_bytes: String(BLOCK_BYTES),
      min_insert_block_size_rows: String(PART.rows),
      min_insert_block_size_bytes: String(PART.bytes),
      max_bytes_before_external_group_by: String(GROUPED_BYTES),
      max_threads: 2,
      max_insert_threads: '1',
      // every expression is of every row: to find out which rows need it costs more than it
      short_circuit_function_evaluation: 'disable',
    } as never,
  })
  sent.stream.resume()
  if (fault) throw fault
  return rows
}

async function* resumed<T>(first: IteratorResult<T, void>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* rest
}

/** Counts the rows of a file, and takes those out that are refused. */
async function outcome(client: ClickHouseClient, table: Table, { name, index }: StageFile) {
  const { rows } = scratchOf(table)
  const counted = await client.query({
    query: `SELECT countIf(_fault = '')::UInt32 AS sound, countIf(_fault != '')::UInt32 AS rejected FROM ${rows} WHERE _file = ${index}`,
    format: 'JSONEachRow',
  })
  const [{ sound, rejected }] = (await counted.json()) as [{ sound: number; rejected: number }]
  if (rejected === 0) return { rowsSound: sound, rejected, rejects: [] }
  const listed = await client.query({
    query: `SELECT {member:String} AS member, _line AS line, _fault AS reason,
        substringUTF8(replaceAll(_text, '\\x1F', ','), 1, 200) AS text FROM ${rows}
      WHERE _fault != '' ORDER BY line LIMIT ${MOST_REJECTS}`,
    query_params: { member: name },
    format: 'JSONEachRow',
  })
  const rejects = await listed.json<Reject>()
  await client.command({ query: `ALTER TABLE ${rows} DROP PARTITION 0` })
  return { rowsSound: sound, rejected, rejects }
}

/** A sentence on the columns that the file does not have. */
function notesOn(layout: Layout): string[] {
  const lacking = lackingOf(layout).filter((name) => !layout.table.columns[name]!.hidden)
  return lacking.length === 0 ? [] : [`the file has no column for ${lacking.join(', ')}: absent in all rows`]
}
