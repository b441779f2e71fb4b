import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** SHA-256 of a file, in hexadecimal, reading it once in constant memory. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}

export function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Passes bytes through and knows, at the end, their SHA-256 and number. */
export class DigestStream extends Transform {
  readonly #hash = createHash('sha256')
  bytes = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#hash.update(chunk)
    this.bytes += chunk.length
    callback(null, chunk)
  }

  /** Hexadecimal; may be asked for once, after the end. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}
