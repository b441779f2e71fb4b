/** The reference of the datasets as Markdown, from their declarations alone: `docs/datasets.md`. */
import { API_ROOT, type CatalogKey, catalog } from './catalog.ts'
import type { Column, MetricColumns } from './columns.ts'
import { type Dataset, isMetricColumns } from './define.ts'
import type { EntityKind } from './parameters.ts'

/** An institution of each kind to look at in examples, by its id. Declarations name none: what is held differs. */
export type Entities = Readonly<Partial<Record<EntityKind, string>>>

/** For documents that are not of a data version: JPMorgan Chase Bank, in every quarter of the real filings. */
const documented: Entities = { bank: '852218' }

/** One page: the served datasets by category, each with its parameters, columns and examples; then those to come. */
export function datasetReference(served: ReadonlyMap<CatalogKey, Dataset>): string {
  const lines = [
    '# Datasets',
    '',
    `${served.size} of ${catalog.length} datasets are served. Generated from \`server/datasets\` (\`npx tap test/datasets/reference.test.ts --snapshot\`); a test holds it true.`,
    'Parameters that mean the same everywhere (`format`, `fields`, `sort`, `limit`, `cursor`) are not repeated.',
  ]
  for (const category of new Set(catalog.map((entry) => entry.category))) {
    const entries = catalog.filter((entry) => entry.category === category)
    const here = entries.filter(({ key }) => served.has(key))
    if (here.length === 0) continue
    lines.push('', `## ${category}`)
    for (const entry of here) {
      const dataset = served.get(entry.key)!
      lines.push(
        '',
        `### ${entry.name}`,
        '',
        `\`${entry.key}\` · ${entry.tier} · \`GET ${API_ROOT}${entry.path}\``,
      )
      if (dataset.key !== entry.key) lines.push('', `The same route as \`${dataset.key}\`.`)
      else lines.push(...describe(dataset))
    }
  }
  const rest = catalog.filter(({ key }) => !served.has(key))
  lines.push('', '## Not served yet', '', 'These answer 501 with a problem that says so.', '')
  lines.push(...rest.map(({ key, name, path }) => `- ${name} (\`${key}\`): \`${API_ROOT}${path}\``), '')
  return lines.join('\n')
}

function describe(dataset: Dataset): string[] {
  const lines = ['', dataset.summary]
  if (dataset.notes) lines.push('', dataset.notes)
  const parameters = Object.entries(dataset.parameters)
  if (parameters.length > 0 || dataset.bounds) {
    lines.push('', '| parameter | meaning |', '|---|---|')
    for (const [name, { doc, default: fallback }] of parameters) {
      lines.push(row(`\`${name}\``, fallback === undefined ? doc : `${doc} Default: \`${fallback}\`.`))
    }
    if (dataset.bounds) {
      lines.push(
        row(
          '`min_<column>`, `max_<column>`',
          'Inclusive bounds on any figure of the dataset and on any metric.',
        ),
      )
    }
  }
  lines.push('', '| column | type | unit | meaning |', '|---|---|---|---|')
  for (const column of dataset.columns) {
    lines.push(isMetricColumns(column) ? metricsRow(column, dataset) : columnRow(column))
  }
  for (const { title, path, query } of dataset.examples) {
    lines.push('', `${title}:`, '', '```', exampleUrl(dataset, path, query, documented), '```')
  }
  return lines
}

/**
 * The address of an example: path values from the example, else institutions of `held`, else the parameters' own. A
 * value that nobody knows stays in braces.
 */
export function exampleUrl(
  dataset: Dataset,
  path: Readonly<Record<string, string>> = {},
  query = '',
  held: Entities = {},
): string {
  const filled = dataset.path.replace(/\{(\w+)\}/g, (braced, name: string) => {
    const { entity, example } = dataset.parameters[name] ?? {}
    const value = path[name] ?? (entity ? held[entity] : example)
    return value === undefined ? braced : encodeURIComponent(value)
  })
  return `${API_ROOT}${filled}${query === '' ? '' : `?${query}`}`
}

function metricsRow({ metrics }: MetricColumns, dataset: Dataset): string {
  const all = 'every metric of the catalog'
  const list =
    typeof metrics === 'string' ? (metrics === 'all' ? all : 'the headline metrics') : metrics.join(', ')
  return row(
    dataset.metricParameter ? `those of \`${dataset.metricParameter}\`, else ${list}` : list,
    'Float64, null',
    'of the metric',
    '',
  )
}

const columnRow = ({ name, type, nullable, unit, label, doc }: Column): string =>
  row(`\`${name}\``, nullable ? `${type}, null` : type, unit ?? '', doc ? `${label}. ${doc}` : label)

const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
