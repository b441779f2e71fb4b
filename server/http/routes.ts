import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_ROOT, catalog, type Tier } from '../catalog/catalog.ts'
import { type Dataset, formOf } from '../catalog/define.ts'
import type { DataDamaged } from '../engine/errors.ts'
import { Problem } from '../errors.ts'
import type { Fetches } from '../fetches.ts'
import { formats } from '../formats/names.ts'
import { negotiate } from '../formats/negotiate.ts'
import { formatsOf } from '../formats/offered.ts'
import type { Published } from '../published.ts'
import { parse, refuse } from '../query/parse.ts'
import { plan } from '../query/plan.ts'
import { TableLost } from '../resident/table.ts'
import type { Produced } from './answers/answering.ts'
import { type Choice, choose } from './answers/choose.ts'
import type { CompositeDeps } from './answers/from-parts.ts'
import { askingOf } from './asking.ts'
import type { Cache } from './cache/cache.ts'
import { tagOf } from './cache/tags.ts'
import { differsByPlan, leftOutFor } from './left-out.ts'
import { Timing } from './timing.ts'

export interface RouteDeps extends CompositeDeps {
  /** The data version that requests see now; null before the first publish. A request reads it once. */
  readonly published: () => Published | null
  /** Set where nothing is published because the data is damaged. */
  readonly damage?: () => DataDamaged | null
  readonly cache: Cache
  /** The state of fetching from each source. */
  readonly fetches: () => Promise<Fetches>
  /** Identifies the code in ETags: other code may write other bytes. */
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
    const knownByUrl = dataset && isKnownByUrl(dataset)
    app.route({
      method: ['GET', 'HEAD'],
      url: `${API_ROOT}${entry.path.replace(/\{(\w+)\}/g, ':$1')}`,
      config: { dataset: { key: entry.key, tier: entry.tier } },
      handler: dataset
        ? (request, reply) =>
            (knownByUrl ? deps.cache.hit(request, reply) : undefined) ?? serve(dataset, request, reply, deps)
        : () => {
            throw new Problem(
              'not-served-yet',
              `${entry.name} (${entry.key}) is in the catalog, but not served yet`,
            )
          },
    })
  }
}

/** The stages of a request that was admitted: parse, plan, choose; the cache produces, keeps and sends. */
async function serve(
  declared: Dataset,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RouteDeps,
): Promise<FastifyReply> {
  const published = deps.published()
  if (!published) throw deps.damage?.() ?? noData()
  const { dataVersion } = published.publication

  const texts = request.query as Record<string, string | string[]>
  const dataset = formOf(declared, (name) => texts[name])
  const query = parse(dataset, request.params as Record<string, string>, texts, dataVersion)
  const format = query.format ?? negotiate(request.headers.accept, formatsOf(dataset))
  if (format === 'rss' && query.fields)
    throw refuse([
      {
        parameter: 'fields',
        reason: 'cannot be given together with the format rss',
        allowed: 'one of the two',
      },
    ])
  if (
    dataset.time.kind === 'quarter' &&
    published.coverage.filed(dataset.universe.entity).latest === undefined
  )
    throw noData(
      published.loaded ? `this dataset needs ${dataset.universe.filings}, and none are loaded` : undefined,
    )
  const planned = plan(query, published.coverage)

  const negotiated = query.format === undefined
  const { withFetches, byPlan } = natureOf(dataset)
  const fetches = withFetches ? await deps.fetches() : undefined
  const leftOut = leftOutFor(dataset, request.client.plan)
  const without = leftOut.map(({ part }) => part)
  const asked =
    `${format} ${query.path}?${query.canonical} ${query.cursor} ${fetches?.tag ?? ''} ${without}`.trimEnd()
  const asking = dataset.scope === 'client' ? askingOf(request) : undefined
  const answering = { plan: planned, format, published, client: request.client.id, fetches, asking, leftOut }
  const answer = ({ bytes, atHand, produce }: Choice): FastifyReply | Promise<FastifyReply> => {
    const answered = (signal: AbortSignal): Promise<Produced> => {
      const timing = new Timing()
      request.timing = timing
      return produce(deps, { ...answering, signal, timing })
    }
    if (asking) return deps.cache.pass(request, reply, answered)
    // other bytes are another answer: a range or a condition is never of both
    const key = bytes === 'engine' ? asked : `${bytes} ${asked}`
    return deps.cache.answer(request, reply, {
      version: published,
      key,
      negotiated,
      atHand,
      facts: {
        tag: tagOf(deps.codeId, dataVersion, key),
        // a publish can change answers at any time: caches revalidate each time, which costs a 304
        cacheControl: dataset.tier === 'Public' && !byPlan ? 'public, no-cache' : 'private, no-cache',
        vary: varyOf(byPlan, negotiated, formats[format].compressible),
        compressible: formats[format].compressible,
      },
      produce: answered,
    })
  }
  try {
    return await answer(choose(planned, format, published))
  } catch (error) {
    if (!(error instanceof TableLost)) throw error
    return answer(choose(planned, format, published, false))
  }
}

/** What a declaration says of the answers of a dataset, looked at once. */
interface Nature {
  /** Whether its answers change without a publish. */
  readonly withFetches: boolean
  /** Whether they differ by plan. */
  readonly byPlan: boolean
}

const natures = new WeakMap<Dataset, Nature>()

function natureOf(dataset: Dataset): Nature {
  const nature = natures.get(dataset) ?? {
    withFetches: dataset.steps?.some((step) => 'fetches' in step) ?? false,
    byPlan: differsByPlan(dataset),
  }
  natures.set(dataset, nature)
  return nature
}

/** Whether a URL identifies an answer of one data version, whoever asks. */
function isKnownByUrl(dataset: Dataset): boolean {
  const { withFetches, byPlan } = natureOf(dataset)
  return !withFetches && dataset.scope !== 'client' && !byPlan
}

/** The request headers that an answer depends on. */
function varyOf(byPlan: boolean, negotiated: boolean, compressible: boolean): string | undefined {
  let names = byPlan ? 'Authorization' : ''
  if (negotiated) names = listed(names, 'Accept')
  if (compressible) names = listed(names, 'Accept-Encoding')
  return names === '' ? undefined : names
}

const listed = (names: string, name: string): string => (names === '' ? name : `${names}, ${name}`)

const noData = (detail = 'no data is published yet: it is still being built or loaded'): Problem =>
  new Problem('no-data', detail, { retryAfter: 5 })
