import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { bareHeading } from '../../sql/sources/columns.ts'
import type { DeclaredSource, Form, JsonForm, Table, TextForm } from '../../sql/sources/declare.ts'
import { sha256OfFile, sha256OfText } from '../lib/digest.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import { limits, within } from '../lib/limits.ts'
import type { Discovery, Edition } from '../lib/source.ts'
import { type FoundFile, findFiles, isClutter } from '../lib/walk.ts'
import { openZip, type Zip } from '../lib/zip.ts'
import { bundled, inTurn, isBundled } from './bundles.ts'
import { documentsOfFile, documentsOfZip } from './documents.ts'
import { lackingAmong, neededBy } from './header.ts'
import type { Part } from './part.ts'
import { findHeader } from './read.ts'
import { RecordCutter } from './records.ts'
import type { Named } from './whole.ts'

export interface DeclaredEdition extends Edition {
  parts: Part[]
  /** Opens the files for reading; `close` when done. */
  open(): Promise<{ read(part: Part): Promise<Readable>; close(): void }>
}

interface File extends Named {
  bytes: number
  open(): Promise<Readable>
}

/**
 * The files of a declared source among the given paths: each file, and each archive, is an edition, and so are files that
 * belong together. Of a history the older ones come first, so that what the newer revise is known as a revision.
 */
export async function discoverDeclared(
  source: DeclaredSource,
  paths: string[],
): Promise<Discovery<DeclaredEdition>> {
  const found: Discovery<DeclaredEdition> = { editions: [], refused: [], ignored: [] }
  for (const file of await findFiles(paths)) {
    try {
      const edition = /\.zip$/i.test(file.name) ? await ofZip(source, file) : await ofFile(source, file)
      if (typeof edition !== 'string') found.editions.push(edition)
      else if (file.given) found.refused.push({ name: file.name, reason: `${file.path}: ${edition}` })
      else found.ignored.push(file.path)
    } catch (error) {
      if (!(error instanceof LoadError)) throw error
      found.refused.push({ name: file.name, reason: wordsOf(error) })
    }
  }
  found.editions = asEditions(source, found.editions)
  const newest = ({ parts }: DeclaredEdition) =>
    parts
      .map((part) => part.newest)
      .sort()
      .at(-1)!
  found.editions.sort((a, b) => (newest(a) < newest(b) ? -1 : newest(a) > newest(b) ? 1 : 0))
  return found
}

/** Joins the files that are one edition together. */
function asEditions(source: DeclaredSource, files: DeclaredEdition[]): DeclaredEdition[] {
  const documents = files.filter(({ parts }) => parts.every(({ form, bundle }) => isBundled(form) && !bundle))
  if (documents.length > 1)
    return [...files.filter((file) => !documents.includes(file)), ofBundle(source, documents)]
  const { together } = source
  if (!together) return files
  const groups = new Map<string, DeclaredEdition[]>()
  for (const file of files) {
    const label = together(file.name)
    groups.set(label, [...(groups.get(label) ?? []), file])
  }
  return [...groups.values()].map((group) => {
    if (group.length === 1) return group[0]!
    return {
      ...wholeOf(group),
      name: group.map(({ name }) => name).join(', '),
      parts: inOrder(
        source,
        group.flatMap(({ parts }) => parts),
      ),
      async open() {
        const opened = await Promise.all(group.map((file) => file.open()))
        return {
          read: (part) => opened[group.findIndex(({ parts }) => parts.includes(part))]!.read(part),
          close: () => opened.forEach((file) => void file.close()),
        }
      },
    }
  })
}

const wholeOf = (files: readonly DeclaredEdition[]) => {
  const sum = (of: 'bytes' | 'volume') => files.reduce((total, file) => total + file[of], 0)
  return {
    ...{ reportDate: null, bytes: sum('bytes'), volume: sum('volume') },
    sha256: async () => sha256OfText((await Promise.all(files.map((file) => file.sha256()))).sort().join()),
  }
}

/** Small documents that lie on disk by themselves, as one edition. */
const ofBundle = (source: DeclaredSource, files: readonly DeclaredEdition[]): DeclaredEdition => ({
  ...wholeOf(files),
  name: `${files[0]!.name} and ${files.length - 1} more`,
  parts: inOrder(source, bundled(files.flatMap(({ parts }) => parts))),
  open: async () => ({
    read: async ({ bundle }) =>
      inTurn(bundle!.map((place) => ({ place, open: async () => createReadStream(place) }))),
    close() {},
  }),
})

async function ofFile(source: DeclaredSource, file: FoundFile): Promise<DeclaredEdition | string> {
  const { path, name, bytes } = file
  const open = async () => createReadStream(path, { highWaterMark: 1 << 18 })
  const documents = documentsOfFile(source, file, (await beginningOf({ open })).toString('latin1'))
  const found = documents.length > 0 ? documents : await partsOf(source, { name, place: path, bytes, open })
  if (typeof found === 'string') return found
  let digest: Promise<string> | undefined
  const sha256 = () => (digest ??= sha256OfFile(path))
  const parts = found.map((part) => ({ ...part, sha256 }))
  return {
    ...{ name, reportDate: null, bytes, volume: bytes * parts.length, parts, sha256 },
    open: async () => ({ read: open, close() {} }),
  }
}

