import { createReadStream } from 'node:fs'
import { PassThrough, pipeline, Readable, Transform, type TransformCallback } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { LoadError, wordsOf } from './errors.ts'
import { limits, within } from './limits.ts'

export interface ZipMember {
  name: string
  /** Uncompressed. */
  bytes: number
  /** A stream that fails if the member is damaged: its length and CRC-32 are checked against the directory. */
  open(): Promise<Readable>
}

export interface ZipOptions {
  /** The zip, where it is in memory already. */
  bytes?: Buffer
  /** What it may have. */
  most?: typeof limits.zip
}

export interface Zip {
  members: ZipMember[]
  close(): void
}

/**
 * Opens a zip and reads its directory. The members may be read in any order, and several at a time.
 * @throws LoadError naming the zip, and its member where it is one's fault
 */
export async function openZip(path: string, { bytes, most = limits.zip }: ZipOptions = {}): Promise<Zip> {
  const zip = await openDirectory(path, most, bytes)
  try {
    const entries: Entry[] = []
    await readDirectory(zip, path, (entry) => entries.push(entry))
    checkSizes(entries, path, most)
    checkPlaces(entries, path)
    const members = entries.map((entry) => ({
      name: entry.fileName,
      bytes: entry.uncompressedSize,
      open: () => openMember(zip, entry, path, bytes),
    }))
    return { members, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Passes over the directory of a zip of any number of members; none of them is held. @throws LoadError naming the zip */
export async function eachEntry(
  path: string,
  most: typeof limits.zip,
  each: (entry: Entry) => void,
): Promise<void> {
  const zip = await openDirectory(path, most)
  let total = 0
  try {
    await readDirectory(zip, path, (entry) => {
      total += entry.uncompressedSize
      checkSizes([entry], path, most)
      if (entry.isEncrypted()) throw new LoadError(`${placeOf(path, entry)}: is encrypted`)
      each(entry)
    })
    within(path, total, 'bytes unpacked', most.bytes)
  } finally {
    zip.close()
  }
}

async function openDirectory(path: string, most: typeof limits.zip, bytes?: Buffer): Promise<ZipFile> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false }
    const opened = (error: Error | null, file: ZipFile) =>
      error ? reject(new LoadError(`${path}: not a readable zip file (${wordsOf(error)})`)) : resolve(file)
    if (bytes) yauzl.fromBuffer(bytes, options, opened)
    else yauzl.open(path, options, opened)
  })
  try {
    within(path, zip.entryCount, 'members', most.members)
    return zip
  } catch (error) {
    zip.close()
    throw error
  }
}

const placeOf = (path: string, { fileName }: Entry) => `${path}: ${fileName}`

/** What a member says of its size holds: one that unpacks to more is cut there, as damaged. */
function checkSizes(
  entries: readonly Entry[],
  path: string,
  { memberBytes, bytes, ratio }: typeof limits.zip,
): void {
  for (const entry of entries) {
    const { compressedSize, uncompressedSize } = entry
    within(placeOf(path, entry), uncompressedSize, 'bytes unpacked', memberBytes)
    if (uncompressedSize > FEW_BYTES)
      within(
        placeOf(path, entry),
        Math.ceil(uncompressedSize / compressedSize),
        'bytes unpacked for each packed',
        ratio,
      )
  }
  const all = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  within(path, all, 'bytes unpacked', bytes)
}

// A short text that repeats itself shrinks to nothing, and does no harm.
const FEW_BYTES = 1 << 20

/** The same bytes may not be several members, by name or by place: so a small zip becomes a large one. */
function checkPlaces(entries: readonly Entry[], path: string): void {
  const names = new Set<string>()
  for (const entry of entries) {
    if (names.has(entry.fileName)) throw new LoadError(`${placeOf(path, entry)}: two members have this name`)
    names.add(entry.fileName)
  }
  checkApart(path, entries, ({ fileName, relativeOffsetOfLocalHeader: start, compressedSize }) => ({
    ...{ name: fileName, start },
    end: start + LOCAL_HEADER + compressedSize,
  }))
}

