/** Archives of many JSON documents, and documents that lie by themselves: found by their names, and read in threads. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { DeclaredSource, DocumentsForm, Table } from '../../sql/sources/declare.ts'
import { openApart } from '../lib/apart.ts'
import { sha256OfText } from '../lib/digest.ts'
import { limits } from '../lib/limits.ts'
import type { Progress } from '../lib/progress.ts'
import { checkApart, eachEntry } from '../lib/zip.ts'
import type { Batch, BatchRecords, Member } from './document-batch.ts'
import { LOOSE_FILE } from './document-reader.ts'
import type { Documents, Part } from './part.ts'
import type { Reading } from './read.ts'
import { heldIn, type StageFile } from './stage.ts'
import { UNIT_SEPARATOR } from './whole.ts'

/** The parts of an archive of documents: one a table. Undefined: it is no such archive. */
export async function documentsOfZip(
  source: DeclaredSource,
  { path, name }: { path: string; name: string },
): Promise<Part[] | undefined> {
  const wanted = formsOf(source)
  if (wanted.length === 0) return undefined
  const found = wanted.map(() => [] as Parameters<typeof columnsOf>[1])
  await eachEntry(path, limits.documents, (entry) => {
    const base = entry.fileName.slice(entry.fileName.lastIndexOf('/') + 1)
    for (const [at, { form }] of wanted.entries()) {
      const match = form.member.exec(base)
      if (!match) continue
      const { relativeOffsetOfLocalHeader: start, compressedSize: packed } = entry
      const { uncompressedSize: size, crc32: sum, compressionMethod: method } = entry
      found[at]!.push([entry.fileName, Number(match[1] ?? 0), start, packed, size, sum, method])
    }
  })
  for (const rows of found)
    checkApart(path, rows, ([name, , start, packed]) => ({ name, start, end: start + packed }))
  const parts = wanted.flatMap(({ table, form }, at) =>
    found[at]!.length === 0 ? [] : [partOf(table, form, name, columnsOf(path, found[at]!))],
  )
  return parts.length === 0 ? undefined : parts
}

/** The parts of a document that lies by itself. */
export const documentsOfFile = (
  source: DeclaredSource,
  { path, name, bytes }: { path: string; name: string; bytes: number },
  beginning: string,
): Part[] =>
  formsOf(source).flatMap(({ table, form }) => {
    if (!form.begins(beginning, name)) return []
    const number = Number(form.member.exec(name)?.[1] ?? 0)
    return [partOf(table, form, name, columnsOf(path, [[name, number, 0, bytes, bytes, 0, LOOSE_FILE]]))]
  })

const formsOf = ({ tables }: DeclaredSource): { table: Table; form: DocumentsForm }[] =>
  tables.flatMap((table) =>
    table.forms.flatMap((form) => (form.kind === 'documents' ? [{ table, form }] : [])),
  )

const columnsOf = (
  path: string,
  rows: [string, number, number, number, number, number, number][],
): Documents => ({
  path,
  names: rows.map(([name]) => name),
  numbers: Float64Array.from(rows, (row) => row[1]),
  starts: Float64Array.from(rows, (row) => row[2]),
  packed: Uint32Array.from(rows, (row) => row[3]),
  sizes: Uint32Array.from(rows, (row) => row[4]),
  sums: Uint32Array.from(rows, (row) => row[5]),
  methods: Uint8Array.from(rows, (row) => row[6]),
})

const partOf = (table: Table, form: DocumentsForm, name: string, documents: Documents): Part => ({
  ...{ table, form, name, place: documents.path, newest: '', documents },
  bytes: documents.sizes.reduce((sum, size) => sum + size, 0),
})

/** What tells the content of the documents: names and sums of all of them. */
export const digestOf = ({ names, sums }: Documents): string => sha256OfText(names.join() + sums.join())

const THREADS = 2
/** Of one batch: what bounds memory, as three are under way. */
const BATCH = { members: 2_000, packed: 4 << 20, unpacked: 32 << 20 }

/** The records of the documents of those that are wanted. @throws LoadError where the archive is damaged */
export async function readDocuments(
  client: ClickHouseClient,
  part: Part & { form: DocumentsForm; documents: Documents },
  held: StageFile['held'],
  progress: Progress,
): Promise<Reading> {
  const { form, documents, place } = part
  const among = form.among && (await numbersOf(client, heldIn(form.among, held)))
  const module = new URL(`../hooks/${form.hook}.ts`, import.meta.url).href
  const work = { reader: form.reader, place }
  const threads = openApart(THREADS)
  const read = (batch: Member[]) =>
    threads.run<BatchRecords>(place, {
      ...{ module, name: 'readBatch' },
      payload: { ...work, path: documents.path, members: batch } satisfies Batch,
    })
  const header = await threads.run<string[]>(place, {
    ...{ module, name: 'headerOf' },
    payload: work,
  })
  async function* records() {
    try {
      let line = 0
      const under: Promise<BatchRecords>[] = []
      const batches = batchesOf(documents, among || undefined, progress)
      for (;;) {
        while (under.length <= THREADS) {
          const { value, done } = batches.next()
          if (done) break
          const batch = read(value)
          // one that fails while another is waited for is not unhandled
          batch.catch(() => {})
          under.push(batch)
        }
        const next = under.shift()
        if (!next) return
        const { bytes, ends, faults } = await next
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        let from = 0
        for (const end of ends) {
          yield { line: ++line, fault: '', bytes: text.subarray(from, end) }
          from = end
        }
        for (const fault of faults) yield { line: ++line, fault, bytes: Buffer.alloc(0) }
      }
    } finally {
      await threads.close()
    }
  }
  return { header, cut: UNIT_SEPARATOR, records: records(), rejects: [] }
}

/** The members that are wanted, so many at a time; what is passed over counts as read. */
function* batchesOf(
  { names, numbers, starts, packed, sizes, sums, methods }: Documents,
  among: ReadonlySet<number> | undefined,
  progress: Progress,
): Generator<Member[]> {
  let [batch, packs, bytes, passed] = [[] as Member[], 0, 0, 0]
  for (const [at, name] of names.entries()) {
    passed += sizes[at]!
    const number = numbers[at]!
    if (among && number > 0 && !among.has(number)) continue
    const full = batch.length >= BATCH.members || packs > BATCH.packed || bytes > BATCH.unpacked
    if (full && batch.length > 0) {
      yield batch
      progress.bytes(passed)
      ;[batch, packs, bytes, passed] = [[], 0, 0, 0]
    }
    const [start, size, sum, method] = [starts[at]!, sizes[at]!, sums[at]!, methods[at]!]
    batch.push({ name, number, start, packed: packed[at]!, size, sum, method })
    packs += packed[at]!
    bytes += size
  }
  if (batch.length > 0) yield batch
  progress.bytes(passed)
}

async function numbersOf(client: ClickHouseClient, query: string): Promise<Set<number>> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' })
  return new Set((await answer.json<[number | string]>()).map(([number]) => Number(number)))
}
