/** Records every finished request: its metrics, its log line, its trace. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { safeUrl } from '../access/secret.ts'
import type { Config } from '../config/config.ts'
import type { ProblemCode } from '../errors.ts'
import type { EndedBy } from '../http/open-answers.ts'
import { serverTiming, type Timing } from '../http/timing.ts'
import type { Finished } from './finished.ts'
import type { Metrics } from './metrics.ts'
import type { Tracer } from './tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of requests for a dataset. */
    timing: Timing | null
    /** Whether it was recorded as finished. */
    observed: boolean
    /** Bytes sent on the connection before this answer. */
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

/** Status that an answer is counted as which was cut off after 200 was sent. 499 is nginx's. */
const ENDED: Readonly<Record<EndedBy, number>> = {
  client: 499,
  'no progress': 408,
  'stream time': 408,
  engine: 502,
}

/** @returns to be called when a connection is closed before the answer is whole, of which Fastify has no hook */
export function registerObservation(
  app: FastifyInstance,
  { requestLog }: Pick<Config, 'requestLog'>,
  { metrics, tracer }: Observers,
): (request: FastifyRequest, reply: FastifyReply) => void {
  app.decorateRequest('timing', null)
  app.decorateRequest('sentBefore', 0)
  app.decorateRequest('observed', false)
  app.decorateReply('problem', null)
  app.decorateReply('endedBy', null)
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
  return (request, reply) => {
    reply.endedBy ??= 'client'
    over(request, reply, ENDED[reply.endedBy])
  }
}

function finish(request: FastifyRequest, reply: FastifyReply, status: number): Finished {
  return {
    dataset: request.routeOptions.config.dataset?.key ?? 'other',
    status,
    endedBy: reply.endedBy,
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
  const { dataset, status, endedBy, cache, milliseconds, bytes, timing, problem } = finished
  request.log.info(
    {
      method: request.method,
      url: safeUrl(request.url),
      client: request.client.id,
      address: request.address,
      dataset,
      status,
      cache,
      ms: Number(milliseconds.toFixed(2)),
      bytes,
      ...(endedBy !== null && { endedBy }),
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
