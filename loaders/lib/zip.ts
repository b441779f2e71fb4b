import { type Readable, Transform } from 'node:stream'
import { crc32 } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { LoadError, wordsOf } from './errors.ts'

export interface ZipMember {
  name: string
  /** Uncompressed. */
  bytes: number
  /** A stream that fails if the member is damaged: its length and CRC-32 are checked against the directory. */
  open(): Promise<Readable>
}

export interface Zip {
  members: ZipMember[]
  close(): void
}

/** Opens a zip and reads its directory. The members may be read in any order, and several at a time. */
export async function openZip(path: string): Promise<Zip> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, file) =>
      error ? reject(new LoadError(`${path}: not a readable zip file (${wordsOf(error)})`)) : resolve(file),
    )
  })
  try {
    return { members: await readDirectory(zip, path), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

function readDirectory(zip: ZipFile, path: string): Promise<ZipMember[]> {
  return new Promise((resolve, reject) => {
    const members: ZipMember[] = []
    zip.on('error', (error) => reject(new LoadError(`${path}: damaged zip file (${wordsOf(error)})`)))
    zip.on('end', () => resolve(members))
    zip.on('entry', (entry: Entry) => {
      if (!entry.fileName.endsWith('/')) {
        const place = `${path}: ${entry.fileName}`
        members.push({
          name: entry.fileName,
          bytes: entry.uncompressedSize,
          open: () => openMember(zip, entry, place),
        })
      }
      zip.readEntry()
    })
    zip.readEntry()
  })
}

function openMember(zip: ZipFile, entry: Entry, place: string): Promise<Readable> {
  const damaged = (error: unknown) => new LoadError(`${place}: damaged in the zip (${wordsOf(error)})`)
  if (entry.isEncrypted()) throw new LoadError(`${place}: is encrypted`)
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(damaged(error))
      const checked = new Crc32Check(entry.crc32)
      stream.on('error', (failure) => checked.destroy(damaged(failure)))
      checked.on('close', () => stream.destroy())
      checked.mismatch = () => damaged(new Error('its bytes do not match its CRC-32'))
      resolve(stream.pipe(checked))
    })
  })
}

// yauzl checks lengths only, and a flipped bit in a stored member would become a wrong figure.
class Crc32Check extends Transform {
  readonly #expected: number
  #actual = 0
  mismatch: () => Error = () => new Error('CRC-32 mismatch')

  constructor(expected: number) {
    super()
    this.#expected = expected
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    callback: (e: null, c: Buffer) => void,
  ): void {
    this.#actual = crc32(chunk, this.#actual)
    callback(null, chunk)
  }

  override _flush(callback: (error?: Error | null) => void): void {
    callback(this.#actual >>> 0 === this.#expected >>> 0 ? null : this.mismatch())
  }
}
