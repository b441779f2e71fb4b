/**
 * The catalogs that follow the code, as tables of a version database: `dataset_catalog` and `source_catalog`. A
 * hook of `publish`, after the views, as the number of rows of a dataset is counted where it will be read.
 */
import { summariesView } from '../../sql/derive/summaries.ts'
import { declaredSources } from '../../sql/sources/index.ts'
import { answerOf } from '../../sql/steps/steps.ts'
import { universes } from '../../sql/universes/index.ts'
import type { Build } from '../engine/build.ts'
import { API_ROOT, type CatalogEntry, catalog } from './catalog.ts'
import type { Dataset } from './define.ts'
import { type Description, describe } from './describe.ts'
import { exampleInstitutions } from './example-institutions.ts'
import { loadDatasets } from './registry.ts'

const tables = [
  `CREATE OR REPLACE TABLE source_catalog (
    position UInt16, key String, name String, publisher String, licence String, address String, what String
  ) ENGINE = MergeTree ORDER BY position`,
  `CREATE OR REPLACE TABLE dataset_catalog (
    position UInt16, key LowCardinality(String), name String, category LowCardinality(String),
    tier LowCardinality(String), path String, result LowCardinality(String), served Bool,
    summary Nullable(String), notes Nullable(String), parameters Array(String), columns Array(String),
    sources Array(String), rows Nullable(UInt64), last_update Nullable(DateTime64(3, 'UTC')),
    parameter_details Array(Tuple(name String, required Bool, fallback Nullable(String), meaning String)),
    column_details Array(Tuple(
      name String, label String, type String, nullable Bool, unit Nullable(String), meaning Nullable(String), metric Bool)),
    examples Array(Tuple(title String, url String))
  ) ENGINE = MergeTree ORDER BY position`,
]

/** Writes both tables and the views of universes anew, for the code that runs and the data of the build. */
export async function writeCatalogs(build: Build): Promise<void> {
  const { client } = build
  for (const query of [...tables, ...universes.map(summariesView)]) await client.command({ query })
  build.changes.written()
  await client.insert({
    table: 'source_catalog',
    format: 'JSONEachRow',
    values: declaredSources.map(({ key, name, publisher, licence, address, what }, index) => ({
      position: index + 1,
      ...{ key, name, publisher, licence, address, what },
    })),
  })
  const served = await loadDatasets()
  const loaded = await lastLoads(build)
  const stored = await storedTables(build)
  const held = await exampleInstitutions(
    async (query) => (await client.query({ query, format: 'JSONEachRow' })).json<{ id: string }>(),
    universes,
  )
  const values = await Promise.all(
    catalog.map(async (entry, index) => {
      const dataset = served.get(entry.key)
      // the demo stands for every source
      const times = (dataset?.sources ?? []).flatMap(
        (source) => loaded.get(source) ?? loaded.get('demo') ?? [],
      )
      return {
        position: index + 1,
        ...facts(entry),
        ...(dataset ? described(describe(dataset, held)) : absent),
        rows: dataset ? await countRows(build, dataset, stored) : null,
        last_update: times.sort().at(-1) ?? null,
      }
    }),
  )
  await client.insert({ table: 'dataset_catalog', format: 'JSONEachRow', values })
}

const absent = {
  served: false,
  summary: null,
  notes: null,
  parameters: [],
  columns: [],
  sources: [],
  parameter_details: [],
  column_details: [],
  examples: [],
}

const facts = ({ key, name, category, tier, path, result }: CatalogEntry) => ({
  ...{ key, name, category, tier, result },
  path: `${API_ROOT}${path}`,
})

function described(dataset: Description) {
  const { summary, notes, parameters, columns, sources, examples } = dataset
  return {
    served: true,
    ...{ summary, notes, sources, examples },
    parameters: parameters.map(({ name }) => name),
    columns: columns.map(({ name }) => name),
    parameter_details: parameters.map(({ name, in: place, default: fallback, doc }) => ({
      ...{ name, fallback },
      required: place === 'path',
      meaning: doc,
    })),
    column_details: columns.map(({ name, label, type, nullable, unit, doc, metric }) => ({
      ...{ name, label, type, nullable, unit, metric },
      meaning: doc,
    })),
  }
}

/** Rows that a dataset has in all; null where rows are made at the request, from a view of one institution say. */
async function countRows(
  build: Build,
  dataset: Dataset,
  stored: ReadonlySet<string>,
): Promise<number | null> {
  const { from, where, pathParameters } = dataset
  if (typeof from !== 'string' || !/^\w+$/.test(from) || typeof where === 'function') return null
  if (from === 'dataset_catalog') return catalog.length
  if (pathParameters.length > 0 && !stored.has(from)) return null
  const query = `SELECT count() AS rows FROM ${from}${where ? ` WHERE ${where}` : ''}`
  const [found] = await answerOf<{ rows: string }>(build, `rows of ${dataset.key}`, query)
  return Number(found!.rows)
}

/** Tables, whose rows are counted without reading them; views are not among them. */
async function storedTables(build: Build): Promise<Set<string>> {
  const query = "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine != 'View'"
  const rows = await (await build.client.query({ query, format: 'JSONEachRow' })).json<{ name: string }>()
  return new Set(rows.map(({ name }) => name))
}

/** When each source was last loaded. */
async function lastLoads(build: Build): Promise<Map<string, string>> {
  const query = 'SELECT source, toString(max(loaded_at)) AS at FROM load_files GROUP BY source'
  const rows = await (await build.client.query({ query, format: 'JSONEachRow' })).json<{
    source: string
    at: string
  }>()
  return new Map(rows.map(({ source, at }) => [source, at]))
}
