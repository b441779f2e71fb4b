/** Work of a thread: unpacks documents, passes over those that are not wanted, and makes records of the others. */
import { closeSync, openSync, readSync } from 'node:fs'
import { constants, crc32, inflateRawSync } from 'node:zlib'
import { LoadError, wordsOf } from '../lib/errors.ts'
import { type DocumentReader, LOOSE_FILE } from './document-reader.ts'
import { UNIT_SEPARATOR } from './whole.ts'

export interface Member {
  name: string
  /** Of whom it tells; 0: the name does not say. */
  number: number
  /** Where in the archive it begins, its bytes packed and unpacked, CRC-32, and how it is packed. */
  start: number
  packed: number
  size: number
  sum: number
  method: number
}

export interface Batch {
  path: string
  place: string
  reader: string
  members: Member[]
}

export interface BatchRecords {
  /** The records one behind the other, and where each ends. */
  bytes: Uint8Array
  ends: Uint32Array
  /** What is wrong with documents that cannot be read. */
  faults: string[]
}

/** What a module of `loaders/hooks/` exports: the work of a thread for the readers that it has, by their names. */
export const batchesOf = (readers: Readonly<Record<string, DocumentReader>>) => ({
  headerOf: ({ reader }: Pick<Batch, 'reader'>) => readers[reader]!.header,
  readBatch: (batch: Batch) => readBatch(readers[batch.reader]!, batch),
})

/** @throws LoadError naming the member where the archive is damaged */
function readBatch(reader: DocumentReader, batch: Batch): BatchRecords {
  const records: string[] = []
  const faults: string[] = []
  const file = openSync(batch.path, 'r')
  try {
    const bytesAt = readerAt(file, batch)
    for (const member of batch.members) {
      const text = textOf(member, reader, bytesAt, batch)
      if (text === undefined) continue
      try {
        // a separator within a text can only be written as an escape
        const clean = text.includes('\\u001') ? withoutSeparators(text) : text
        for (const fields of reader.records(JSON.parse(clean), member))
          records.push(fields.join(UNIT_SEPARATOR))
      } catch (error) {
        faults.push(`${member.name}: cannot be read as ${reader.expected}: ${wordsOf(error)}`)
      }
    }
  } finally {
    closeSync(file)
  }
  return { ...joined(records), faults }
}

const withoutSeparators = (text: string): string => text.replaceAll(/\\u001[ef]/gi, ' ')

function joined(records: readonly string[]): Pick<BatchRecords, 'bytes' | 'ends'> {
  const bytes = Buffer.from(records.join(''))
  const ends = new Uint32Array(records.length)
  let end = 0
  for (const [at, record] of records.entries()) ends[at] = end += Buffer.byteLength(record)
  return { bytes, ends }
}

const HEADER = 30
/** Of the packed bytes of a member, what tells whether most documents are wanted, and what holds the beginning of most. */
const GLANCES = [1024, 4096]

/** Bytes of the file; where the members of a batch lie together they are read at once. */
function readerAt(file: number, { members, place }: Batch): (start: number, length: number) => Buffer {
  const read = (start: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, start))
  }
  const first = members.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const end = members.reduce((most, one) => Math.max(most, one.start + one.packed), 0) + MOST_HEADER
  const sum = members.reduce((total, { packed }) => total + packed, 0)
  if (end - first > 2 * (sum + members.length * MOST_HEADER)) return read
  let all: Buffer
  try {
    all = read(first, end - first)
  } catch (error) {
    throw new LoadError(`${place}: cannot be read: ${wordsOf(error)}`)
  }
  return (start, length) => all.subarray(start - first, start - first + length)
}

/** A local header with its name and what some archivers add. */
const MOST_HEADER = 1024

/** The text that is to be parsed; undefined: the document is not wanted. */
function textOf(
  { name, start, packed, size, sum, method }: Member,
  { until, wants }: DocumentReader,
  bytesAt: (start: number, length: number) => Buffer,
  { place }: Batch,
): string | undefined {
  const damaged = (why: string) => new LoadError(`${place}: ${name}: damaged in the zip (${why})`)
  let from = start
  if (method !== LOOSE_FILE) {
    const header = bytesAt(start, HEADER)
    if (header.length < HEADER || header.readUInt32LE(0) !== 0x04034b50) throw damaged('no header is there')
    from += HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
  }
  const cut = (text: string) => {
    const end = until === undefined ? -1 : text.indexOf(until)
    return end < 0 ? undefined : `${text.slice(0, end)}}`
  }
  const deflated = method === 8
  if (method !== LOOSE_FILE && method !== 0 && !deflated)
    throw damaged(`packed by method ${method}, expected deflate`)
  for (const glance of GLANCES) {
    // a document that fits is read and checked at once
    if (packed <= glance || (until === undefined && !wants)) break
    const some = bytesAt(from, glance)
    const beginning = (deflated ? begun(some, damaged) : some).toString('utf8')
    if (wants && !wants(beginning)) return undefined
    const enough = cut(beginning)
    if (enough !== undefined) return enough
  }
  const raw = bytesAt(from, packed)
  const bytes = deflated ? inflated(raw, size, damaged) : raw
  if (bytes.length !== size) throw damaged(`${bytes.length} bytes came, and it says that it has ${size}`)
  if (method !== LOOSE_FILE && crc32(bytes) !== sum) throw damaged('its bytes do not match its CRC-32')
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  return wants && !wants(text) ? undefined : (cut(text) ?? text)
}

/** What the first bytes of a member unpack to. */
function begun(packed: Buffer, damaged: (why: string) => Error): Buffer {
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    throw damaged(wordsOf(error))
  }
}

function inflated(packed: Buffer, size: number, damaged: (why: string) => Error): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    throw damaged(wordsOf(error))
  }
}
