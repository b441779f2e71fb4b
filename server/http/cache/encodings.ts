/** Content codings: which one a client gets, and the compressors of whole bytes and of streams. */
import { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
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

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants
const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
const ZSTD_COMPRESSION_LEVEL = 100

/** What is kept is worth more effort than what passes once. */
const codecs: Readonly<Record<Encoding, Codec>> = {
  br: {
    whole: (bytes) =>
      brotli(bytes, { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    stream: () => zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 3 } }),
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
    : {
        whole: (bytes) => buffer(Readable.from(pieces(bytes)).pipe(zstdFrames())),
        stream: zstdFrames,
      },
}

/** In order of preference among equals: without zlib's zstd, WebAssembly's runs on the thread that answers. */
const preferred: readonly Encoding[] = native ? ['zstd', 'br', 'gzip'] : ['br', 'gzip', 'zstd']
const offered = [...preferred, 'identity']

/** Browsers and tools send the same few headers over and over. */
const known = new Map<string, Encoding | undefined>()
const MOST_KNOWN = 500

/** The coding that `Accept-Encoding` prefers; undefined for none. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === 'identity') return undefined
  if (known.has(header)) return known.get(header)
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const encodings = negotiator.encodings as (names: readonly string[], options: object) => string[]
  const [first] = encodings.call(negotiator, offered, { preferred: offered })
  const encoding = first === undefined || first === 'identity' ? undefined : (first as Encoding)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(header, encoding)
  return encoding
}

export const isEncoding = (name: string): name is Encoding => Object.hasOwn(codecs, name)

/** All of the bytes, compressed. */
export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => codecs[encoding].whole(bytes)

/** Compresses what passes. */
export const compressor = (encoding: Encoding): Transform => codecs[encoding].stream()

const PIECE = 128 * 1024

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/** zstd without zlib's: a frame for every 128 KiB. Frames one after the other are a zstd stream (RFC 8878, 3.1). */
function zstdFrames(): Transform {
  let held: Buffer[] = []
  let length = 0
  const frame = async (): Promise<Buffer> => {
    const { Zstd } = await import('@hpcc-js/wasm-zstd')
    const zstd = await Zstd.load()
    const bytes = Buffer.concat(held)
    held = []
    length = 0
    return Buffer.from(zstd.compress(bytes, 3))
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      held.push(chunk)
      length += chunk.length
      if (length < PIECE) return done()
      frame().then((bytes) => done(null, bytes), done)
    },
    flush(done) {
      frame().then((bytes) => done(null, bytes), done)
    },
  })
}
