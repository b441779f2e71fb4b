/** An answer whose bytes are whole, in the codings that were asked for so far. */
import type { Produced } from '../answer.ts'
import { compress, type Encoding } from './encodings.ts'
import { entityTag } from './tags.ts'

/** What is the same for every answer to a query, whether it is kept, streamed or not sent at all. */
export interface Facts {
  /** The opaque part of the ETag, without coding and quotes. */
  readonly tag: string
  readonly cacheControl: string
  readonly vary: string | undefined
  /** Whether bytes of its format become fewer by compressing. */
  readonly compressible: boolean
}

/** One coding of an answer, ready to be sent. */
export interface Variant {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** Shorter answers gain less from compressing than a packet holds. */
const WORTH_COMPRESSING = 1024
/** What an answer takes in memory beside its bytes: headers, keys. */
const OVERHEAD = 1500

export class Finished {
  readonly facts: Facts
  readonly identity: Variant
  readonly #produced: Produced['headers']
  readonly #encoded: Partial<Record<Encoding, Variant>> = {}
  readonly #compressing = new Map<Encoding, Promise<Variant>>()
  #onGrowth: ((bytes: number) => void) | undefined
  /** Bytes in memory, all codings together. */
  size: number
  /** Asked for since the store last looked for something to drop. */
  used = true

  constructor(facts: Facts, headers: Produced['headers'], bytes: Buffer) {
    this.facts = facts
    this.#produced = headers
    this.identity = variantOf(facts, headers, bytes)
    this.size = bytes.length + OVERHEAD
  }

  /** The variant of a coding, where it is there already. */
  variant(encoding: Encoding | undefined): Variant | undefined {
    if (encoding === undefined || !this.facts.compressible || this.identity.bytes.length < WORTH_COMPRESSING)
      return this.identity
    return this.#encoded[encoding]
  }

  /** The variant of a coding; compressed once, however many ask. */
  async encoded(encoding: Encoding | undefined): Promise<Variant> {
    const there = this.variant(encoding)
    if (there) return there
    let compressing = this.#compressing.get(encoding!)
    if (!compressing) {
      compressing = this.#compress(encoding!)
      this.#compressing.set(encoding!, compressing)
    }
    return compressing
  }

  /** Tells a store when another coding makes the answer larger. */
  onGrowth(listener: ((bytes: number) => void) | undefined): void {
    this.#onGrowth = listener
  }

  async #compress(encoding: Encoding): Promise<Variant> {
    try {
      const bytes = await compress(this.identity.bytes, encoding)
      const smaller = bytes.length < this.identity.bytes.length
      const variant = smaller ? variantOf(this.facts, this.#produced, bytes, encoding) : this.identity
      this.#encoded[encoding] = variant
      if (smaller) {
        this.size += bytes.length
        this.#onGrowth?.(bytes.length)
      }
      return variant
    } finally {
      this.#compressing.delete(encoding)
    }
  }
}

function variantOf(facts: Facts, produced: Produced['headers'], bytes: Buffer, encoding?: Encoding): Variant {
  const headers = { ...headersOf(facts, produced, encoding), 'content-length': String(bytes.length) }
  return { headers, bytes }
}

/** Headers of an answer of that coding, but for its length. Ranges are served of the plain bytes alone. */
export function headersOf(
  facts: Facts,
  produced: Produced['headers'],
  encoding?: Encoding,
): Record<string, string> {
  return {
    ...produced,
    ...validators(facts, entityTag(facts.tag, encoding)),
    ...(encoding === undefined ? { 'accept-ranges': 'bytes' } : { 'content-encoding': encoding }),
  }
}

/** What a 304 says as well. */
export function validators({ cacheControl, vary }: Facts, etag: string): Record<string, string> {
  return { etag, 'cache-control': cacheControl, ...(vary !== undefined && { vary }) }
}
