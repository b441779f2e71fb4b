/** OpenAPI 3.1 of the whole API, from the descriptions of its datasets alone. */
import { ACCOUNT_PATH } from '../../access/account-schema.ts'
import { API_ROOT, catalog, chapters } from '../../catalog/catalog.ts'
import type { Dataset } from '../../catalog/define.ts'
import { describe, type Entities } from '../../catalog/describe.ts'
import { accountOperation, accountTag } from './account.ts'
import { columnComponents } from './column-schemas.ts'
import { boundParameter, notServed, operation, sharedParameters } from './operation.ts'
import { rowSchema, schemaName } from './row-schemas.ts'
import {
  headers,
  type Json,
  keyScheme,
  linksSchema,
  metaSchema,
  problemResponses,
  problemSchema,
  securityOf,
} from './shared.ts'

/** The document as an object; `version` is the package's, `held` names institutions for examples that answer. */
export function openapi(datasets: ReadonlyMap<string, Dataset>, version: string, held: Entities = {}): Json {
  const paths: Json = {}
  const schemas: Json = { ...columnComponents, Problem: problemSchema, Meta: metaSchema, Links: linksSchema }
  const bounds: Json = {}
  for (const entry of catalog) {
    const path = `${API_ROOT}${entry.path}`
    if (paths[path]) continue
    const dataset = datasets.get(entry.key)
    if (!dataset) {
      paths[path] = { get: notServed(entry) }
      continue
    }
    const described = describe(dataset, held)
    schemas[schemaName(dataset.key)] = rowSchema(described, datasets)
    for (const column of described.bounded) {
      for (const side of ['min', 'max'] as const)
        bounds[`${side}_${column.name}`] = boundParameter(side, column)
    }
    paths[path] = { get: operation(described) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'US banking history',
      version,
      summary: 'Call Reports and more, one REST API over ClickHouse.',
      description:
        'Money is in thousands of US dollars, ratios in percent, dates ISO 8601, absent values null. Every answer is of one data version; equal URL and data version give equal bytes.\n\n[Every dataset at a glance](/docs/catalog) · [every problem](/docs/errors)',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: securityOf('Public'),
    tags: [
      ...Object.entries(chapters).map(([name, description]) => ({ name, description })),
      { name: accountTag, description: 'Who asks, what is left of the allowance, and what was asked.' },
    ],
    paths: { ...paths, [ACCOUNT_PATH]: { get: accountOperation } },
    components: {
      schemas,
      parameters: { ...sharedParameters, ...bounds },
      headers,
      responses: problemResponses(),
      securitySchemes: { ApiKey: keyScheme },
    },
  }
}
