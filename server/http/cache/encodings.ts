/** Content codings: which one a client gets, and the compressors of whole bytes and of streams. */
import { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Zstd } from '@hpcc-js/wasm-zstd'
import Negotiator from 'negotiator'

export type Encoding = 'br' | 'gzip' | 'zstd'

interface Codec {
  whole(bytes: Buffer): Promise<Buffer>
  stream(): Transform
}

/** zlib's zstd came with Node 22.15. */
interface ZstdOfZlib {
  zstdCompress?: (bytes: Buffer, options: object, done: (error: Error | null, result: Buffer) => void) => void
  createZstdCompress?: (options: object) => Transform
}
const { zstdCompress, createZstdCompress } = zlib as ZstdOfZlib
const native = zstdCompress !== undefined && createZstdCompress !== undefined

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants
const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
const ZSTD_COMPRESSION_LEVEL = 100

/** What is kept is worth more effort than what passes once. */
const codecs: Readonly<Record<Encoding, Codec>> = {
  br: {
    whole: (bytes) =>
      brotli(bytes, { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    // many are open at once: with a window of 64 KiB one takes 0.7 MB, with the default of 4 MiB 6.7, and rows repeat
    // themselves within it
    stream: () =>
      zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 3, [BROTLI_PARAM_LGWIN]: 16 } }),
  },
  gzip: { whole: (bytes) => gzip(bytes, { level: 6 }), stream: () => zlib.createGzip({ level: 4 }) },
  zstd: native
    ? {
        whole: (bytes) =>
          promisify(zstdCompress)(bytes, {
            params: { [ZSTD_COMPRESSION_LEVEL]: 6 },
            pledgedSrcSize: bytes.length,
          }),
        stream: () => createZstdCompress({ params: { [ZSTD_COMPRESSION_LEVEL]: 2 } }),
      }
    : { whole: (bytes) => buffer(Readable.from([bytes]).pipe(zstdFrames())), stream: zstdFrames },
}

/** In order of preference among equals: without zlib's zstd, WebAssembly's runs on the thread that answers. */
const preferred: readonly Encoding[] = native ? ['zstd', 'br', 'gzip'] : ['br', 'gzip', 'zstd']
const offered = [...preferred, 'identity']

/** Browsers and tools send the same few headers over and over. */
const known = new Map<string, Encoding | undefined>()
const MOST_KNOWN = 500
/** In characters: what no browser sends is not remembered. */
const LONGEST_KNOWN = 200

/** Codings that are looked at: there are not so many. */
const MOST_CODINGS = 50

/** The coding that `Accept-Encoding` prefers; undefined for none. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === 'identity') return undefined
  if (known.has(header)) return known.get(header)
  const negotiator = new Negotiator({
    headers: { 'accept-encoding': header.split(',', MOST_CODINGS).join(',') },
  })
  const encodings = negotiator.encodings as (names: readonly string[], options: object) => string[]
  const [first] = encodings.call(negotiator, offered, { preferred: offered })
  const encoding = first === undefined || first === 'identity' ? undefined : (first as Encoding)
  if (known.size >= MOST_KNOWN) known.clear()
  if (header.length <= LONGEST_KNOWN) known.set(header, encoding)
  return encoding
}

export const isEncoding = (name: string): name is Encoding => Object.hasOwn(codecs, name)

/** All of the bytes, compressed. */
export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => codecs[encoding].whole(bytes)

/** Compresses what passes. */
export const compressor = (encoding: Encoding): Transform => codecs[encoding].stream()

/** A frame of it takes about a millisecond and a half. */
const PIECE = 64 * 1024
let wasm: Promise<Zstd> | undefined
/** Frames that are being made, one after the other, whosever they are. */
let frames: Promise<unknown> = Promise.resolve()

/** Makes a frame in a turn of the event loop of its own: what else waits comes in between. */
function frame(bytes: Buffer): Promise<Buffer> {
  const made = frames.then(async () => {
    wasm ??= import('@hpcc-js/wasm-zstd').then(({ Zstd }) => Zstd.load())
    const zstd = await wasm
    await setImmediate()
    return Buffer.from(zstd.compress(bytes, 3))
  })
  frames = made.catch(() => {})
  return made
}

/** zstd without zlib's: a frame for every 64 KiB. Frames one after the other are a zstd stream (RFC 8878, 3.1). */
function zstdFrames(): Transform {
  let held: Buffer[] = []
  let length = 0
  return new Transform({
    async transform(this: Transform, chunk: Buffer, _, done) {
      held.push(chunk)
      length += chunk.length
      if (length < PIECE) return done()
      try {
        let rest = Buffer.concat(held)
        for (; rest.length >= PIECE; rest = rest.subarray(PIECE)) {
          this.push(await frame(rest.subarray(0, PIECE)))
        }
        held = [rest]
        length = rest.length
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      frame(Buffer.concat(held)).then((bytes) => done(null, bytes), done)
    },
  })
}
