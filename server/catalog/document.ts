/** The reference of the datasets as Markdown, from their declarations alone: `docs/datasets.md`. */
import { API_ROOT, type CatalogKey, catalog, catalogEntry } from './catalog.ts'
import type { Dataset } from './define.ts'
import { type ColumnDescription, type Description, describe, type Entities } from './describe.ts'

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
      else lines.push(...section(describe(dataset, documented)))
    }
  }
  const rest = catalog.filter(({ key }) => !served.has(key))
  if (rest.length > 0)
    lines.push('', '## Not served yet', '', 'These answer 501 with a problem that says so.')
  lines.push('', ...rest.map(({ key, name, path }) => `- ${name} (\`${key}\`): \`${API_ROOT}${path}\``))
  return lines.join('\n')
}

function section(dataset: Description): string[] {
  const lines = ['', dataset.summary]
  if (dataset.notes) lines.push('', dataset.notes)
  if (dataset.parameters.length > 0 || dataset.bounded.length > 0) {
    lines.push('', '| parameter | meaning |', '|---|---|')
    for (const { name, doc, default: fallback } of dataset.parameters) {
      lines.push(row(`\`${name}\``, fallback === null ? doc : `${doc} Default: \`${fallback}\`.`))
    }
    if (dataset.bounded.length > 0) {
      lines.push(
        row(
          '`min_<column>`, `max_<column>`',
          'Inclusive bounds on any figure of the dataset and on any metric.',
        ),
      )
    }
  }
  if (dataset.parts) {
    lines.push('', '| part | dataset | tier |', '|---|---|---|')
    for (const [name, key] of Object.entries(dataset.parts))
      lines.push(row(`\`${name}\``, `\`${key}\``, catalogEntry(key)!.tier))
  } else lines.push(...columnTable(dataset))
  for (const { title, url } of dataset.examples) lines.push('', `${title}:`, '', '```', url, '```')
  return lines
}

function columnTable({ columns, metrics }: Description): string[] {
  const lines = ['', '| column | type | unit | meaning |', '|---|---|---|---|']
  const firstMetric = columns.find(({ metric }) => metric)
  for (const column of columns) {
    if (!column.metric) lines.push(columnRow(column))
    else if (column === firstMetric) lines.push(metricsRow(metrics!))
  }
  return lines
}

function metricsRow({ chosen, parameter }: NonNullable<Description['metrics']>): string {
  const all = 'every metric of the catalog'
  const list =
    typeof chosen === 'string' ? (chosen === 'all' ? all : 'the headline metrics') : chosen.join(', ')
  return row(
    parameter ? `those of \`${parameter}\`, else ${list}` : list,
    'Float64, null',
    'of the metric',
    '',
  )
}

const columnRow = ({ name, type, nullable, unit, label, doc }: ColumnDescription): string =>
  row(`\`${name}\``, nullable ? `${type}, null` : type, unit ?? '', doc ? `${label}. ${doc}` : label)

const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
