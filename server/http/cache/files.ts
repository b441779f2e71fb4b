/** Answers too long for memory whose length or ranges are asked for: finished in a temporary file first. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Produced } from '../answer.ts'
import type { ByteRange } from './ranges.ts'

/** An answer in a file. The file has no name any more: its space is free once nobody holds it, however that ends. */
export class FiledAnswer {
  readonly headers: Produced['headers']
  readonly size: number
  readonly #handle: FileHandle
  #readers = 0
  #dropped = false

  constructor(headers: Produced['headers'], handle: FileHandle, size: number) {
    this.headers = headers
    this.#handle = handle
    this.size = size
  }

  /** The bytes of a range. */
  read({ start, end }: ByteRange): Readable {
    this.#readers++
    const handle = this.#handle
    const bytes = Readable.from(chunksOf(handle, start, end), { objectMode: false, highWaterMark: PIECE })
    return bytes.once('close', () => {
      this.#readers--
      this.#closeIfFree()
    })
  }

  /** It is not found any more; who reads it reads on. */
  drop(): void {
    this.#dropped = true
    this.#closeIfFree()
  }

  #closeIfFree(): void {
    if (this.#dropped && this.#readers === 0) this.#handle.close().catch(() => {})
  }
}

const PIECE = 256 * 1024

async function* chunksOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at <= end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at + 1))
    const { bytesRead } = await handle.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw new Error('the file of an answer ended early')
    yield piece.subarray(0, bytesRead)
    at += bytesRead
  }
}

type Produce = (signal: AbortSignal) => Promise<Produced>

/** The answer needs more room than there is. */
class NoRoom extends Error {}

class Filing {
  readonly gone = new AbortController()
  answer: Promise<FiledAnswer | undefined> = Promise.resolve(undefined)
  done = false
  waiting = 0
  /** Bytes written so far. */
  size = 0
}

/** The files of one data version, within a number of bytes. */
export class Files {
  readonly #folder: string
  readonly #limit: number
  /** Least lately used first. */
  readonly #filings = new Map<string, Filing>()
  readonly #tooLong = new Set<string>()
  #size = 0

  constructor(folder: string, limit: number) {
    this.#folder = folder
    this.#limit = limit
  }

  /**
   * The answer in a file, written where there is none yet; equal requests wait for the same. Undefined where it is
   * longer than may be, or the disk is full. When all who wait for it have gone, its query is ended.
   */
  async get(key: string, signal: AbortSignal, produce: Produce): Promise<FiledAnswer | undefined> {
    if (this.#limit === 0 || this.#tooLong.has(key)) return undefined
    const filing = this.#filings.get(key) ?? this.#begin(key, produce)
    this.#filings.delete(key)
    this.#filings.set(key, filing)
    filing.waiting++
    const leave = (): void => {
      filing.waiting--
      if (filing.waiting === 0 && !filing.done) filing.gone.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await filing.answer
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  /** Drops all: the data version is not served any more. What is being written ends when its clients have it. */
  close(): void {
    for (const [key, filing] of this.#filings) this.#drop(key, filing)
  }

  #begin(key: string, produce: Produce): Filing {
    const filing = new Filing()
    this.#filings.set(key, filing)
    filing.answer = this.#write(key, filing, produce)
    filing.answer
      .catch(() => undefined)
      .then((answer) => {
        filing.done = true
        if (!answer) this.#drop(key, filing)
      })
    return filing
  }

  async #write(key: string, filing: Filing, produce: Produce): Promise<FiledAnswer | undefined> {
    const { headers, body } = await produce(filing.gone.signal)
    const source = Buffer.isBuffer(body) ? Readable.from([body]) : body
    filing.gone.signal.addEventListener('abort', () => source.destroy(), { once: true })
    let handle: FileHandle | undefined
    try {
      handle = await this.#open()
      for await (const chunk of source) {
        filing.gone.signal.throwIfAborted()
        this.#makeRoom(filing, chunk.length)
        await writeAll(handle, chunk)
      }
      return new FiledAnswer(headers, handle, filing.size)
    } catch (error) {
      source.destroy()
      await handle?.close().catch(() => {})
      if (error instanceof NoRoom) {
        if (filing.size > this.#limit) this.#tooLong.add(key)
        return undefined
      }
      if (isDiskTrouble(error)) return undefined
      throw error
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true })
    const path = join(this.#folder, randomUUID())
    const handle = await open(path, 'wx+', 0o600)
    await unlink(path)
    return handle
  }

  #makeRoom(filing: Filing, bytes: number): void {
    filing.size += bytes
    this.#size += bytes
    for (const [key, other] of this.#filings) {
      if (this.#size <= this.#limit) return
      if (other !== filing && other.done) this.#drop(key, other)
    }
    if (this.#size > this.#limit) throw new NoRoom()
  }

  #drop(key: string, filing: Filing): void {
    if (this.#filings.get(key) === filing) this.#filings.delete(key)
    this.#size -= filing.size
    filing.size = 0
    filing.answer.then(
      (answer) => answer?.drop(),
      () => {},
    )
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
}

const isDiskTrouble = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE', 'EFBIG', 'EIO'].includes(
    String((error as NodeJS.ErrnoException | null)?.code),
  )
