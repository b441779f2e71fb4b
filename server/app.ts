/** The whole service as a Fastify instance that listens nowhere: `main.ts` starts it, tests inject into it. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Workers } from '../workers/pool.ts'
import type { Access } from './access/access.ts'
import { registerAccount } from './access/account.ts'
import { registerAdmission, registerIdentity } from './access/admission.ts'
import type { Dataset } from './catalog/define.ts'
import type { Entities } from './catalog/describe.ts'
import { loadDatasets } from './catalog/registry.ts'
import type { Config } from './config/config.ts'
import type { Engine } from './engine/engine.ts'
import type { DataDamaged } from './engine/errors.ts'
import { watchFetches } from './fetches.ts'
import { Cache } from './http/cache/cache.ts'
import { registerDocs } from './http/docs.ts'
import { lostPage, registerExplorer } from './http/explorer.ts'
import { answerPreflights, registerFixedHeaders } from './http/fixed-headers.ts'
import { Gate } from './http/gate.ts'
import { registerHealth } from './http/health.ts'
import { OpenAnswers } from './http/open-answers.ts'
import { asProblem, sendProblem } from './http/problems.ts'
import {
  pathInAddress,
  rejectMalformedRequest,
  rejectNonReadRequests,
  rejectOnConnections,
  rejectUnderPressure,
} from './http/refusals.ts'
import { registerDatasets } from './http/routes.ts'
import { registerMcp } from './mcp/http.ts'
import { Metrics } from './ops/metrics.ts'
import { registerObservation } from './ops/observe.ts'
import type { Tracer } from './ops/tracing.ts'
import { packageVersion } from './package-version.ts'
import type { Published } from './published.ts'

export interface AppDeps {
  readonly engine: Engine
  readonly workers: Workers
  readonly access: Access
  /** The data version that requests see now; null before the first publish. */
  readonly published: () => Published | null
  /** Set where nothing is published because the data is damaged. */
  readonly damage?: () => DataDamaged | null
  readonly logger?: FastifyServerOptions['loggerInstance']
  /** Where requests are counted; without it nobody reads what is. */
  readonly metrics?: Metrics
  readonly tracer?: Tracer
  /** Adds what comes before all else that is done for a request. */
  readonly before?: (app: FastifyInstance) => void
  /** Other datasets than the declared ones, for tests of the frame. */
  readonly datasets?: ReadonlyMap<string, Dataset>
}

export async function buildApp(config: Config, deps: AppDeps): Promise<FastifyInstance> {
  const metrics = deps.metrics ?? new Metrics()
  const synthetic = (): boolean => deps.published()?.publication.synthetic ?? false
  const app = fastify({
    ...(deps.logger && { loggerInstance: deps.logger }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    http: {
      maxHeaderSize: config.maxHeaderBytes,
      connectionsCheckingInterval: 5_000,
      // refused by a problem instead
      requireHostHeader: false,
    },
    rewriteUrl: pathInAddress,
    requestTimeout: config.requestSeconds * 1000,
    // while a stop drains, what still comes over an open connection is answered, and the connection closed
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    // a malformed URL comes here before any hook
    frameworkErrors: (error, request, reply) =>
      void sendProblem(request, reply.header('access-control-allow-origin', '*'), asProblem(error)),
    clientErrorHandler: (error, socket) => {
      const code = rejectMalformedRequest(error, socket)
      if (code) metrics.refused(code)
    },
  })
  deps.before?.(app)
  rejectOnConnections(app.server, (code) => metrics.refused(code))
  app.decorateRequest('cacheState', 'bypass')
  const observeLeft = registerObservation(app, config, { metrics, tracer: deps.tracer })
  app.setErrorHandler((error, request, reply) => {
    if (reply.raw.destroyed) return reply
    const problem = asProblem(error)
    const { code, cause } = problem
    if (code === 'internal') request.log.error({ err: cause, code }, 'failed')
    else if (cause !== undefined && problem.status >= 500)
      request.log.warn({ err: cause, code }, 'not answered')
    return sendProblem(request, reply, problem)
  })
  await registerIdentity(app, deps.access)
  await registerFixedHeaders(app)
  // after those, so that a page of another origin can read a refusal too
  rejectNonReadRequests(app, config, lostPage(synthetic))
  await answerPreflights(app)
  await rejectUnderPressure(app, config)
  const settleLeft = registerAdmission(app, deps.access)

  const datasets = deps.datasets ?? (await loadDatasets())
  const gate = new Gate({
    slots: config.maxConcurrentQueries,
    longestWaitMs: config.maxWaitMs,
    perClient: config.clientQueries,
  })
  const open = new OpenAnswers({
    perClient: config.clientQueries,
    stallMs: config.stallSeconds * 1000,
    longestMs: config.streamSeconds * 1000,
    blocked: () => gate.blocked,
  })
  app.addHook('onClose', async () => open.close())
  const fetches = watchFetches(deps.engine)
  metrics.watch({ engine: deps.engine, gate, open, published: deps.published, fetches })
  const cache = new Cache(
    {
      memory: config.cacheMib * MIB,
      longest: config.cacheAnswerMib * MIB,
      files: config.cacheFilesMib * MIB,
      folder: join(config.dataDir, 'answers'),
      open,
      onLeft: (request, reply) => {
        settleLeft(request, reply)
        observeLeft(request, reply)
      },
    },
    () => deps.published() ?? nothing,
  )
  registerDatasets(app, { ...deps, gate, cache, fetches, datasets, codeId: packageVersion })
  const held = (): Entities => deps.published()?.examples ?? none
  registerAccount(app, deps.access)
  registerHealth(app, deps)
  await registerDocs(app, { datasets, cache, held, limits: deps.access.limits })
  registerMcp(app)
  registerExplorer(app, { cache, synthetic })
  return app
}

/** Example entities before the first publish. */
const none: Entities = {}
/** Placeholder for the data version before the first publish. */
const nothing = {}

const MIB = 2 ** 20
