import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_ROOT, catalog } from '../datasets/catalog.ts'
import type { Dataset } from '../datasets/define.ts'
import { Problem } from '../errors.ts'
import { negotiate } from '../formats/negotiate.ts'
import { Timing } from '../ops/timing.ts'
import type { Published } from '../published.ts'
import { formatsOf, parse } from '../query/parse.ts'
import { plan } from '../query/plan.ts'
import type { AnswerDeps } from './answer.ts'
import { produce } from './answer.ts'
import { clientOf } from './client.ts'
import { produceComposite } from './composite.ts'
import { etagOf, noneMatch } from './etag.ts'

export interface RouteDeps extends AnswerDeps {
  readonly datasets: ReadonlyMap<string, Dataset>
  /** What requests see now; null before the first publish. A request takes it once. */
  readonly published: () => Published | null
  /** Stands for the code in ETags: other code may write other bytes. */
  readonly codeId: string
  /** Told when a client leaves before its answer is whole. */
  readonly onLeft?: (request: FastifyRequest, reply: FastifyReply) => void
}

/**
 * Where an answer came from, for metrics: kept bytes (`hit`), the query of an equal request (`shared`), a query of its
 * own (`miss`; `stream` when it is too long to be kept), nowhere as the client has it (`revalidated`), or none of
 * these (`bypass`).
 */
export type CacheState = 'hit' | 'shared' | 'miss' | 'stream' | 'revalidated' | 'bypass'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Key and tier of the dataset that the route serves. */
    dataset?: { readonly key: string; readonly tier: string }
  }
  interface FastifyRequest {
    cacheState: CacheState
  }
}

/** One route a path of the catalog; a dataset without a declaration answers `not-served-yet`. */
export function registerDatasets(app: FastifyInstance, deps: RouteDeps): void {
  const paths = new Set<string>()
  for (const entry of catalog) {
    if (paths.has(entry.path)) continue
    paths.add(entry.path)
    const dataset = deps.datasets.get(entry.key)
    app.route({
      method: ['GET', 'HEAD'],
      url: `${API_ROOT}${entry.path.replace(/\{(\w+)\}/g, ':$1')}`,
      config: { dataset: { key: entry.key, tier: entry.tier } },
      handler: dataset
        ? (request, reply) => serve(dataset, request, reply, deps)
        : () => {
            throw new Problem(
              'not-served-yet',
              `${entry.name} (${entry.key}) is in the catalog, but not served yet`,
            )
          },
    })
  }
}

async function serve(
  dataset: Dataset,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RouteDeps,
): Promise<FastifyReply> {
  const published = deps.published()
  if (!published) throw noData()
  const { publication } = published
  const texts = request.query as Record<string, string | string[]>
  const query = parse(dataset, request.params as Record<string, string>, texts, publication.dataVersion)
  const format = query.format ?? negotiate(request.headers.accept, formatsOf(dataset))
  if (published.holdings.latest === undefined && dataset.sources.includes(FILINGS)) throw noData()
  const planned = plan(query, published.holdings)

  const tag = [deps.codeId, publication.dataVersion, dataset.key, format, query.path, query.canonical]
  const etag = etagOf(...tag, String(query.offset), query.format ? 'asked' : 'negotiated')
  reply.header('etag', etag).header('vary', 'Accept').header('cache-control', 'no-cache')
  if (noneMatch(request.headers['if-none-match'], etag)) {
    request.cacheState = 'revalidated'
    return reply.code(304).send()
  }

  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return
    gone.abort(new Error('the client is gone'))
    deps.onLeft?.(request, reply)
  })
  const timing = new Timing()
  request.timing = timing
  const client = clientOf(request)
  const answering = { plan: planned, format, published, signal: gone.signal, client, timing }
  const { headers, body } = await (dataset.parts
    ? produceComposite(deps, answering)
    : produce(deps, answering))
  request.cacheState = Buffer.isBuffer(body) ? 'miss' : 'stream'
  reply.headers(headers)
  if (request.method !== 'HEAD') return reply.send(body)
  if (Buffer.isBuffer(body)) reply.header('content-length', body.length)
  else body.destroy()
  return reply.send()
}

/** What datasets of banks are made of: without it they have no quarter to look from; those of rates do not need one. */
const FILINGS = 'ffiec-call-report'

const noData = (): Problem =>
  new Problem('no-data', 'no data is published yet: it is still being built or loaded', { retryAfter: 5 })
