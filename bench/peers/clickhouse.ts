import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { readConfig } from '../../server/config/config.ts'
import { credentials, enginePaths, readEngineFile, type User } from '../../server/engine/address.ts'
import { openEngine } from '../../server/engine/open.ts'
import { rowsOf } from '../families/collect.ts'
import type { Format, Question } from '../question.ts'
import { clickhouseType, columnsOf, isFamily, keyOf, type Table } from './columns.ts'
import { type Contestant, type Filling, Missing, parquetOf, type Row } from './contestant.ts'
import { silent } from './silent.ts'
import { select } from './sql.ts'

const DATABASE = 'plain'

const formats: Readonly<Record<Format, string>> = {
  json: 'JSONEachRow',
  arrow: 'ArrowStream',
  csv: 'CSVWithNames',
}

/** Answers as a reader wants them: one JSON array, dates as dates, nothing where nothing is. */
const settings = {
  output_format_json_array_of_rows: '1',
  output_format_arrow_compression_method: 'none',
  output_format_arrow_date_as_uint16: '0',
  format_csv_null_representation: '',
}

export interface PlainClickHouse extends Contestant {
  /** Rows of a table as ClickHouse writes them: what other peers are filled from. */
  table(name: Table, format: string): Promise<ReadableStream>
}

/** The engine that this server embeds, in a process of its own, over plain tables and its own HTTP interface. */
export async function plainClickHouse(filling: Filling): Promise<PlainClickHouse> {
  const config = readConfig({ DATA_DIR: join(filling.folder, 'clickhouse') })
  const engine = await openEngine(config, silent)
  const file = await readEngineFile(enginePaths(config).address)
  if (!file) throw new Missing('the embedded engine did not say where it listens')
  const send = async (user: User, query: string, body?: ReadableStream): Promise<Response> => {
    const url = `${file.url}/?database=${DATABASE}&query=${encodeURIComponent(query)}`
    const answer = await fetch(url, {
      method: 'POST',
      headers: credentials(user),
      ...(body && { body, duplex: 'half' }),
    } as RequestInit)
    if (!answer.ok) throw new Error(`plain ClickHouse: ${(await answer.text()).slice(0, 500)}`)
    return answer
  }
  await engine.loader('default').command({ query: `CREATE DATABASE IF NOT EXISTS ${DATABASE}` })
  for (const table of filling.tables) {
    const there = await (await send(file.loader, `EXISTS TABLE ${table}`)).text()
    if (there.trim() === '1') continue
    // under another name until it is full: a run that was cut short must not leave half a table
    await send(file.loader, 'DROP TABLE IF EXISTS filling')
    const columns = (await columnsOf(table)).map((column) => `${column.name} ${clickhouseType(column)}`)
    const order = keyOf(table).map((column) => column.replace('-', ''))
    await send(
      file.loader,
      `CREATE TABLE filling (${columns.join(', ')}) ENGINE = MergeTree ORDER BY (${order.join(', ')})`,
    )
    const [format, path] = isFamily(table)
      ? ['JSONEachRow', rowsOf(filling.folder, table)]
      : ['Parquet', parquetOf(filling, table)]
    await send(file.loader, `INSERT INTO filling FORMAT ${format}`, stream(path))
    await send(file.loader, 'OPTIMIZE TABLE filling FINAL')
    if (isFamily(table)) {
      const { body } = await send(file.loader, 'SELECT * FROM filling FORMAT Parquet')
      await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(parquetOf(filling, table)))
    }
    await send(file.loader, `RENAME TABLE filling TO ${table}`)
  }
  const query = new URLSearchParams({ database: DATABASE, ...settings })
  return {
    name: 'clickhouse',
    title: 'ClickHouse over HTTP, plain tables',
    origin: file.url,
    pids: [file.pid],
    keeps: false,
    ask(question: Question, format: Format) {
      const { sql, parameters } = select(question, 'clickhouse')
      const given = parameters.map(([name, value]) => `&param_${name}=${encodeURIComponent(value)}`).join('')
      return {
        method: 'POST',
        path: `/?${query}${given}`,
        headers: credentials(file.loader),
        body: `${sql} FORMAT ${formats[format]}`,
      }
    },
    rows: (_, body) => JSON.parse(body) as Row[],
    table: async (name, format) =>
      (await send(file.loader, `SELECT * FROM ${name} FORMAT ${format}`)).body! as ReadableStream,
    close: () => engine.close(),
  }
}

const stream = (path: string): ReadableStream => Readable.toWeb(createReadStream(path)) as ReadableStream
