import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import { bareHeading } from '../../sql/sources/columns.ts'
import type { Form, HookForm, JsonForm, Table, TextForm } from '../../sql/sources/declare.ts'
import { apart } from '../lib/apart.ts'
import { LoadError } from '../lib/errors.ts'
import { limits, within } from '../lib/limits.ts'
import type { Reject } from '../lib/source.ts'
import { isBundled } from './bundles.ts'
import type { Cut } from './compile.ts'
import { lackingIn } from './header.ts'
import { cutOf, RecordCutter, type TextRecord } from './records.ts'
import { type Named, UNIT_SEPARATOR, type WholeDocument, type WholeReading } from './whole.ts'

/** What a file says: its header, and its records. */
export interface Reading {
  header: readonly string[]
  cut: Cut
  /** Records may come in runs; whether one that does not may hold line ends. */
  runs?: { overLines: boolean }
  records: AsyncIterable<TextRecord>
  /** What was found wrong before its rows are looked at. */
  rejects: Omit<Reject, 'member'>[]
}

/** Opens a file of a table for one pass over it. @throws LoadError where it has no header */
export async function readFileOf(table: Table, form: Form, input: Readable, file: Named): Promise<Reading> {
  const { place } = file
  if (form.kind === 'documents') throw new Error(`${place}: documents are read by readDocuments`)
  if (form.kind !== 'text') return readWhole(table, form, input, file)
  const cutter = new RecordCutter(form, place)
  const records = cut(cutter, input)
  const first: TextRecord[] = []
  while (first.length < HEADER_WITHIN) {
    const next = await records.next()
    if (next.done) break
    first.push(next.value)
  }
  if (first.length === 0) throw new LoadError(`${place}: is empty`)
  const { header, index } = findHeader(table, form, first, file)
  within(place, header.length, 'columns', limits.text.columns)
  cutter.runs = !table.series
  return {
    header,
    cut: cutOf(form),
    ...(cutter.runs && { runs: { overLines: form.quoted } }),
    records: chain(first.slice(index + 1), records),
    rejects: [],
  }
}

/** Some publishers put a line or two above the header. */
const HEADER_WITHIN = 5

/** The header among the first records: the first that has all columns, else the first with the fewest lacking. */
export function findHeader(
  table: Table,
  form: TextForm,
  first: readonly TextRecord[],
  file: Named,
): { header: readonly string[]; index: number; lacking: string[] } {
  const { header: own, begins, widths } = form
  if (own) {
    const fields = first[0] ? fieldsOf(first[0], cutOf(form)) : []
    const fits = fields.length === own.length && (begins?.test(fields[0]!) ?? true)
    const expected = widths ? `${sum(widths)} characters` : `${own.length} fields`
    return { header: own, index: -1, lacking: fits ? [] : [`${expected} without a header`] }
  }
  const found = first.slice(0, HEADER_WITHIN).map((record, index) => {
    const header = fieldsOf(record, cutOf(form))
    return { header, index, lacking: lackingIn(table, header, file) }
  })
  found.sort((a, b) => a.lacking.length - b.lacking.length || a.index - b.index)
  return found[0] ?? { header: [], index: 0, lacking: [] }
}

export function fieldsOf({ bytes }: TextRecord, cut: Cut): string[] {
  const text = bytes.toString('utf8')
  if (typeof cut === 'string') return text.split(cut).map((field) => field.trim())
  if (text.length !== sum(cut)) return [text]
  let end = 0
  return cut.map((width) => {
    end += width
    return text.slice(end - width, end).trim()
  })
}

const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0)

async function* cut(cutter: RecordCutter, input: Readable): AsyncGenerator<TextRecord> {
  for await (const chunk of input) yield* cutter.push(chunk as Buffer)
  yield* cutter.finish()
}

async function* chain(
  first: Iterable<TextRecord>,
  rest: AsyncIterable<TextRecord>,
): AsyncGenerator<TextRecord> {
  yield* first
  yield* rest
}

/** Documents are read whole: publishers keep them small, or give them in pages of some megabytes. */
async function readWhole(
  table: Table,
  form: JsonForm | HookForm,
  input: Readable,
  file: Named,
): Promise<Reading> {
  const { name, place } = file
  const chunks: Buffer[] = []
  let count = 0
  for await (const chunk of input) {
    chunks.push(chunk as Buffer)
    count += (chunk as Buffer).length
    within(place, count, 'bytes', form.kind === 'json' ? limits.text.bytes : limits.whole.bytes)
  }
  const document: WholeDocument = { bytes: Buffer.concat(chunks), name, place, table: table.name }
  const wanted = Object.values(table.columns).flatMap(({ headings }) => headings.map(bareHeading))
  const reader =
    form.kind === 'json'
      ? { module: './json-records.ts', name: 'jsonRecords', payload: { ...document, form, wanted } }
      : { module: `../hooks/${form.hook}.ts`, name: 'read', payload: document }
  const { header, records, lines, rejects } = await apart<WholeReading>(place, {
    ...reader,
    module: new URL(reader.module, import.meta.url).href,
  })
  if (records.length === 0 && !isBundled(form))
    throw new LoadError(`${place}: has no record of ${table.name}`)
  return { header, cut: UNIT_SEPARATOR, records: each(records, lines), rejects: rejects ?? [] }
}

async function* each(records: string[], lines: number[] | undefined): AsyncGenerator<TextRecord> {
  for (const [index, text] of records.entries())
    yield { line: lines?.[index] ?? index + 1, fault: '', bytes: Buffer.from(text) }
}
