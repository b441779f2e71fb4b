/** Human docs: the API reference of all datasets, a page a dataset, and the problems. Nothing from elsewhere. */
import { readFile } from 'node:fs/promises'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { API_ROOT, catalog } from '../datasets/catalog.ts'
import type { Dataset } from '../datasets/define.ts'
import type { Entities } from '../datasets/document.ts'
import { Problem } from '../errors.ts'
import { suggest } from '../query/suggest.ts'
import { absentPage, datasetPage, datasetsPage } from './pages/dataset-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { favicon } from './pages/layout.ts'

const HTML = 'text/html; charset=utf-8'

/** @param held institutions that the data served now holds, for examples that answer */
export async function registerDocs(
  app: FastifyInstance,
  datasets: ReadonlyMap<string, Dataset>,
  held: () => Entities,
): Promise<void> {
  const script = await readFile(new URL('pages/try.js', import.meta.url))
  app.get('/docs/try.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, (_, reply) => reply.type('image/svg+xml').send(favicon))
  }
  app.get('/docs/errors', (_, reply) => reply.type(HTML).send(errorsPage()))
  app.get('/docs/catalog', (_, reply) => reply.type(HTML).send(datasetsPage(datasets)))
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
    return reply.type(HTML).send(dataset ? datasetPage(dataset, entry, held()) : absentPage(entry))
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
