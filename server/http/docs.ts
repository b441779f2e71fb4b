/** Documentation for people: the API reference, a page per dataset and the list of problems. Nothing is loaded from other hosts. */
import { readFile } from 'node:fs/promises'
import scalar from '@scalar/fastify-api-reference'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ClientPlan, Limits } from '../access/plans.ts'
import { API_ROOT, type CatalogKey, catalogEntry, likelyKey } from '../catalog/catalog.ts'
import type { Dataset } from '../catalog/define.ts'
import { describe, type Entities } from '../catalog/describe.ts'
import { datasetReference } from '../catalog/document.ts'
import { Problem } from '../errors.ts'
import { packageVersion } from '../package-version.ts'
import type { Cache } from './cache/cache.ts'
import { READ, sendPage } from './cache/page.ts'
import { openapi } from './openapi/index.ts'
import { accessPage } from './pages/access-page.ts'
import { absentPage, datasetPage, datasetsPage } from './pages/dataset-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { favicon } from './pages/layout.ts'
import { llmsText } from './pages/llms.ts'

const HTML = 'text/html; charset=utf-8'
const TEXT = 'text/markdown; charset=utf-8'
/** Path of the reference's script, as the library serves it. */
const SCRIPT = '/docs/js/scalar.js'

export interface DocsDeps {
  readonly datasets: ReadonlyMap<string, Dataset>
  readonly cache: Cache
  /** Institutions in the data that is served now, for examples that have an answer. */
  readonly held: () => Entities
  readonly limits: Readonly<Record<ClientPlan, Limits>>
}

export async function registerDocs(
  app: FastifyInstance,
  { datasets, cache, held, limits }: DocsDeps,
): Promise<void> {
  const page = (path: string, contentType: string, make: (held: Entities) => string | Buffer): void => {
    app.route({
      ...{ method: READ, url: path },
      handler: (request, reply) => sendPage(cache, request, reply, { contentType, make: () => make(held()) }),
    })
  }
  const script = await readFile(new URL('pages/try.js', import.meta.url))
  page('/docs/try.js', 'text/javascript; charset=utf-8', () => script)
  for (const path of ['/favicon.svg', '/favicon.ico']) page(path, 'image/svg+xml', () => favicon)
  page('/llms.txt', TEXT, () => llmsText(datasets))
  page('/llms-full.txt', TEXT, () => datasetReference(datasets as ReadonlyMap<CatalogKey, Dataset>))
  page('/docs/access', HTML, () => accessPage(limits))
  page('/docs/errors', HTML, errorsPage)
  page('/docs/catalog', HTML, () => datasetsPage(datasets))
  page(`${API_ROOT}/openapi.json`, 'application/json; charset=utf-8', (of) =>
    JSON.stringify(openapi(datasets, packageVersion, of)),
  )
  const ofDataset = (request: FastifyRequest, reply: FastifyReply) => {
    const { key } = request.params as { key: string }
    const entry = catalogEntry(key)
    if (!entry) {
      const near = likelyKey(key)
      const hint = near ? `; did you mean /docs/${near}?` : '; /docs/catalog lists them'
      throw new Problem('not-found', `there is no dataset “${key.slice(0, 100)}”${hint}`)
    }
    const dataset = datasets.get(key)
    const make = (): string => (dataset ? datasetPage(describe(dataset, held()), entry) : absentPage(entry))
    return sendPage(cache, request, reply, { contentType: HTML, make })
  }
  app.route({ method: READ, url: '/docs/:key', handler: ofDataset })
  const { html, bundle } = await reference()
  page('/docs', HTML, () => html)
  page(SCRIPT, 'text/javascript; charset=utf-8', () => bundle)
}

/**
 * The library's page and script, fetched once: the library would send the script as a string, which copies several
 * megabytes for every answer.
 */
async function reference(): Promise<{ html: string; bundle: Buffer }> {
  const made = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await made.register(scalar, {
    routePrefix: '/docs',
    logLevel: 'silent',
    configuration: {
      url: `${API_ROOT}/openapi.json`,
      // the page's address may end without a slash
      cdn: SCRIPT,
      title: 'US banking history',
      favicon: '/favicon.svg',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    } as object,
  })
  const [page, script] = await Promise.all([made.inject('/docs/'), made.inject(SCRIPT)])
  await made.close()
  return { html: page.body, bundle: script.rawPayload }
}
