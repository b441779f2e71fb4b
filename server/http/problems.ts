import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { safeUrl, withoutSecrets } from '../access/secret.ts'
import {
  AnswerCut,
  DataDamaged,
  EngineOverloaded,
  EngineUnavailable,
  QueryTimeout,
  QueryTooLarge,
} from '../engine/errors.ts'
import { Problem } from '../errors.ts'

/** Address of a code's documentation; relative, so that it works behind any proxy. */
export const problemType = (code: string): string => `/docs/errors#${code}`

/** Writes a problem as RFC 9457 `application/problem+json`. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter)
  if (problem.allow !== undefined) reply.header('allow', problem.allow)
  if (problem.authenticate !== undefined) reply.header('www-authenticate', problem.authenticate)
  reply.removeHeader('etag')
  reply.problem = problem.code
  return reply
    .code(problem.status)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer((body: string) => body)
    .send(
      `${JSON.stringify({
        type: problemType(problem.code),
        title: problem.title,
        status: problem.status,
        detail: withoutSecrets(problem.message),
        instance: safeUrl(request.url),
        code: problem.code,
        request_id: request.id,
        ...(problem.errors && { errors: problem.errors }),
      })}\n`,
    )
}

/** The problem that reports a failure to the client. An unexpected one is `internal` and reveals no details. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof EngineUnavailable) {
    const retryAfter = Math.max(1, Math.ceil(error.retryAfterSeconds))
    return new Problem('engine-unavailable', 'the engine cannot answer now', { retryAfter, cause: error })
  }
  if (error instanceof QueryTimeout) {
    return new Problem('query-timeout', 'the query ran longer than it may', { cause: error })
  }
  if (error instanceof QueryTooLarge) {
    return new Problem('query-too-large', error.message, { cause: error })
  }
  if (error instanceof EngineOverloaded) {
    return new Problem('overloaded', error.message, { retryAfter: 2, cause: error })
  }
  if (error instanceof AnswerCut) {
    return new Problem('engine-unavailable', 'the engine broke off its answer', {
      retryAfter: 2,
      cause: error,
    })
  }
  if (error instanceof DataDamaged) {
    return new Problem('engine-unavailable', 'data of this server is damaged: its operator must restore it', {
      retryAfter: 60,
      cause: error,
    })
  }
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_MAX_LIMIT' || statusCode === 414) {
    return new Problem('uri-too-long', 'the URL is longer than this server reads')
  }
  if (statusCode === 431)
    return new Problem('headers-too-large', 'the headers are larger than this server reads')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('bad-request', 'the request cannot be read', { cause: error })
  }
  return new Problem('internal', 'the server failed; the request id finds it in its log', { cause: error })
}
