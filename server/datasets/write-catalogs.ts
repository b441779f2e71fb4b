/**
 * The catalogs that follow the code, as tables of a version database: `dataset_catalog` and `source_catalog`. A
 * hook of `publish`, after the views, as the number of rows of a dataset is counted where it will be read.
 */
import { sources } from '../../loaders/sources.ts'
import type { Build } from '../engine/versions.ts'
import { API_ROOT, type CatalogEntry, catalog } from './catalog.ts'
import type { Column } from './columns.ts'
import { type Dataset, isMetricColumns } from './define.ts'
import { type Entities, exampleUrl } from './document.ts'
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
      name String, label String, type String, nullable Bool, unit Nullable(String), meaning Nullable(String))),
    examples Array(Tuple(title String, url String))
  ) ENGINE = MergeTree ORDER BY position`,
]

/** Writes both tables anew, for the code that runs and the data of the build. */
export async function writeCatalogs(build: Build): Promise<void> {
  const { client } = build
  for (const query of tables) await client.command({ query })
  await client.insert({
    table: 'source_catalog',
    format: 'JSONEachRow',
    values: sources.map(({ key, name, publisher, licence, address, what }, index) => ({
      position: index + 1,
      ...{ key, name, publisher, licence, address, what },
    })),
  })
  const served = await loadDatasets()
  const loaded = await lastLoads(build)
  const stored = await storedTables(build)
  const held = await exampleInstitutions(async (query) =>
    (await client.query({ query, format: 'JSONEachRow' })).json<{ id: string }>(),
  )
  const values = []
  for (const [position, entry] of catalog.entries()) {
    const dataset = served.get(entry.key)
    const described = dataset ? describe(dataset, held) : absent
    const rows = dataset ? await countRows(build, dataset, stored) : null
    // the demo stands for every source
    const times = (dataset?.sources ?? []).flatMap((source) => loaded.get(source) ?? loaded.get('demo') ?? [])
    values.push({
      position: position + 1,
      ...facts(entry),
      ...described,
      rows,
      last_update: times.sort().at(-1) ?? null,
    })
  }
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

function describe(dataset: Dataset, held: Entities) {
  const columns = columnsOf(dataset)
  const parameters = Object.entries(dataset.parameters)
  return {
    served: true,
    summary: dataset.summary,
    notes: dataset.notes ?? null,
    parameters: parameters.map(([name]) => name),
    columns: columns.map(({ name }) => name),
    sources: dataset.sources,
    parameter_details: parameters.map(([name, { default: fallback, doc }]) => ({
      name,
      required: dataset.pathParameters.includes(name),
      fallback: fallback === undefined ? null : String(fallback),
      meaning: doc,
    })),
    column_details: columns.map(({ name, label, type, nullable, unit, doc }) => ({
      ...{ name, label, type, nullable },
      unit: unit ?? null,
      meaning: doc ?? null,
    })),
    examples: dataset.examples.map(({ title, path, query }) => ({
      title,
      url: exampleUrl(dataset, path, query, held),
    })),
  }
}

/** The columns of an answer in their order; where the request chooses metrics, every one that it may choose. */
function columnsOf(dataset: Dataset): Column[] {
  const plain = new Map<string, Column>()
  for (const column of dataset.columns) {
    if (!isMetricColumns(column)) plain.set(column.name, column)
  }
  const metrics = [...dataset.allColumns.values()].filter(({ name }) => !plain.has(name))
  return dataset.columns.flatMap((column) => (isMetricColumns(column) ? metrics : [column]))
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
  const [found] = await (await build.client.query({ query, format: 'JSONEachRow' })).json<{ rows: string }>()
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
