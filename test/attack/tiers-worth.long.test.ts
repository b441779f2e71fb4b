/**
 * What a tier sells must not stand in the answers below it. Of one institution, every figure of every dataset above
 * Public is looked for among all that lower tiers answer, by value: a column of another name would hide nothing.
 */
import t from 'tap'
import { type CatalogKey, tiers } from '../../server/catalog/catalog.ts'
import type { Dataset } from '../../server/catalog/define.ts'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { ubprHeadline } from '../../server/catalog/parts/ubpr-headline.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { metrics } from '../../sql/formula/metrics/index.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { universe } from '../helpers/universe.ts'

/** What may be had below its tier, and why. */
interface Meant {
  of: CatalogKey
  columns: readonly string[]
  in: readonly CatalogKey[]
  why: string
}

const keys = metrics.map(({ key }) => key)
const headline = ubprHeadline.map(([name]) => name)
/** Where the specification has figures of one bank Public: items, series, ranks and peers, the screener with chosen `fields`. */
const ofOneBank = [
  'bank-deep-dive',
  'bank-snapshot',
  'bank-trends',
  'bank-percentile-ranks',
  'bank-peer-comparison',
  'bank-peer-ranking',
  'bank-screener',
  'bank-deposits',
  'bank-deposits-trends',
  'bank-securities',
  'bank-securities-trends',
] as const
const screens = [
  'growth-screener',
  'funding-screener',
  'capital-screener',
  'loan-concentration-screener',
  'securities-loss-screener',
  'high-risk-banks',
] as const
const scorecards = ['bank-scorecard', 'bank-scorecard-composite'] as const
const meant: readonly Meant[] = [
  {
    of: 'bank-ubpr-ratios',
    columns: headline,
    in: [...ofOneBank, 'screener-dataset', ...screens, ...scorecards],
    why: 'UBPR items of a bank are Public, some are metrics of the catalog too; sold is the choice, and eight quarters at once',
  },
  {
    of: 'bank-ubpr-ranks',
    columns: ['value'],
    in: [...ofOneBank, 'metric-detail', 'screener-dataset', ...screens],
    why: 'the same items; sold is the rank in the peer group, and its average',
  },
  {
    of: 'screener-dataset',
    columns: keys,
    in: [...ofOneBank, 'bank-loan-portfolio'],
    why: 'sold is all of them at once',
  },
  ...screens.map((of) => ({
    of,
    // of one year without mergers they are the metric
    columns: [
      ...keys,
      ...[
        'asset_growth',
        'closed_end_residential_loans_ratio',
        'construction_loans_ratio',
        'deposit_growth',
        'loan_growth',
        'organic_asset_growth',
        'organic_deposit_growth',
        'organic_loan_growth',
        'unused_commitments_ratio',
      ],
    ],
    in: [...ofOneBank, 'bank-loan-portfolio'] as const,
    why: 'sold is the screen over all banks, and what it works out beside the metrics',
  })),
  {
    of: 'bank-scorecard',
    columns: [
      ...['overall_score', 'uncapped_score', 'components.score', 'drivers.value'],
      ...['components.percentile', 'drivers.percentile'],
    ],
    in: ofOneBank.filter((key) => key !== 'bank-deep-dive'),
    why: 'the scores are metrics; sold is what each is made of',
  },
  {
    of: 'bank-scorecard-composite',
    columns: [
      ...['concentration.amount', 'concentration.percent_of_capital', 'concentration.capital'],
      ...['concentration.growth_36_months', 'graded_metrics.value'],
      ...['graded_metrics.percentile', 'graded_metrics.standing'],
    ],
    in: [...ofOneBank.filter((key) => key !== 'bank-deep-dive'), 'bank-loan-portfolio'],
    why: 'metrics and their ranks are Public; sold is the grades',
  },
  {
    of: 'screener-panel',
    columns: keys,
    in: [...ofOneBank, 'bank-loan-portfolio', 'screener-dataset', ...screens, ...scorecards],
    why: 'sold is all of them and all quarters at once',
  },
  {
    of: 'failure-prediction-factors',
    columns: ['value'],
    in: [...ofOneBank.filter((key) => key !== 'bank-deep-dive'), 'screener-dataset', ...screens],
    why: 'features are metrics; sold is what each does to the score',
  },
  {
    of: 'failure-prediction-factors',
    columns: ['coefficient'],
    in: ['risk-model'],
    why: 'the model’s card is Public: no coefficient is of one bank',
  },
  ...(['screener-dataset', 'screener-panel', ...screens] as const).map((of) => ({
    of,
    columns: keys,
    in: ['industry-benchmarks'] as const,
    why: 'the least and the greatest figure of a cohort is a bank’s',
  })),
]

const { rows, published, engine } = await universe()
/** What is sold is of banks: figures of other institutions are Public. */
const declared = [...new Set((await loadDatasets()).values())].filter(
  // FR Y-15 is filed by holding companies, of the largest banks alone
  (dataset) => !dataset.parts && dataset.universe === banks && dataset.key !== 'bank-fry15',
)
const level = ({ tier }: Dataset) => tiers.indexOf(tier)
/** The newest quarters: as many values of each column of one institution, too many to be met by chance. */
const QUARTERS = 5
const quarters = (await rows('/api/v1/reference/quarters/'))
  .map((row) => row.report_date as string)
  .slice(0, QUARTERS)
