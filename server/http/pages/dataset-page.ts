import { API_ROOT, type CatalogEntry, catalog, categories, type Tier } from '../../datasets/catalog.ts'
import type { Column } from '../../datasets/columns.ts'
import { chosenKeys, type Dataset, isMetricColumns } from '../../datasets/define.ts'
import { type Entities, exampleUrl } from '../../datasets/document.ts'
import { html, page, prose, table } from './layout.ts'

/** One served dataset: what it says, examples to try, parameters, columns. `held` names institutions to look at. */
export function datasetPage(dataset: Dataset, entry: CatalogEntry, held: Entities): string {
  const urls = dataset.examples.map(({ path, query }) => exampleUrl(dataset, path, query, held))
  const examples = dataset.examples.map(
    ({ title }, i) =>
      `<li>${html(title)}<br><a class="example" href="${html(urls[i]!)}"><code>${html(urls[i]!)}</code></a></li>`,
  )
  return page(
    entry.name,
    `<p><code>GET ${html(API_ROOT + dataset.path)}</code> <span class="badge">${html(entry.category)}</span> <span class="badge">${entry.tier}</span></p>
<p>${prose(dataset.summary)}</p>${dataset.notes ? `<p>${prose(dataset.notes)}</p>` : ''}
<h2>Try it</h2>
<form id="key"><input name="key" type="password" aria-label="API key" placeholder="${keyHint(entry.tier)}" autocomplete="off" spellcheck="false"></form>
<form id="try"><input name="url" aria-label="Address" spellcheck="false" autocomplete="off" value="${html(urls[0]!)}"><button>Ask</button></form>
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
export function datasetsPage(served: ReadonlyMap<string, Dataset>): string {
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
    `<p>${count} of ${catalog.length} datasets are served; the others answer 501. For programs: <a href="${API_ROOT}/datasets/"><code>${API_ROOT}/datasets/</code></a>.</p>${sections.join('')}`,
  )
}

function parameterTable(dataset: Dataset): string {
  const rows = Object.entries(dataset.parameters).map(([name, parameter]) => [
    `<code>${name}</code>`,
    prose(parameter.doc),
    valuesOf(parameter.schema as Values),
    parameter.default === undefined ? '' : `<code>${html(String(parameter.default))}</code>`,
  ])
  if (dataset.bounded.size > 0) {
    rows.push([
      '<code>min_&lt;column&gt;</code><br><code>max_&lt;column&gt;</code>',
      `Inclusive bounds on any of ${dataset.bounded.size} figures: those below and every metric.`,
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

const general = (dataset: Dataset): string => {
  const names = [
    'format',
    ...(dataset.parts ? [] : ['fields']),
    ...(dataset.result === 'many' ? ['sort', 'limit', 'cursor'] : []),
  ]
  return `<p class="mild">And those of every dataset: ${names.map((name) => `<code>${name}</code>`).join(', ')}.</p>`
}

const partsList = (dataset: Dataset): string =>
  `<h2>Parts</h2><ul>${Object.entries(dataset.parts!)
    .map(([name, { dataset: key }]) => `<li><code>${name}</code>: <a href="/docs/${key}">${key}</a></li>`)
    .join('')}</ul>`

/** The columns of an answer, and what else `fields` and `metrics` may name. */
function columnTables(dataset: Dataset): string {
  const columns = dataset.columns.flatMap((column) =>
    isMetricColumns(column) ? chosenKeys(column).map((key) => dataset.allColumns.get(key)!) : [column],
  )
  const others = [...dataset.allColumns.values()].filter((column) => !columns.includes(column))
  const heads = ['Name', 'Type', 'Unit', 'Meaning']
  const rest =
    others.length === 0
      ? ''
      : `<details><summary>${others.length} more metrics, by <code>fields</code>${dataset.metricParameter ? ` or <code>${dataset.metricParameter}</code>` : ''}</summary>${table(heads, others.map(columnCells))}</details>`
  return table(heads, columns.map(columnCells)) + rest
}

const columnCells = (column: Column): string[] => [
  `<code>${column.name}</code>`,
  `${column.type}${column.nullable ? ', null' : ''}`,
  html(column.unit ?? ''),
  prose(column.doc && column.doc !== column.label ? `${column.label}. ${column.doc}` : column.label),
]