async function ofZip(source: DeclaredSource, file: FoundFile): Promise<DeclaredEdition | string> {
  const documents = await documentsOfZip(source, file)
  if (documents) return ofDocuments(file, documents)
  const zip = await openZip(file.path, { most: limits.streamed })
  try {
    const parts: Part[] = []
    const reasons: string[] = []
    for (const member of membersOf(zip, file.path)) {
      const found = await partsOf(source, member)
      if (typeof found === 'string') reasons.push(`${member.name}: ${found}`)
      else parts.push(...found)
    }
    if (parts.length === 0) return reasons[0] ?? 'the archive is empty'
    return {
      ...{
        name: file.name,
        reportDate: null,
        bytes: file.bytes,
        parts: inOrder(source, bundled(parts)),
      },
      volume: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      sha256: () => sha256OfFile(file.path),
      async open() {
        const again = await openZip(file.path, { most: limits.streamed })
        const members = new Map(membersOf(again, file.path).map((member) => [member.place, member]))
        return {
          read: async ({ place, bundle }) =>
            bundle ? inTurn(bundle.map((each) => members.get(each)!)) : members.get(place)!.open(),
          close: () => again.close(),
        }
      },
    }
  } finally {
    zip.close()
  }
}

const ofDocuments = ({ path, name, bytes }: FoundFile, parts: Part[]): DeclaredEdition => ({
  ...{ name, reportDate: null, bytes, parts, volume: parts.reduce((sum, part) => sum + part.bytes, 0) },
  sha256: () => sha256OfFile(path),
  open: async () => ({ read: async () => createReadStream(path), close() {} }),
})

const membersOf = (zip: Zip, path: string): File[] =>
  zip.members
    .filter(({ name }) => !isClutter(name))
    .map(({ name, bytes, open }) => ({ name: basename(name), place: `${path}: ${name}`, bytes, open }))

/** Tables are loaded in the order of the declaration, as one may look at those before it. */
const inOrder = ({ tables }: DeclaredSource, parts: Part[]): Part[] =>
  parts.sort((a, b) => tables.indexOf(a.table) - tables.indexOf(b.table))

/** Which tables a file is of, mostly one; or why it is of none. */
async function partsOf(source: DeclaredSource, file: File): Promise<Part[] | string> {
  const beginning = await beginningOf(file)
  if (beginning.length === 0) return 'the file is empty'
  let closest: Unfit | undefined
  const parts: Part[] = []
  for (const table of source.tables) {
    if (table.member && !table.member.test(file.name)) continue
    if (parts.length > 0 && !table.sharesFiles) continue
    for (const form of table.forms) {
      const unfit = unfitFor(table, form, beginning, file)
      if (!unfit) {
        const newest = table.edition.replaces === 'history' ? await newestDay(file, beginning) : ''
        parts.push({ table, form, name: file.name, place: file.place, bytes: file.bytes, newest })
        break
      }
      if (!closest || unfit.found > closest.found) closest = unfit
    }
  }
  if (parts.length > 0) return parts
  const text = beginning.toString('latin1').trimStart()
  if (/^<(!doctype html|html|head|body)/i.test(text))
    return 'this is a web page (HTML), not data: the address may have moved, or wants a login'
  const [line = ''] = text.split(/[\r\n]/, 1)
  const expected = closest?.expected ?? `a file named like one of ${source.name}`
  return `expected ${expected}; the first line is “${line.slice(0, 120)}”`
}

interface Unfit {
  /** How many of the columns that are needed it has. */
  found: number
  expected: string
}

/** What a file would need to be of a table and a form; undefined: nothing. */
function unfitFor(table: Table, form: Form, beginning: Buffer, file: File): Unfit | undefined {
  if (form.kind === 'hook' || form.kind === 'documents') {
    if (form.begins(beginning.toString('latin1'), file.name)) return undefined
    return { found: 0, expected: form.expected }
  }
  const lacking = lackingHeadings(table, form, beginning, file)
  if (lacking.length === 0) return undefined
  return {
    found: neededBy(table).length - lacking.length,
    expected: `a header ${table.series ? 'such as' : 'with'} ${lacking.map((heading) => `“${heading}”`).join(', ')}`,
  }
}

function lackingHeadings(table: Table, form: TextForm | JsonForm, beginning: Buffer, file: File): string[] {
  if (form.kind === 'text') {
    const cutter = new RecordCutter({ ...form, endsLines: false }, file.place)
    return findHeader(table, form, [...cutter.push(beginning), ...cutter.finish()], file).lacking
  }
  const text = beginning.toString('utf8')
  if (!/^\uFEFF?\s*[[{]/.test(text)) return lackingAmong(table, new Set())
  const keys = new Set([...text.matchAll(/"([^"\\]{1,100})"\s{0,9}:/g)].map(([, key]) => bareHeading(key!)))
  return lackingAmong(table, keys)
}

const END_BYTES = 2_000

async function newestDay(file: File, beginning: Buffer): Promise<string> {
  let end: Buffer = Buffer.alloc(0)
  within(file.place, file.bytes, 'bytes', limits.whole.bytes)
  for await (const chunk of await file.open())
    end = Buffer.concat([end, (chunk as Buffer).subarray(-END_BYTES)]).subarray(-END_BYTES)
  const ends = `${beginning.subarray(0, END_BYTES).toString('latin1')}\n${end.toString('latin1')}`
  const iso = [...ends.matchAll(/\b\d{4}-\d{2}-\d{2}/g)].map(([day]) => day)
  const american = [...ends.matchAll(/\b(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})\b/g)].map(
    ([, month, day, year]) => `${fourDigits(year!)}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`,
  )
  return [...iso, ...american].sort().at(-1) ?? ''
}

/** Two digits are of the years 1970 to 2069, as POSIX has it. */
const fourDigits = (year: string): string =>
  year.length === 4 ? year : Number(year) >= 70 ? `19${year}` : `20${year}`

export async function beginningOf(file: Pick<File, 'open'>, most = 1 << 16): Promise<Buffer> {
  const input = await file.open()
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of input) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= most) break
    }
  } finally {
    input.destroy()
  }
  return Buffer.concat(chunks).subarray(0, most)
}