const CONCEPT = 'UBPRE013'
const paths: Record<string, string> = { rssd_id: await bankOfTheLargestGroup(), metric: CONCEPT }

/** Few banks have few percentiles, which would be met elsewhere by chance. */
async function bankOfTheLargestGroup(): Promise<string> {
  const [largest] = await engine.rows<{ id: number }>({
    database: published.publication.database,
    sql: `SELECT toUInt32(max(rssd_id)) AS id FROM ubpr_rows WHERE report_date = (SELECT max(report_date) FROM ubpr_rows)
          GROUP BY peer_group ORDER BY count() DESC LIMIT 1`,
    params: {},
  })
  return String(largest!.id)
}

/** The addresses that together answer all that a dataset has of the institution: every quarter, choice and column. */
function addresses(dataset: Dataset): string[] {
  const { parameters, pathParameters, allColumns, limit, flat, ofUniverses, metricKeys } = dataset
  let queries = [`fields=${[...allColumns.keys()]}${limit ? `&limit=${limit.most}` : ''}`]
  for (const [name, { role, schema }] of Object.entries(parameters)) {
    // a flat form has what the nested answer has, and what is sold is of banks
    if (pathParameters.includes(name) || name === (flat ?? ofUniverses)?.parameter) continue
    const choices = schema.enum as readonly string[] | undefined
    const values: readonly unknown[] =
      role === 'from' || (role === 'as_of' && !parameters.from)
        ? role === 'from'
          ? quarters.slice(-1)
          : quarters
        : role === 'quarters' && !parameters.from
          ? [QUARTERS]
          : role === 'metrics'
            ? // where `fields` has named every metric already, a second list is more than a URL holds
              allColumns.has(keys[0]!)
              ? []
              : [metricKeys]
            : name === 'rssd_id'
              ? [paths.rssd_id]
              : choices && !choices.includes('true')
                ? choices
                : []
    if (values.length > 0)
      queries = queries.flatMap((query) => values.map((value) => `${query}&${name}=${value}`))
  }
  return queries.map((query) => exampleUrl(dataset, paths, query))
}

/** A number that is met by chance nowhere else, as text; small whole numbers tell nothing. */
const telling = (value: unknown): value is number =>
  typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 100_000)

type Figures = Map<string, Set<string>>

function figuresOf(answers: readonly object[]): Figures {
  const figures: Figures = new Map()
  const add = (column: string, value: unknown): void => {
    if (telling(value)) figures.set(column, (figures.get(column) ?? new Set()).add(value.toPrecision(12)))
    else if (Array.isArray(value)) for (const one of value) add(column, one)
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) add(`${column}.${name}`, one)
  }
  for (const row of answers) for (const [column, value] of Object.entries(row)) add(column, value)
  return figures
}

/** Whether nearly all of a column can be read off another: all but what chance, and a quarter not shown, may leave. */
const stands = (sold: Set<string>, known: Set<string>): boolean =>
  [...sold].filter((value) => known.has(value)).length >= 0.85 * sold.size

t.test('what each tier sells is not to be had below it, but for what is meant', async (t) => {
  const answers = new Map<Dataset, Record<string, unknown>[]>()
  for (const dataset of declared) {
    const all: Record<string, unknown>[] = []
    for (const address of addresses(dataset)) all.push(...(await rows(address)))
    // of datasets of all banks, the institution's own rows
    const sold = level(dataset) > 0 && !dataset.pathParameters.includes('rssd_id')
    answers.set(dataset, sold ? all.filter(({ rssd_id }) => String(rssd_id) === paths.rssd_id) : all)
  }
  const found: { of: string; column: string; in: string }[] = []
  let compared = 0
  for (const high of declared.filter((dataset) => level(dataset) > 0)) {
    const everything = figuresOf(answers.get(high)!)
    const ofConcept = figuresOf(answers.get(high)!.filter((row) => Object.values(row).includes(CONCEPT)))
    for (const low of declared.filter((dataset) => level(dataset) < level(high))) {
      const known = new Set([...figuresOf(answers.get(low)!).values()].flatMap((values) => [...values]))
      for (const [column, sold] of low.pathParameters.includes('metric') ? ofConcept : everything) {
        if (sold.size < QUARTERS) continue
        compared += 1
        if (stands(sold, known)) found.push({ of: high.key, column, in: low.key })
      }
    }
  }
  t.ok(compared > 5_000, `${compared} pairs of a column and a dataset below it were compared`)
  for (const column of ['percentile', 'peer_average']) {
    const ranks = declared.find(({ key }) => key === 'bank-ubpr-ranks')!
    t.ok(figuresOf(answers.get(ranks)!).get(column)!.size > 20, `${column} has values that tell`)
  }
  const said = (one: (typeof found)[number]) => (entry: Meant) =>
    entry.of === one.of && entry.columns.includes(one.column) && entry.in.includes(one.in as CatalogKey)
  t.strictSame(
    found.filter((one) => !meant.some(said(one))).map((one) => `${one.of}: ${one.column} in ${one.in}`),
    [],
    'nothing that is sold can be read off a lower tier',
  )
  for (const { of, columns, in: below } of meant)
    for (const low of below)
      t.ok(
        found.some((one) => one.of === of && one.in === low && columns.includes(one.column)),
        `${of} in ${low} is meant, and is so`,
      )
})
