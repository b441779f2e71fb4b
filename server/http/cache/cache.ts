/**
 * Answers by what they answer. Kept as finished bytes for one data version, within a number of bytes; equal requests
 * share one query; what is too long to be kept passes as a stream, or lies in a file where its length or a range is
 * asked for.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Produced } from '../answers/answering.ts'
import { AT_ONCE, type OpenAnswers } from '../open-answers.ts'
import type { Asked } from './asked.ts'
import { Before } from './before.ts'
import { beginning } from './beginning.ts'
import { Budget } from './budget.ts'
import { Files, Space } from './files.ts'
import { type Facts, Finished } from './finished.ts'
import { Flight } from './flight.ts'
import {
  checkMatch,
  codingFor,
  sendFiled,
  sendFinished,
  sendNotModified,
  sendStream,
  sendVariant,
} from './send.ts'
import { Store } from './store.ts'

export interface CacheOptions {
  /** Bytes of memory; 0 keeps nothing. */
  readonly memory: number
  /** Bytes of the longest answer that is kept in it. */
  readonly longest: number
  /** Bytes of all files together; 0 writes none. */
  readonly files: number
  readonly folder: string
  readonly open: OpenAnswers
  /** Told when the connection is closed before the answer is whole. */
  readonly onLeft?: (request: FastifyRequest, reply: FastifyReply) => void
}

/** What is known of one data version's answers; gone with it. */
interface Generation {
  readonly version: object
  readonly store: Store
  readonly files: Files
  readonly flights: Map<string, Flight>
  /** Keys of answers that were found too long to be kept. */
  readonly long: Set<string>
  readonly before: Before
}

const MOST_LONG = 10_000
/** For work that nothing ends. */
const NEVER = new AbortController().signal

export class Cache {
  readonly #options: CacheOptions
  readonly #current: () => object
  readonly #budget: Budget
  readonly #space: Space
  #generation: Generation | undefined

  /** @param current what is served now, as `Asked.version` */
  constructor(options: CacheOptions, current: () => object) {
    this.#options = options
    this.#current = current
    this.#budget = new Budget(options.memory)
    this.#space = new Space(options.files)
  }

  /** What is served now. */
  get version(): object {
    return this.#current()
  }

  /** Kept answers and their bytes. */
  get kept(): { count: number; bytes: number } {
    const store = this.#generation?.store
    return { count: store?.count ?? 0, bytes: store?.size ?? 0 }
  }

  /** Answers a request whose very text was answered before, without reading it. Undefined where that is not so. */
  hit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply | undefined {
    const finished = this.#of(this.#current())?.store.byUrl(request.raw)
    if (!finished) return undefined
    const { headers, method } = request.raw
    checkMatch(request.raw, finished.facts)
    if (sendNotModified(request, reply, finished.facts)) return reply
    request.cacheState = 'hit'
    const plain = headers.range === undefined && headers['if-none-match'] === undefined
    const variant = plain ? finished.variant(codingFor(request.raw, finished.facts)) : undefined
    if (!variant) return finished.mayBeHeld ? this.#sendFinished(request, reply, finished) : undefined
    if (variant.bytes.length > AT_ONCE && method !== 'HEAD') {
      if (!finished.mayBeHeld) return undefined
      this.#hold(request, reply, finished)
    }
    return sendVariant(request, reply, variant)
  }

  /** Answers a request: from what is kept, from the query of an equal one, or from its own. */
  answer(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply> | FastifyReply {
    const { key, facts, negotiated } = asked
    const { raw } = request
    checkMatch(raw, facts)
    if (sendNotModified(request, reply, facts)) return reply
    const generation = this.#of(asked.version)
    const kept = generation?.store.get(key)
    if (kept) {
      generation!.store.remember(key, raw, negotiated)
      if (kept.mayBeHeld) {
        request.cacheState = 'hit'
        return this.#sendFinished(request, reply, kept)
      }
    }
    return asked.atHand && !kept && !generation?.flights.has(key)
      ? this.#atHand(request, reply, generation, asked)
      : this.#shared(request, reply, generation, asked, kept === undefined)
  }

  /** By the query of an equal request, or one of its own. @param mayKeep whether there may be room for its bytes */
  async #shared(
    request: FastifyRequest,
    reply: FastifyReply,
    generation: Generation | undefined,
    asked: Asked,
    mayKeep: boolean,
  ): Promise<FastifyReply> {
    const { key, facts, negotiated } = asked
    const { raw } = request
    const signal = this.#goneSignal(request, reply)
    if (!generation) return this.#stream(request, reply, facts, await asked.produce(signal))
    const whole = request.method === 'HEAD' || raw.headers.range !== undefined
    while (mayKeep && !generation.long.has(key)) {
      const others = generation.flights.get(key)
      request.cacheState = others ? 'shared' : 'miss'
      const flight = others ?? this.#begin(generation, asked)
      const outcome = await flight.join({ signal, whole })
      if (outcome.kind === 'again') continue
      if (outcome.kind === 'finished') {
        generation.store.remember(key, raw, negotiated)
        return this.#sendFinished(request, reply, outcome.finished)
      }
      if (outcome.kind === 'stream') {
        if (whole) return this.#whole(request, reply, generation, asked, signal, outcome)
        outcome.body.once('end', () => {
          if (generation.long.has(key)) request.cacheState = 'stream'
        })
        return this.#stream(request, reply, facts, outcome)
      }
    }
    if (whole) return this.#whole(request, reply, generation, asked, signal)
    request.cacheState = 'stream'
    return this.#stream(request, reply, facts, await asked.produce(signal))
  }

