/** Rejects requests before they reach a route. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isHealth, refusedUrl } from '../access/admission.ts'
import { API_ROOT } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'
import { Problem, type ProblemCode } from '../errors.ts'
import { likelyPath, MCP_PATH } from './paths.ts'
import { problemType } from './problems.ts'

/**
 * Rejects methods other than GET and HEAD, but for what is posted to MCP_PATH, and URLs that are too long, malformed or unknown.
 * @param lost answers in place of the problem where nothing is at a path, where it is for it to answer
 */
export function rejectNonReadRequests(
  app: FastifyInstance,
  { maxUrlLength }: Config,
  lost: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined,
): void {
  app.setNotFoundHandler((request, reply) => {
    const page = lost(request, reply)
    if (page) return page
    throw nothingAt(pathOf(request.url))
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done(refusal(request, maxUrlLength))
  })
}

/** Rejects everything but health checks while the event loop of this process is too busy to answer in time. */
export async function rejectUnderPressure(app: FastifyInstance, config: Config): Promise<void> {
  if (config.maxEventLoopDelayMs === 0) return
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    pressureHandler: async (request) => {
      if (isHealth(request)) return
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

const notAllowed = (method: string, path = ''): Problem =>
  new Problem('method-not-allowed', `${method} is not allowed here`, {
    allow: path === MCP_PATH ? 'POST' : 'GET, HEAD',
  })

/** The path of a request target in absolute form, which a proxy may send (RFC 9112, 3.2.2). */
export function pathInAddress({ url = '' }: IncomingMessage): string {
  const [scheme] = /^https?:\/\//i.exec(url) ?? []
  if (scheme === undefined) return url
  const end = url.slice(scheme.length).search(/[/?]/)
  const rest = end < 0 ? '' : url.slice(scheme.length + end)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function refusal({ method, url, headers, raw }: FastifyRequest, maxUrlLength: number): Problem | undefined {
  const secret = refusedUrl(url)
  if (secret) return secret
  const preflight =
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  const path = pathOf(url)
  const read = method === 'GET' || method === 'HEAD'
  if (path === MCP_PATH ? method !== 'POST' : !read && !preflight) return notAllowed(method, path)
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new Problem('bad-request', 'there is no header Host, which HTTP/1.1 wants')
  }
  if (!url.startsWith('/')) {
    return new Problem('bad-request', 'what is asked for is no path: it begins with no slash')
  }
  if (url.length > maxUrlLength) {
    return new Problem(
      'uri-too-long',
      `the URL has ${url.length} characters, at most ${maxUrlLength} are read`,
    )
  }
  // an empty segment would pass for a value of the path
  if (path.includes('//')) return nothingAt(path)
  return hasBrokenEscape(url)
    ? new Problem('bad-request', 'the URL has a percent sign that begins no escape of UTF-8 text')
    : undefined
}

/** The query parser takes a malformed percent escape literally, which would yield a value that nobody meant. */
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
 * Passes to the framework what Node would reject by itself without a problem document, and rejects on the connection what
 * never becomes a request. @param onRejected called with the code of each rejection there
 */
export function rejectOnConnections(server: Server, onRejected: (code: ProblemCode) => void): void {
  // an expectation that is not met may be passed over (RFC 9110, 10.1.1)
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy())
    writeProblem(socket, notAllowed('CONNECT'))
    onRejected('method-not-allowed')
  })
}

/** Answers a request that the HTTP parser rejects. @returns the problem's code, unless the client is gone */
export function rejectMalformedRequest(
  error: Error & { code?: string },
  socket: Socket,
): ProblemCode | undefined {
  if (socket.destroyed || !socket.writable) return undefined
  // it would be read as part of an answer that is being sent on the same connection
  if ((socket as Answering)._httpMessage?.headersSent) {
    socket.destroy()
    return undefined
  }
  const large = error.code === 'HPE_HEADER_OVERFLOW'
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const problem = large
    ? new Problem('headers-too-large', 'the headers are larger than this server reads')
    : new Problem('bad-request', late ? UNSENT : 'this is not an HTTP request that can be read')
  writeProblem(socket, problem, late ? 408 : problem.status)
  return problem.code
}

/** Node's own handler looks at the same. */
type Answering = Socket & { readonly _httpMessage?: ServerResponse | null }

function writeProblem(socket: Duplex, problem: Problem, status = problem.status): void {
  const body = `${JSON.stringify({
    type: problemType(problem.code),
    title: problem.title,
    status,
    detail: problem.message,
    instance: '/',
    code: problem.code,
    request_id: randomUUID(),
  })}\n`
  const allow = problem.allow === undefined ? '' : `Allow: ${problem.allow}\r\n`
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${allow}Content-Type: application/problem+json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