/** @throws LoadError naming a member whose bytes are another's too: so a small zip becomes a large one */
export function checkApart<Member>(
  path: string,
  members: readonly Member[],
  spanOf: (member: Member) => { name: string; start: number; end: number },
): void {
  let before = 0
  for (const member of members.toSorted((a, b) => spanOf(a).start - spanOf(b).start)) {
    const { name, start, end } = spanOf(member)
    if (start < before) throw new LoadError(`${path}: ${name}: lies within another member of the zip`)
    before = end
  }
}

const LOCAL_HEADER = 30

function readDirectory(zip: ZipFile, path: string, each: (entry: Entry) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.on('error', (error) => reject(new LoadError(`${path}: damaged zip file (${wordsOf(error)})`)))
    zip.on('end', () => resolve())
    zip.on('entry', (entry: Entry) => {
      try {
        if (!entry.fileName.endsWith('/')) each(entry)
        zip.readEntry()
      } catch (error) {
        reject(error)
      }
    })
    zip.readEntry()
  })
}

// yauzl's own streams may not be left before their end: one whose turn to read comes later ends the process.
async function openMember(zip: ZipFile, entry: Entry, path: string, bytes?: Buffer): Promise<Readable> {
  const place = placeOf(path, entry)
  const damaged = (error: unknown) => new LoadError(`${place}: damaged in the zip (${wordsOf(error)})`)
  if (entry.isEncrypted()) throw new LoadError(`${place}: is encrypted`)
  if (![STORED, DEFLATED].includes(entry.compressionMethod))
    throw new LoadError(`${place}: is packed by method ${entry.compressionMethod}, expected deflate`)
  const header = await zip.readLocalFileHeaderPromise(entry, { minimal: true }).catch((error: unknown) => {
    throw damaged(error)
  })
  const start = header.fileDataStart
  const end = start + entry.compressedSize
  const packed = bytes
    ? Readable.from([bytes.subarray(start, end)])
    : createReadStream(path, { start, end: Math.max(start, end - 1), highWaterMark: CHUNK })
  const unpacked =
    entry.compressionMethod === DEFLATED ? createInflateRaw({ chunkSize: CHUNK }) : new PassThrough()
  const checked = new MemberCheck(entry, damaged)
  unpacked.on('error', (failure) => checked.destroy(damaged(failure)))
  return pipeline(packed, unpacked, checked, () => {})
}

// the way through a stream costs as much for a few bytes as for many
const CHUNK = 1 << 17

const STORED = 0
const DEFLATED = 8

// A flipped bit in a stored member would become a wrong figure, and a length that lies is how a small zip becomes a large one.
class MemberCheck extends Transform {
  readonly #entry: Entry
  readonly #damaged: (error: unknown) => Error
  #bytes = 0
  #crc32 = 0

  constructor(entry: Entry, damaged: (error: unknown) => Error) {
    super()
    this.#entry = entry
    this.#damaged = damaged
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#bytes += chunk.length
    this.#crc32 = crc32(chunk, this.#crc32)
    if (this.#bytes > this.#entry.uncompressedSize) callback(this.#sizeFault())
    else callback(null, chunk)
  }

  override _flush(callback: (error?: Error | null) => void): void {
    if (this.#bytes !== this.#entry.uncompressedSize) callback(this.#sizeFault())
    else if (this.#crc32 >>> 0 !== this.#entry.crc32 >>> 0)
      callback(this.#damaged('its bytes do not match its CRC-32'))
    else callback(null)
  }

  #sizeFault(): Error {
    const { uncompressedSize } = this.#entry
    return this.#damaged(`${this.#bytes} bytes came, and it says that it has ${uncompressedSize}`)
  }
}