  /** Answers one client alone: nothing of it is kept or shared, no tag tells it apart, and no proxy may keep it. */
  async pass(request: FastifyRequest, reply: FastifyReply, produce: Asked['produce']): Promise<FastifyReply> {
    const { headers, body } = await produce(this.#goneSignal(request, reply))
    reply.headers({ ...headers, 'cache-control': 'private, no-store' })
    if (request.method === 'HEAD') {
      if (!Buffer.isBuffer(body)) body.destroy()
      return reply.send()
    }
    this.#options.open.begin(request, reply, body)
    return reply.send(body)
  }

  async #atHand(
    request: FastifyRequest,
    reply: FastifyReply,
    generation: Generation | undefined,
    asked: Asked,
  ): Promise<FastifyReply> {
    const { key, facts, negotiated, produce } = asked
    const produced = await produce(NEVER)
    const { headers, body } = produced
    if (!Buffer.isBuffer(body)) {
      const first = beginning(produced, produce)
      try {
        return await this.#shared(request, reply, generation, { ...asked, produce: first.produce }, true)
      } finally {
        first.leave()
      }
    }
    request.cacheState = 'miss'
    const finished = new Finished(facts, headers, body, this.#budget)
    // made anew as quickly as it is kept: worth keeping where somebody asks again
    if (generation?.before.again(facts.tag) && finished.size <= this.#options.longest) {
      generation.store.keep(key, finished)
      generation.store.remember(key, request.raw, negotiated)
    }
    return this.#sendFinished(request, reply, finished)
  }

  /** A long answer whose length or ranges are asked for. @param begun its stream, where a query runs already */
  async #whole(
    request: FastifyRequest,
    reply: FastifyReply,
    { files }: Generation,
    { key, facts, produce }: Asked,
    signal: AbortSignal,
    begun?: Produced,
  ): Promise<FastifyReply> {
    request.cacheState = 'file'
    // a compressed stream has no length that could be told
    if (codingFor(request.raw, facts) === undefined) {
      const first = beginning(begun, produce)
      const filed = await files.get(key, signal, first.produce)
      first.leave()
      if (filed && !filed.closed) {
        if (request.method !== 'HEAD') this.#hold(request, reply, filed)
        return sendFiled(request, reply, facts, filed)
      }
      request.cacheState = 'stream'
      return this.#stream(request, reply, facts, await produce(signal))
    }
    request.cacheState = 'stream'
    return this.#stream(request, reply, facts, begun ?? (await produce(signal)))
  }

  /** Sends an answer whose bytes are whole; where it is long, it is in memory until it is sent. */
  #sendFinished(
    request: FastifyRequest,
    reply: FastifyReply,
    finished: Finished,
  ): Promise<FastifyReply> | FastifyReply {
    if (finished.size > AT_ONCE && request.method !== 'HEAD') this.#hold(request, reply, finished)
    return sendFinished(request, reply, finished)
  }

  #hold(request: FastifyRequest, reply: FastifyReply, held: { hold(): () => void }): void {
    this.#options.open.begin(request, reply)
    this.#watch(request, reply)
    reply.raw.once('close', held.hold())
  }

  #stream(request: FastifyRequest, reply: FastifyReply, facts: Facts, produced: Produced): FastifyReply {
    if (request.method !== 'HEAD') this.#options.open.begin(request, reply, produced.body)
    return sendStream(request, reply, facts, produced)
  }

  #begin({ flights, store, long, before }: Generation, { key, facts, produce }: Asked): Flight {
    const flight = new Flight({
      produce,
      again: before.again(facts.tag),
      budget: this.#budget,
      longest: Math.min(this.#options.longest, this.#options.memory / 2),
      finish: (headers, bytes) => {
        const finished = new Finished(facts, headers, bytes, this.#budget)
        store.keep(key, finished)
        return finished
      },
      onOver: (end) => {
        flights.delete(key)
        if (end !== 'long') return
        if (long.size >= MOST_LONG) long.clear()
        long.add(key)
      },
    })
    flights.set(key, flight)
    return flight
  }

  /** The answers of a version; undefined when another one is served by now. */
  #of(version: object): Generation | undefined {
    if (this.#generation?.version === version) return this.#generation
    if (this.#current() !== version) return undefined
    this.#generation?.files.close()
    this.#generation?.store.clear()
    const { folder } = this.#options
    this.#generation = {
      version,
      store: new Store(this.#budget),
      files: new Files(folder, this.#space),
      flights: new Map(),
      long: new Set(),
      before: new Before(),
    }
    return this.#generation
  }

  /** Aborted when the client goes away before it has its answer. */
  #goneSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
    const gone = new AbortController()
    this.#watch(request, reply, () => gone.abort(new Error('the client is gone')))
    return gone.signal
  }

  /** @param onGone told when the client goes away before it has its answer */
  #watch(request: FastifyRequest, reply: FastifyReply, onGone?: () => void): void {
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      this.#options.onLeft?.(request, reply)
      onGone?.()
    })
  }
}
