import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_ROOT, catalog, type Tier } from '../datasets/catalog.ts'
import type { Dataset } from '../datasets/define.ts'
import { Problem } from '../errors.ts'
import { formats } from '../formats/names.ts'
import { negotiate } from '../formats/negotiate.ts'
import { Timing } from '../ops/timing.ts'
import type { Published } from '../published.ts'
import { formatsOf, parse } from '../query/parse.ts'
import { plan } from '../query/plan.ts'
import type { AnswerDeps } from './answer.ts'
import { produce } from './answer.ts'
import type { Cache } from './cache/cache.ts'
import { tagOf } from './cache/tags.ts'
import { produceComposite } from './composite.ts'
import { produceResident, residentOf } from './resident-answer.ts'

export interface RouteDeps extends AnswerDeps {
  readonly datasets: ReadonlyMap<string, Dataset>
  /** What requests see now; null before the first publish. A request takes it once. */
  readonly published: () => Published | null
  readonly cache: Cache
  /** Stands for the code in ETags: other code may write other bytes. */
  readonly codeId: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Key and tier of the dataset that the route serves. */
    dataset?: { readonly key: string; readonly tier: Tier }
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
        ? (request, reply) => deps.cache.hit(request, reply) ?? serve(dataset, request, reply, deps)
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

  const held = dataset.parts ? undefined : residentOf(planned, format, published)
  const negotiated = query.format === undefined
  const key = `${format} ${query.path}?${query.canonical} ${query.offset}`
  const client = request.client.id
  return deps.cache.answer(request, reply, {
    version: published,
    key,
    negotiated,
    // one bank's filings are some hundred rows at most
    atHand: held !== undefined && dataset.pathParameters.length > 0,
    facts: {
      // Arrow has other bytes from memory, which is a setting of each server
      tag: tagOf(deps.codeId, publication.dataVersion, held && format === 'arrow' ? `memory ${key}` : key),
      // a publish changes answers at any time: what is kept anywhere is asked about each time, which costs a 304
      cacheControl: dataset.tier === 'Public' ? 'public, no-cache' : 'private, no-cache',
      vary: varyOf(negotiated, formats[format].compressible),
      compressible: formats[format].compressible,
    },
    produce: (signal) => {
      const timing = new Timing()
      request.timing = timing
      const answering = { plan: planned, format, published, signal, client, timing }
      if (dataset.parts) return produceComposite(deps, answering)
      return held ? produceResident(answering, held) : produce(deps, answering)
    },
  })
}

/** The request headers that an answer depends on. */
function varyOf(negotiated: boolean, compressible: boolean): string | undefined {
  const names = [...(negotiated ? ['Accept'] : []), ...(compressible ? ['Accept-Encoding'] : [])]
  return names.length === 0 ? undefined : names.join(', ')
}

/** What datasets of banks are made of: without it they have no quarter to look from; those of rates do not need one. */
const FILINGS = 'ffiec-call-report'

const noData = (): Problem =>
  new Problem('no-data', 'no data is published yet: it is still being built or loaded', { retryAfter: 5 })
