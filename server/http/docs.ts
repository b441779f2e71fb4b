/** Human docs: the API reference of all datasets, a page a dataset, and the problems. Nothing from elsewhere. */
import { readFile } from 'node:fs/promises'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Limits, Plan } from '../access/plans.ts'
import { API_ROOT, catalog } from '../datasets/catalog.ts'
import type { Dataset } from '../datasets/define.ts'
import type { Entities } from '../datasets/document.ts'
import { Problem } from '../errors.ts'
import { packageVersion } from '../package-version.ts'
import { suggest } from '../query/suggest.ts'
import type { Cache } from './cache/cache.ts'
import { sendPage } from './cache/page.ts'
import { openapi } from './openapi.ts'
import { accessPage } from './pages/access-page.ts'
import { absentPage, datasetPage, datasetsPage } from './pages/dataset-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { favicon } from './pages/layout.ts'

const HTML = 'text/html; charset=utf-8'

export interface DocsDeps {
  readonly datasets: ReadonlyMap<string, Dataset>
  readonly cache: Cache
  /** Institutions that the data served now hold, for examples that answer. */
  readonly held: () => Entities
  readonly limits: Readonly<Record<Plan, Limits>>
}

export async function registerDocs(
  app: FastifyInstance,
  { datasets, cache, held, limits }: DocsDeps,
): Promise<void> {
  const page = (path: string, contentType: string, make: (held: Entities) => string | Buffer): void => {
    app.get(path, (request, reply) =>
      sendPage(cache, request, reply, { contentType, make: () => make(held()) }),
    )
  }
  const script = await readFile(new URL('pages/try.js', import.meta.url))
  page('/docs/try.js', 'text/javascript; charset=utf-8', () => script)
  for (const path of ['/favicon.svg', '/favicon.ico']) page(path, 'image/svg+xml', () => favicon)
  page('/docs/access', HTML, () => accessPage(limits))
  page('/docs/errors', HTML, errorsPage)
  page('/docs/catalog', HTML, () => datasetsPage(datasets))
  page(`${API_ROOT}/openapi.json`, 'application/json; charset=utf-8', (of) =>
    JSON.stringify(openapi(datasets, packageVersion, of)),
  )
  app.get<{ Params: { key: string } }>('/docs/:key', (request, reply) => {
    const { key } = request.params
    const entry = catalog.find((one) => one.key === key)
    if (!entry) {
      const keys = catalog.map((one) => one.key)
      const near = suggest(key, keys)
      const hint = near ? `; did you mean /docs/${near}?` : '; /docs/catalog lists them'
      throw new Problem('not-found', `there is no dataset “${key.slice(0, 100)}”${hint}`)
    }
    const dataset = datasets.get(key)
    const make = (): string => (dataset ? datasetPage(dataset, entry, held()) : absentPage(entry))
    return sendPage(cache, request, reply, { contentType: HTML, make })
  })
  await app.register(scalar, {
    routePrefix: '/docs',
    logLevel: 'silent',
    configuration: {
      url: `${API_ROOT}/openapi.json`,
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
}
