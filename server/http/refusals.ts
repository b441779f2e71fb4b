/** What is refused before it reaches a route. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusedUrl } from '../access/admission.ts'
import type { Config } from '../config.ts'
import { API_ROOT } from '../datasets/catalog.ts'
import { Problem, type ProblemCode } from '../errors.ts'
import { likelyPath } from './paths.ts'

/** Refuses other methods than reading ones, and URLs that are too long, malformed or lead nowhere. */
export function refuseWhatIsNoRead(app: FastifyInstance, { maxUrlLength }: Config): void {
  app.setNotFoundHandler((request) => {
    throw nothingAt(pathOf(request.url))
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done(refusal(request, maxUrlLength))
  })
}

/** Refuses everything but health while this process itself is too busy to answer in time. */
export async function refuseUnderPressure(app: FastifyInstance, config: Config): Promise<void> {
  if (config.maxEventLoopDelayMs === 0) return
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    pressureHandler: async (request) => {
      if (request.url.startsWith('/health/')) return
      throw new Problem('overloaded', 'the server has more to do than it can keep up with', { retryAfter: 2 })
    },
  })
}

const UNSENT = 'the request did not come whole in time'

const pathOf = (url: string): string => url.split('?', 1)[0]!.slice(0, 200)

function nothingAt(path: string): Problem {
  const likely = likelyPath(path)
  const hint = likely ? `did you mean ${likely}?` : `${API_ROOT}/datasets/ lists the paths of the datasets`
  return new Problem('not-found', `there is nothing at the path ${path}; ${hint}`)
}

function refusal({ method, url, headers }: FastifyRequest, maxUrlLength: number): Problem | undefined {
  const secret = refusedUrl(url)
  if (secret) return secret
  const preflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  if (method !== 'GET' && method !== 'HEAD' && !preflight) {
    return new Problem('method-not-allowed', `${method} is not allowed here`, { allow: 'GET, HEAD' })
  }
  if (url.length > maxUrlLength) {
    return new Problem(
      'uri-too-long',
      `the URL has ${url.length} characters, at most ${maxUrlLength} are read`,
    )
  }
  const path = pathOf(url)
  // an empty segment would pass for a value of the path
  if (path.includes('//')) return nothingAt(path)
  return hasBrokenEscape(url)
    ? new Problem('bad-request', 'the URL has a percent sign that begins no escape of UTF-8 text')
    : undefined
}

/** The query parser takes an escape that is none as it stands: a value would be read that nobody meant. */
function hasBrokenEscape(url: string): boolean {
  if (!url.includes('%')) return false
  try {
    decodeURIComponent(url)
    return false
  } catch {
    return true
  }
}

/**
 * What the HTTP parser refuses never becomes a request: the problem is written on the socket itself.
 * @returns its code, unless nobody is there to read it
 */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): ProblemCode | undefined {
  if (socket.destroyed || !socket.writable) return undefined
  const large = error.code === 'HPE_HEADER_OVERFLOW'
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const problem = large
    ? new Problem('headers-too-large', 'the headers are larger than this server reads')
    : new Problem('bad-request', late ? UNSENT : 'this is not an HTTP request that can be read')
  const body = `${JSON.stringify({
    type: `/docs/errors#${problem.code}`,
    title: problem.title,
    status: late ? 408 : problem.status,
    detail: problem.message,
    instance: '/',
    code: problem.code,
    request_id: randomUUID(),
  })}\n`
  const status = large
    ? '431 Request Header Fields Too Large'
    : late
      ? '408 Request Timeout'
      : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  return problem.code
}
