/** What is seen of every request once it is over: its metrics, its line in the log, its trace. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Plan } from '../access/plans.ts'
import { safeUrl } from '../access/secret.ts'
import type { Config } from '../config.ts'
import type { ProblemCode } from '../errors.ts'
import type { CacheState } from '../http/cache/cache.ts'
import type { Metrics } from './metrics.ts'
import { serverTiming, type Timing } from './timing.ts'
import type { Tracer } from './tracing.ts'

/** A request that is over. */
export interface Finished {
  /** Key of the dataset; `other` for documents, health and what is not there. */
  readonly dataset: string
  /** As sent; 499 where the client left before the answer was whole. */
  readonly status: number
  readonly cache: CacheState
  readonly milliseconds: number
  readonly bytes: number
  readonly timing: Timing | null
  readonly problem: ProblemCode | null
  /** Of the client; undefined where the request could not be read. */
  readonly plan: Plan | undefined
  /** Whether it took one from the allowance of the day. */
  readonly counted: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of requests for a dataset. */
    timing: Timing | null
    /** Whether it was written down that it is over. */
    observed: boolean
    /** What went out on the connection before this answer. */
    sentBefore: number
  }
  interface FastifyReply {
    /** Why the answer is a problem. */
    problem: ProblemCode | null
  }
}

export interface Observers {
  readonly metrics: Metrics
  readonly tracer: Tracer | undefined
}

/** The status that a client is counted under who left before its answer was whole; nginx's number for it. */
const LEFT = 499

/** @returns to be called when a client leaves before its answer is whole, of which Fastify has no hook */
export function registerObservation(
  app: FastifyInstance,
  { requestLog }: Pick<Config, 'requestLog'>,
  { metrics, tracer }: Observers,
): (request: FastifyRequest, reply: FastifyReply) => void {
  app.decorateRequest('timing', null)
  app.decorateRequest('sentBefore', 0)
  app.decorateRequest('observed', false)
  app.decorateReply('problem', null)
  app.addHook('onRequest', (request, _, done) => {
    request.sentBefore = request.raw.socket.bytesWritten
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('server-timing', serverTiming(request.timing, request.cacheState, reply.elapsedTime))
    done(null, payload)
  })
  const over = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    if (request.observed) return
    request.observed = true
    const finished = finish(request, reply, status)
    metrics.finished(finished)
    tracer?.request(request, finished)
    if (requestLog === 'all' || (requestLog === 'failed' && finished.status >= 500)) {
      logRequest(request, finished)
    }
  }
  app.addHook('onResponse', (request, reply, done) => {
    over(request, reply, reply.statusCode)
    done()
  })
  return (request, reply) => over(request, reply, LEFT)
}

function finish(request: FastifyRequest, reply: FastifyReply, status: number): Finished {
  return {
    dataset: request.routeOptions.config.dataset?.key ?? 'other',
    status,
    cache: request.cacheState,
    milliseconds: reply.elapsedTime,
    // where there is no socket (a test's injection) there is nothing to count
    bytes: request.raw.socket.bytesWritten - request.sentBefore || 0,
    timing: request.timing,
    problem: reply.problem,
    plan: request.client?.plan,
    counted: Boolean(request.counted),
  }
}

/** One line a request. What a client sends in headers is not in it: a key is among that. */
function logRequest(request: FastifyRequest, finished: Finished): void {
  const { dataset, status, cache, milliseconds, bytes, timing, problem } = finished
  request.log.info(
    {
      method: request.method,
      url: safeUrl(request.url),
      client: request.client.id,
      address: request.ip,
      dataset,
      status,
      cache,
      ms: Number(milliseconds.toFixed(2)),
      bytes,
      ...(problem !== null && { problem }),
      ...(timing !== null &&
        timing.parts.length > 0 && {
          rows: timing.rows,
          gateMs: Number(timing.of('gate').toFixed(2)),
          engineMs: Number(timing.of('engine').toFixed(2)),
        }),
    },
    'request',
  )
}
