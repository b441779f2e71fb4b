/** The whole service as a Fastify instance that listens nowhere: `main.ts` starts it, tests inject into it. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Workers } from '../workers/pool.ts'
import { type Access, refuseSecretInUrl, registerAdmission, registerIdentity } from './access/access.ts'
import type { Config } from './config.ts'
import { API_ROOT } from './datasets/catalog.ts'
import type { Dataset } from './datasets/define.ts'
import type { Entities } from './datasets/document.ts'
import { loadDatasets } from './datasets/registry.ts'
import type { Engine } from './engine/engine.ts'
import { Problem, type ProblemCode } from './errors.ts'
import { Cache } from './http/cache/cache.ts'
import { registerDocs } from './http/docs.ts'
import { Gate } from './http/gate.ts'
import { registerHealth } from './http/health.ts'
import { openapi } from './http/openapi.ts'
import { likelyPath } from './http/paths.ts'
import { asProblem, sendProblem } from './http/problems.ts'
import { registerDatasets } from './http/routes.ts'
import { Metrics } from './ops/metrics.ts'
import { registerObservation } from './ops/observe.ts'
import type { Tracer } from './ops/tracing.ts'
import { packageVersion } from './package-version.ts'
import type { Published } from './published.ts'

export interface AppDeps {
  readonly engine: Engine
  readonly workers: Workers
  readonly access: Access
  /** What requests see now; null before the first publish. */
  readonly published: () => Published | null
  readonly logger?: FastifyServerOptions['loggerInstance']
  /** Where requests are counted; without it nobody reads what is. */
  readonly metrics?: Metrics
  readonly tracer?: Tracer
  /** Other datasets than the declared ones, for tests of the frame. */
  readonly datasets?: ReadonlyMap<string, Dataset>
}

/** Longer URLs than this are 414; longer headers than twice this are 431. */
const LONGEST_URL = 16_384

const EXPOSED = [
  'Accept-Ranges',
  'Content-Range',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-As-Of',
  'X-Data-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

export async function buildApp(config: Config, deps: AppDeps): Promise<FastifyInstance> {
  const metrics = deps.metrics ?? new Metrics()
  const app = fastify({
    ...(deps.logger && { loggerInstance: deps.logger }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies === '' ? false : config.trustedProxies,
    http: { maxHeaderSize: LONGEST_URL * 2 },
    logController: new LogController({ disableRequestLogging: true }),
    // a malformed URL comes here before any hook
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, asProblem(error)),
    clientErrorHandler: (error, socket) => {
      const code = refuseUnreadable(error, socket)
      if (code) metrics.refused(code)
    },
  })
  app.decorateRequest('cacheState', 'bypass')
  const onLeft = registerObservation(app, config, { metrics, tracer: deps.tracer })
  app.setErrorHandler((error, request, reply) => {
    if (reply.raw.destroyed) return reply
    const problem = asProblem(error)
    const { code, cause } = problem
    if (code === 'internal') request.log.error({ err: cause, code }, 'failed')
    else if (cause !== undefined && problem.status >= 500)
      request.log.warn({ err: cause, code }, 'not answered')
    return sendProblem(request, reply, problem)
  })
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, nothingAt(pathOf(request.url))))
  registerIdentity(app, deps.access)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    refuseSecretInUrl(request.url)
    const { method } = request
    const preflight = method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (method !== 'GET' && method !== 'HEAD' && !preflight) {
      throw new Problem('method-not-allowed', `${method} is not allowed here`, { allow: 'GET, HEAD' })
    }
    if (request.url.length > LONGEST_URL) {
      throw new Problem(
        'uri-too-long',
        `the URL has ${request.url.length} characters, at most ${LONGEST_URL} are read`,
      )
    }
    const path = pathOf(request.url)
    // an empty segment would pass for a value of the path
    if (path.includes('//')) throw nothingAt(path)
    refuseBrokenEscapes(request.url)
  })
  await app.register(helmet, {
    contentSecurityPolicy: { directives: contentPolicy },
    strictTransportSecurity: false,
    // answers are open to other origins, as CORS says
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD'],
    exposedHeaders: [...EXPOSED, 'X-Dataset', 'X-Total-Count', 'X-Request-Id'],
  })
  // with CORS headers, so that a browser shows why it was refused
  registerAdmission(app)

  const datasets = deps.datasets ?? (await loadDatasets())
  const gate = new Gate({
    slots: config.maxConcurrentQueries,
    longestWaitMs: config.maxWaitMs,
    perClient: config.clientQueries,
  })
  metrics.watch({ engine: deps.engine, gate, published: deps.published })
  const cache = new Cache(
    {
      memory: config.cacheMib * MIB,
      longest: config.cacheAnswerMib * MIB,
      files: config.cacheFilesMib * MIB,
      folder: join(config.dataDir, 'answers'),
      onLeft,
    },
    () => deps.published() ?? nothing,
  )
  registerDatasets(app, { ...deps, gate, cache, datasets, codeId: packageVersion })
  const held = (): Entities => deps.published()?.examples ?? none
  let document: { readonly text: string; readonly of: Entities } | undefined
  app.get(`${API_ROOT}/openapi.json`, (_, reply) => {
    const of = held()
    if (document?.of !== of) document = { text: JSON.stringify(openapi(datasets, packageVersion, of)), of }
    return reply.type('application/json; charset=utf-8').send(document.text)
  })
  registerHealth(app, deps)
  await registerDocs(app, datasets, held)
  app.get('/', (_, reply) => reply.redirect('/docs', 302))
  return app
}

/** Scripts and styles of the docs come from this server alone; Scalar writes its configuration and styles inline. */
const contentPolicy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'", "'unsafe-inline'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  upgradeInsecureRequests: null,
}

/** What is held before anything is published. */
const none: Entities = {}
/** Stands for the data version before there is one. */
const nothing = {}

const MIB = 2 ** 20

const pathOf = (url: string): string => url.split('?', 1)[0]!.slice(0, 200)

function nothingAt(path: string): Problem {
  const likely = likelyPath(path)
  const hint = likely ? `did you mean ${likely}?` : `${API_ROOT}/datasets/ lists the paths of the datasets`
  return new Problem('not-found', `there is nothing at the path ${path}; ${hint}`)
}

/** The query parser takes an escape that is none as it stands: a value would be read that nobody meant. */
function refuseBrokenEscapes(url: string): void {
  if (!url.includes('%')) return
  try {
    decodeURIComponent(url)
  } catch {
    throw new Problem('bad-request', 'the URL has a percent sign that begins no escape of UTF-8 text')
  }
}

/** What the HTTP parser refuses never becomes a request: the problem is written on the socket itself. */
function refuseUnreadable(
  error: Error & { code?: string },
  socket: import('node:net').Socket,
): ProblemCode | undefined {
  if (socket.destroyed || !socket.writable) return undefined
  const large = error.code === 'HPE_HEADER_OVERFLOW'
  const problem = large
    ? new Problem('headers-too-large', 'the headers are larger than this server reads')
    : new Problem('bad-request', 'this is not an HTTP request that can be read')
  const body = `${JSON.stringify({
    type: `/docs/errors#${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    instance: '/',
    code: problem.code,
    request_id: randomUUID(),
  })}\n`
  const status = large ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  return problem.code
}
