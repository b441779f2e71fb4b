/** Files of the history as such: how one is written whole or not at all, read quickly, and held while it is read. */
import { randomUUID } from 'node:crypto'
import { read, readSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What is not whole: it is written with this ending, and renamed. */
export const UNFINISHED = '.new'

/** A file is torn, or it is another one. */
export class WrongFile extends Error {}

/** A file that is open and never changes. */
export class DiskFile {
  readonly #handle: FileHandle
  #readers = 0
  #dropped = false

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  protected get fd(): number {
    return this.#handle.fd
  }

  /** It stays open until what is returned is called, once. @throws Error where it was dropped */
  hold(): () => void {
    if (this.#dropped) throw new Error('the file was dropped')
    this.#readers++
    return () => {
      this.#readers--
      this.#closeIfFree()
    }
  }

  /** Nobody holds it any more who does not yet. */
  drop(): void {
    if (this.#dropped) return
    this.#dropped = true
    this.#closeIfFree()
  }

  #closeIfFree(): void {
    if (this.#dropped && this.#readers === 0) this.#handle.close().catch(() => {})
  }
}

/** A file that there is to be. */
export interface Span<F extends DiskFile = DiskFile> {
  /** The file's; it says what it is made of. */
  readonly name: string
  /** What is read of it, and what could not be. */
  readonly counts: { read: number; lost: number }
  /** @returns undefined where there is none @throws WrongFile where it is torn or another one */
  open(path: string): Promise<F | undefined>
  write(path: string, signal: AbortSignal): Promise<F>
}

/** The files that are open, of all versions. */
export interface Files {
  file<F extends DiskFile>(span: Span<F>): F | undefined
  /** That of this span could not be read. */
  lost(span: Span, error: unknown): void
}

/**
 * What the system holds in memory is read at once: through Node's threads it costs five times as much. After a read that
 * took longer than this, the disk's, reads are left to the threads for a while, so that the disk holds up nobody else.
 */
const AT_ONCE_MS = 2
const APART_MS = 1_000
let apartUntil = 0
let fromDisk = 0

/** Whether it was the disk that was slow: Linux counts what a process has read of disks. A busy machine makes any read slow. */
function wasDisk(): boolean {
  if (process.platform !== 'linux') return true
  const before = fromDisk
  fromDisk = process.resourceUsage().fsRead
  return fromDisk !== before
}

/** Reads bytes. @returns undefined where that is done already @throws WrongFile where the file ends early */
export function readAt(
  fd: number,
  into: Buffer,
  at: number,
  length: number,
  place: number,
): Promise<void> | undefined {
  const began = performance.now()
  if (began < apartUntil) return readApart(fd, into, at, length, place)
  for (let done = 0; done < length; ) {
    const bytes = readSync(fd, into, at + done, length - done, place + done)
    if (bytes === 0) throw new WrongFile('it ends early')
    done += bytes
  }
  const now = performance.now()
  if (now - began > AT_ONCE_MS && wasDisk()) apartUntil = now + APART_MS
  return undefined
}

/** Fewer calls and promises than a FileHandle's own. */
function readApart(fd: number, into: Buffer, at: number, length: number, place: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const from = (done: number): void => {
      read(fd, into, at + done, length - done, place + done, (error, bytes) => {
        if (error) reject(error)
        else if (done + bytes === length) resolve()
        else if (bytes === 0) reject(new WrongFile('it ends early'))
        else from(done + bytes)
      })
    }
    from(0)
  })
}

/** Writes a file: nothing stands under the name before it is whole and on the disk. The handle stays open. */
export async function written<T>(path: string, write: (handle: FileHandle) => Promise<T>): Promise<T> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
  const handle = await open(unfinished, 'wx+', 0o600)
  try {
    const made = await write(handle)
    await handle.sync()
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return made
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Opens a file and looks into it. @returns undefined where there is none */
export async function opened<T>(
  path: string,
  look: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T | undefined> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!handle) return undefined
  try {
    return await look(handle, (await handle.stat()).size)
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

/** The end of a file. @throws WrongFile where there is not so much */
export async function endOf({ fd }: FileHandle, size: number, length: number): Promise<Buffer> {
  if (length > size) throw new WrongFile('it is too short')
  const into = Buffer.allocUnsafeSlow(length)
  await readApart(fd, into, 0, length, size - length)
  return into
}

/** The first room for what is read. */
const ROOM = 2 ** 20
/** More is not kept. */
const MOST_SPARED = 2 ** 24

/** Memory to read into, as bytes and as what is read of columns. */
export interface Room {
  readonly bytes: Buffer
  readonly numbers: Float64Array
  readonly codes: Uint32Array
}

/** Memory that was read into and may be again: new pages cost more than the reading. */
let spared: Room | undefined

/** Room for so many bytes at least; to be given back by `spare` once nothing reads into it any more. */
export function roomFor(size: number): Room {
  const found = spared
  spared = undefined
  if (found && found.bytes.length >= size) return found
  return newRoom(Math.max(size, ROOM))
}

/** Memory for one piece of a file after the other, out of room that is given back when all of it was used. */
export class Scratch {
  readonly #room = roomFor(ROOM)
  #used = 0

  take(size: number): Buffer {
    const from = this.#used
    const end = from + size
    if (end > this.#room.bytes.length) return Buffer.allocUnsafe(size)
    this.#used = end
    return this.#room.bytes.subarray(from, end)
  }

  /** To be called once nobody reads into what was taken, nor looks at it, any more. */
  end(): void {
    spare(this.#room)
  }
}

/** Room for so many bytes at least that stays with who asks for it. */
export function newRoom(size: number): Room {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil(size / 8) * 8)
  return { bytes, numbers: new Float64Array(bytes.buffer), codes: new Uint32Array(bytes.buffer) }
}

export function spare(room: Room): void {
  if (room.bytes.length <= MOST_SPARED) spared = room
}
