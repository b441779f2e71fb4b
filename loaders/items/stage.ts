import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { quoted } from '../../sql/quoted.ts'
import type { TextForm } from '../../sql/sources/declare.ts'
import type { ItemSource } from '../../sql/sources/items.ts'
import { fieldsIn } from '../declared/compile.ts'
import { RecordCutter, type TextRecord } from '../declared/records.ts'
import { RECORD_COLUMNS, RowBinaryWriter } from '../declared/rowbinary.ts'
import { DigestStream, sha256OfText } from '../lib/digest.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import type { ItemMember } from './discover.ts'
import { BEGINNING_BYTES, type ItemLayout, openingOf } from './header.ts'
import { titleOf } from './members.ts'

/** Names of the scratch tables of one edition: several may be loaded at once. */
export interface Staging {
  /** A row a line of the files, below their headings, until the edition is in the tables. */
  lines: string
  /** How each file is to be read. */
  layouts: string
  /** Lines that are not kept, and why. */
  rejects: string
}

/** A file that is staged. */
export interface StagedMember extends ItemLayout {
  sha256: string
  rows: number
  lastLine: number
}

/** @param reportDate of the edition, which nothing else of the source is loading in the same build */
export function stagingOf({ key }: ItemSource, reportDate: string): Staging {
  const name = `staging_${key.replaceAll('-', '_')}_${reportDate.replaceAll('-', '')}`
  return { lines: `${name}_lines`, layouts: `${name}_layouts`, rejects: `${name}_rejects` }
}

export async function dropStaging(client: ClickHouseClient, staging: Staging): Promise<void> {
  for (const table of Object.values(staging))
    await client.command({ query: `DROP TABLE IF EXISTS ${table} SYNC` })
}

// Lines are in ClickHouse's memory until they are sorted into the tables. The largest file ever published is below 70 MB.
const MEMBER_LIMIT = 512 << 20
const AT_ONCE = 3

/** Sends an edition's files into the scratch; also returns the SHA-256 of their content. */
export async function stageMembers(
  client: ClickHouseClient,
  source: ItemSource,
  staging: Staging,
  members: readonly ItemMember[],
  progress: Progress,
): Promise<{ staged: StagedMember[]; sha256: string }> {
  await client.command({
    query: `CREATE TABLE ${staging.lines} (member LowCardinality(String), line UInt32, fault String, cells UInt32,
      id UInt32, id_text String, date_text LowCardinality(String), content UInt64, text String) ENGINE = Memory`,
  })
  const staged: StagedMember[] = []
  const digests: string[] = []
  const waiting = [...members]
  const work = async () => {
    for (let member = waiting.shift(); member; member = waiting.shift()) {
      const one = await stageMember(client, source, staging, member, progress)
      staged.push(one)
      digests.push(`${titleOf(member)} ${one.sha256}`)
    }
  }
  const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  staged.sort((a, b) => (a.member < b.member ? -1 : 1))
  return { staged, sha256: sha256OfText(digests.sort().join('\n')) }
}

async function stageMember(
  client: ClickHouseClient,
  source: ItemSource,
  staging: Staging,
  member: ItemMember,
  progress: Progress,
): Promise<StagedMember> {
  if (member.bytes > MEMBER_LIMIT)
    throw new LoadError(`${member.place}: ${member.bytes} bytes are more than any file of a quarter has`)
  const input = await member.open()
  const digest = new DigestStream()
  input.on('error', (error) => digest.destroy(error))
  const chunks = chunksOf(input.pipe(digest), member.place)
  try {
    const beginning = await gather(chunks)
    const { form, layout } = openingOf(source, member, beginning)
    const records = recordsOf(form, member.name, beginning, chunks)
    const sent = await send(client, staging, layout, records)
    if (sent.rows === 0) throw new LoadError(`${member.name}: has no rows`)
    progress.bytes(digest.bytes)
    return { ...layout, ...sent, sha256: digest.sha256() }
  } finally {
    input.destroy()
  }
}

async function* chunksOf(input: Readable, place: string): AsyncGenerator<Buffer> {
  try {
    yield* input
  } catch (error) {
    throw error instanceof LoadError ? error : new LoadError(`${place}: ${wordsOf(error)}`)
  }
}

async function gather(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  const beginning: Buffer[] = []
  for (let bytes = 0; bytes < BEGINNING_BYTES; ) {
    const { done, value } = await chunks.next()
    if (done) break
    beginning.push(value)
    bytes += value.length
  }
  return Buffer.concat(beginning)
}

/** The records by the chunk. @throws LoadError where the last line has no end */
async function* recordsOf(
  form: TextForm,
  name: string,
  beginning: Buffer,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Iterable<TextRecord>> {
  const cutter = new RecordCutter(form, name)
  yield cutter.push(beginning)
  for await (const chunk of chunks) yield cutter.push(chunk)
  for (const { line, bytes } of cutter.finish()) {
    const tail = JSON.stringify(bytes.toString('utf8').slice(0, 80))
    throw new LoadError(
      `${name}: is cut off: line ${line} (${tail}) does not end in ${form.onlyCrlf ? 'CRLF' : 'a line end'}`,
    )
  }
}

/** What is told of a line while it is read, beside its text. */
const read = ({ member, separator, idColumn, dateColumn }: ItemLayout) => {
  const divider = quoted(separator)
  // only so many fields are cut off as are needed
  const field = (column: number) =>
    column === 0 ? "''" : `trimBoth(splitByChar(${divider}, text, ${column})[${column}])`
  return `SELECT ${quoted(member)}, line, fault, ${fieldsIn('text', separator)}, toUInt32OrZero(id_text),
    ${field(idColumn)} AS id_text, ${field(dateColumn)}, cityHash64(text), text
    FROM input(${quoted(RECORD_COLUMNS)})`
}

/** A block of cells is what bounds the engine's memory when rows become items. */
const BLOCK_CELLS = 500_000

async function send(
  client: ClickHouseClient,
  staging: Staging,
  layout: ItemLayout,
  records: AsyncIterable<Iterable<TextRecord>>,
): Promise<{ rows: number; lastLine: number }> {
  let rows = 0
  let lastLine = 0
  let failure: unknown
  async function* batches(): AsyncGenerator<Buffer> {
    const writer = new RowBinaryWriter()
    try {
      for await (const some of records) {
        for (const record of some) {
          lastLine = record.line
          // the header and the line of descriptions
          if (layout.firstRow === 0 || record.line < layout.firstRow) continue
          rows += 1
          const full = writer.add(record)
          if (full) yield full
        }
      }
      const last = writer.take()
      if (last) yield last
    } catch (error) {
      failure = error
      throw error
    }
  }
  const blockRows = String(Math.max(100, Math.round(BLOCK_CELLS / layout.width)))
  try {
    const sent = await client.exec({
      query: `INSERT INTO ${staging.lines} ${read(layout)} FORMAT RowBinary`,
      values: Readable.from(batches(), { objectMode: false, highWaterMark: 1 << 20 }),
      clickhouse_settings: {
        max_insert_block_size: blockRows,
        min_insert_block_size_rows: blockRows,
        min_insert_block_size_bytes: '0',
      } as never,
    })
    sent.stream.resume()
  } catch (error) {
    // When reading fails, sending does too, and knows less about why.
    throw failure ?? error
  }
  return { rows, lastLine }
}
