/** Answers too long for memory whose length or ranges are asked for: finished in a temporary file first. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Produced } from '../answers/answering.ts'
import type { ByteRange } from './ranges.ts'

/** Bytes of all files, those included that have been dropped and are still being read. */
export class Space {
  readonly limit: number
  used = 0

  constructor(limit: number) {
    this.limit = limit
  }
}

/** An answer in a file. The file has no name any more: its space is free once nobody holds it, however that ends. */
export class FiledAnswer {
  readonly headers: Produced['headers']
  readonly size: number
  /** Whether it came too late to be held. */
  closed = false
  readonly #handle: FileHandle
  readonly #onClosed: () => void
  #readers = 0
  #dropped = false

  constructor(headers: Produced['headers'], handle: FileHandle, size: number, onClosed: () => void) {
    this.headers = headers
    this.#handle = handle
    this.size = size
    this.#onClosed = onClosed
  }

  /** Whether it is being sent: dropped or not, it takes space. */
  get held(): boolean {
    return this.#readers > 0
  }

  /** It is being sent to one more client. @returns to be called once when that is over */
  hold(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      this.#closeIfFree()
    }
  }

  /** The bytes of a range, while it is held. */
  read({ start, end }: ByteRange): Readable {
    return Readable.from(chunksOf(this.#handle, start, end), { objectMode: false, highWaterMark: PIECE })
  }

  /** It is not found any more; who reads it reads on. */
  drop(): void {
    this.#dropped = true
    this.#closeIfFree()
  }

  #closeIfFree(): void {
    if (!this.#dropped || this.held || this.closed) return
    this.closed = true
    this.#onClosed()
    this.#handle.close().catch(() => {})
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
  /** What it came to. */
  filed: FiledAnswer | undefined
  done = false
  waiting = 0
  /** Bytes written so far. */
  size = 0
}

/** The files of one data version, within the space of all. */
export class Files {
  readonly #folder: string
  readonly #space: Space
  /** Least lately used first. */
  readonly #filings = new Map<string, Filing>()
  readonly #tooLong = new Set<string>()
  #closed = false

  constructor(folder: string, space: Space) {
    this.#folder = folder
    this.#space = space
  }

  /**
   * The answer in a file, written where there is none yet; equal requests wait for the same. Undefined where it is
   * longer than may be, or the disk is full. When all who wait for it have gone, its query is ended.
   */
  async get(key: string, signal: AbortSignal, produce: Produce): Promise<FiledAnswer | undefined> {
    if (this.#closed || this.#space.limit === 0 || this.#tooLong.has(key)) return undefined
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
    this.#closed = true
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
        filing.filed = answer
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
      return new FiledAnswer(headers, handle, filing.size, () => {
        this.#space.used -= filing.size
      })
    } catch (error) {
      source.destroy()
      await handle?.close().catch(() => {})
      this.#space.used -= filing.size
      if (error instanceof NoRoom) {
        if (filing.size > this.#space.limit) this.#tooLong.add(key)
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

  /** Drops what nobody reads; to drop the others would give no space. */
  #makeRoom(filing: Filing, bytes: number): void {
    filing.size += bytes
    this.#space.used += bytes
    for (const [key, other] of this.#filings) {
      if (this.#space.used <= this.#space.limit) return
      if (other.filed && !other.filed.held) this.#drop(key, other)
    }
    if (this.#space.used > this.#space.limit) throw new NoRoom()
  }

  #drop(key: string, filing: Filing): void {
    if (this.#filings.get(key) === filing) this.#filings.delete(key)
    if (filing.filed) filing.filed.drop()
    else filing.answer.then((answer) => answer?.drop()).catch(() => {})
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
}

const isDiskTrouble = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE', 'EFBIG', 'EIO'].includes(
    String((error as NodeJS.ErrnoException | null)?.code),
  )
