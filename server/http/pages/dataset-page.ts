import {
  API_ROOT,
  type CatalogEntry,
  catalog,
  catalogEntry,
  categories,
  type Tier,
} from '../../catalog/catalog.ts'
import type { ColumnDescription, Description } from '../../catalog/describe.ts'
import { html, page, prose, table } from './layout.ts'

/** One served dataset: what it says, examples to try, parameters, columns. */
export function datasetPage(dataset: Description, entry: CatalogEntry): string {
  const examples = dataset.examples.map(
    ({ title, url }) =>
      `<li>${html(title)}<br><a class="example" href="${html(url)}"><code>${html(url)}</code></a></li>`,
  )
  return page(
    entry.name,
    `<p><code>GET ${html(dataset.path)}</code> <span class="badge">${html(entry.category)}</span> <span class="badge">${entry.tier}</span></p>
<p>${prose(dataset.summary)}</p>${dataset.notes ? `<p>${prose(dataset.notes)}</p>` : ''}
<h2>Try it</h2>
<form id="key"><input name="key" type="password" aria-label="API key" placeholder="${keyHint(entry.tier)}" autocomplete="off" spellcheck="false"></form>
<form id="try"><input name="url" aria-label="Address" spellcheck="false" autocomplete="off" value="${html(dataset.examples[0]!.url)}"><button>Ask</button></form>
<div id="answer" role="status"></div>
<ul>${examples.join('')}</ul>
<h2>Parameters</h2>${parameterTable(dataset)}
${general(dataset)}
${dataset.parts ? partsList(dataset) : `<h2>Columns</h2>${columnTables(dataset)}`}`,
    '/docs/try.js',
  )
}

const keyHint = (tier: Tier): string =>
  tier === 'Public'
    ? 'API key (not needed here)'
    : `API key (${tier === 'Free' ? 'free or premium' : 'premium'})`

/** A dataset of the catalog that this server does not serve yet. */
export const absentPage = ({ name, path, tier, category }: CatalogEntry): string =>
  page(
    name,
    `<p><code>GET ${html(API_ROOT + path)}</code> <span class="badge">${html(category)}</span> <span class="badge">${tier}</span></p>
<p>Not served yet: its path answers <a href="/docs/errors#not-served-yet">501</a>.</p>`,
  )

/** Every dataset of the catalog by category. */
export function datasetsPage(served: ReadonlyMap<string, unknown>): string {
  const sections = categories.map((category) => {
    const rows = catalog
      .filter((entry) => entry.category === category)
      .map(({ key, name, path, tier }) => [
        `<a href="/docs/${key}">${html(name)}</a>`,
        `<code>${html(API_ROOT + path)}</code>`,
        tier,
        served.has(key) ? '' : '<span class="mild">to come</span>',
      ])
    return `<h2>${html(category)}</h2>${table(['Dataset', 'Path', 'Tier', ''], rows)}`
  })
  const count = catalog.filter(({ key }) => served.has(key)).length
  return page(
    'Datasets',
    `<p>${count} of ${catalog.length} datasets are served. For programs: <a href="${API_ROOT}/datasets/"><code>${API_ROOT}/datasets/</code></a>.</p>${sections.join('')}`,
  )
}

function parameterTable({ parameters, bounded }: Description): string {
  const rows = parameters.map(({ name, doc, schema, default: fallback }) => [
    `<code>${name}</code>`,
    prose(doc),
    valuesOf(schema as Values),
    fallback === null ? '' : `<code>${html(fallback)}</code>`,
  ])
  if (bounded.length > 0) {
    rows.push([
      '<code>min_&lt;column&gt;</code><br><code>max_&lt;column&gt;</code>',
      `Inclusive bounds on any of ${bounded.length} figures: those below and every metric.`,
      'number',
      '',
    ])
  }
  return rows.length === 0 ? '<p>None of its own.</p>' : table(['Name', 'Meaning', 'Values', 'Default'], rows)
}

interface Values {
  readonly enum?: readonly string[]
  readonly items?: Values
  readonly minimum?: number
  readonly maximum?: number
}

/** The values of a short list, or the range where it says something. */
function valuesOf(schema: Values): string {
  const listed = schema.enum ?? schema.items?.enum
  if (listed) return listed.length > 20 ? '' : listed.map((one) => `<code>${html(one)}</code>`).join(' ')
  const { minimum, maximum } = schema
  return maximum === undefined || maximum > 1_000_000 ? '' : `${minimum} to ${maximum}`
}

const general = (dataset: Description): string => {
  const names = [
    'format',
    ...(dataset.parts ? [] : ['fields']),
    ...(dataset.result === 'many' ? ['sort', 'limit', 'cursor'] : []),
  ]
  return `<p class="mild">And those of every dataset: ${names.map((name) => `<code>${name}</code>`).join(', ')}.</p>`
}

const partsList = (dataset: Description): string =>
  `<h2>Parts</h2><ul>${Object.entries(dataset.parts!)
    .map(
      ([name, key]) =>
        `<li><code>${name}</code>: <a href="/docs/${key}">${key}</a> (${catalogEntry(key)!.tier})</li>`,
    )
    .join('')}</ul>`

/** The columns of an answer, and what else `fields` and `metrics` may name. */
function columnTables({ columns, metrics }: Description): string {
  const others = columns.filter(({ byDefault }) => !byDefault)
  const heads = ['Name', 'Type', 'Unit', 'Meaning']
  const rest =
    others.length === 0
      ? ''
      : `<details><summary>${others.length} more metrics, by <code>fields</code>${metrics?.parameter ? ` or <code>${metrics.parameter}</code>` : ''}</summary>${table(heads, others.map(columnCells))}</details>`
  return table(heads, columns.filter(({ byDefault }) => byDefault).map(columnCells)) + rest
}

const columnCells = (column: ColumnDescription): string[] => [
  `<code>${column.name}</code>`,
  `${column.type}${column.nullable ? ', null' : ''}`,
  html(column.unit ?? ''),
  prose(column.doc && column.doc !== column.label ? `${column.label}. ${column.doc}` : column.label),
]
