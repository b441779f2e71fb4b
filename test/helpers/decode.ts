import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { decompress } from 'fzstd'

/** The bytes before they were compressed. zstd by a decoder of its own, on every Node alike. */
export async function decode(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  switch (encoding) {
    case undefined:
      return bytes
    case 'br':
      return promisify(zlib.brotliDecompress)(bytes)
    case 'gzip':
      return promisify(zlib.gunzip)(bytes)
    case 'zstd':
      return Buffer.from(decompress(bytes))
    default:
      throw new Error(`no decoder for ${encoding}`)
  }
}
