/** An answer whose bytes are whole, in the codings that were asked for so far. */
import type { Produced } from '../answers/answering.ts'
import { AT_ONCE } from '../open-answers.ts'
import type { Budget } from './budget.ts'
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
  #compressing: Map<Encoding, Promise<Variant>> | undefined
  readonly #budget: Budget
  #onGrowth: ((bytes: number) => void) | undefined
  /** Clients that it is being sent to. */
  #readers = 0
  #countedFinished = 0
  #countedHeld = 0
  /** Bytes in memory, all codings together. */
  size: number
  /** Asked for since the store last looked for something to drop. */
  used = true

  constructor(facts: Facts, headers: Produced['headers'], bytes: Buffer, budget: Budget) {
    this.facts = facts
    this.#budget = budget
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
    this.#compressing ??= new Map()
    let compressing = this.#compressing.get(encoding!)
    if (!compressing) {
      compressing = this.#compress(encoding!)
      this.#compressing.set(encoding!, compressing)
    }
    return compressing
  }

  /** It is kept. @param onGrowth told when another coding makes it larger */
  keep(onGrowth: (bytes: number) => void): void {
    this.#onGrowth = onGrowth
    this.#count()
  }

  /** It is not kept any more. */
  drop(): void {
    this.#onGrowth = undefined
    this.#count()
  }

  /** Whether it is being sent: dropped or not, it takes memory. */
  get held(): boolean {
    return this.#readers > 0
  }

  /** Whether there is memory to hold it for a client. */
  get mayBeHeld(): boolean {
    return this.held || this.size <= AT_ONCE || this.#budget.mayHold(this.size)
  }

  /** It is being sent to one more client. @returns to be called once when that is over */
  hold(): () => void {
    this.#readers++
    this.#count()
    return () => {
      this.#readers--
      this.#count()
    }
  }

  #count(): void {
    const held = this.held ? this.size : 0
    const finished = this.#onGrowth ? this.size : held
    this.#budget.count(finished - this.#countedFinished, held - this.#countedHeld)
    this.#countedFinished = finished
    this.#countedHeld = held
  }

  async #compress(encoding: Encoding): Promise<Variant> {
    try {
      const bytes = await compress(this.identity.bytes, encoding)
      const smaller = bytes.length < this.identity.bytes.length
      const variant = smaller ? variantOf(this.facts, this.#produced, bytes, encoding) : this.identity
      this.#encoded[encoding] = variant
      if (smaller) {
        this.size += bytes.length
        this.#count()
        this.#onGrowth?.(bytes.length)
      }
      return variant
    } finally {
      this.#compressing!.delete(encoding)
    }
  }
}

function variantOf(facts: Facts, produced: Produced['headers'], bytes: Buffer, encoding?: Encoding): Variant {
  const headers = headersOf(facts, produced, encoding)
  headers['content-length'] = String(bytes.length)
  return { headers, bytes }
}

/** Headers of an answer of that coding, but for its length. Ranges are served of the plain bytes alone. */
export function headersOf(
  facts: Facts,
  produced: Produced['headers'],
  encoding?: Encoding,
): Record<string, string> {
  const headers = validators(facts, entityTag(facts.tag, encoding), { ...produced })
  if (encoding === undefined) headers['accept-ranges'] = 'bytes'
  else headers['content-encoding'] = encoding
  return headers
}

/** What a 304 says as well. @param headers that these are added to */
export function validators(
  { cacheControl, vary }: Facts,
  etag: string,
  headers: Record<string, string> = {},
): Record<string, string> {
  headers.etag = etag
  headers['cache-control'] = cacheControl
  if (vary !== undefined) headers.vary = vary
  return headers
}
