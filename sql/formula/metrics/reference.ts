import type { Universe } from '../../derive/universe.ts'
import { banks } from '../../universes/bank/index.ts'
import { creditUnions } from '../../universes/credit-union/index.ts'
import { holdingCompanies } from '../../universes/holding-company/index.ts'
import { type Concept, type Metric, metricCategories } from './index.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

/** By the name of a page in docs/: the universe whose catalog it is, where that is written, and what its formulas name. */
const pages: Readonly<Record<string, readonly [of: Universe, title: string, folder: string, items: string]>> =
  {
    'metrics.md': [
      banks,
      'Metrics',
      'sql/formula/metrics/',
      '`cc:RCFX2170` is the consolidated item: RCFD2170 where it is\nfiled, else RCON2170.',
    ],
    'credit-union-metrics.md': [
      creditUnions,
      'Metrics of credit unions',
      'sql/universes/credit-union/metrics/',
      "`cc:ACCT_010` is the account 010 of\nthe 5300. Definitions are those of NCUA's Financial Performance Report (FPR) where the source says so: averages are of the\nbalance and that of the year-end before, or of the balance alone where that was not filed.",
    ],
    'holding-company-metrics.md': [
      holdingCompanies,
      'Metrics of holding companies',
      'sql/universes/holding-company/metrics/',
      '`cc:BHCK2170` is an item of FR Y-9C,\n`BHCP` one of FR Y-9LP and `BHSP` one of FR Y-9SP (the parent alone). Definitions are those of the BHC Performance Report\n(BHCPR) where the source says so; an average is of the quarterly averages of the year to date, of the quarters that were filed.',
    ],
  }

/** Pages of docs/ by their names: the catalogs. A test holds the pages true. */
export const metricReference = (): Record<string, string> =>
  Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, pageOf(...page)]))

function pageOf(
  { metrics, concepts, plural }: Universe,
  heading: string,
  folder: string,
  items: string,
): string {
  const institutions = plural.replaceAll('_', ' ')
  const sections = metricCategories.flatMap((category) => {
    const inArea = metrics.filter((metric) => metric.category === category)
    return inArea.length === 0 ? [] : [[`## ${title(category)}`, '', ...inArea.flatMap(entry)].join('\n')]
  })
  return `# ${heading}

${metrics.length} metrics, generated from \`${folder}\` by \`node --import tsx sql/formula/metrics/write-reference.ts\`.
Formulas are in the language of [formulas.md](formulas.md). ${items} Amounts are in thousands of US dollars, ratios in percent, income is calendar year to date unless
the name says \`quarter\`. Industry and cohort figures: \`sum\` adds up the ${institutions}' figures, \`formula\` takes the formula
over those sums.

${sections.join('\n')}
## Building blocks

Named formulas that metrics build on and that are not served by themselves.

${concepts.map(({ key, formula }: Concept) => `- ${code(key)}: ${code(formula)}`).join('\n')}
`
}

function entry(metric: Metric): string[] {
  const better = metric.direction === 'neutral' ? '' : `, ${metric.direction} is better`
  return [
    `### ${metric.key}`,
    '',
    `${cell(metric.label)} (${metric.unit}${better}). ${metric.description ?? ''}`.trimEnd(),
    '',
    `- Formula: ${code(metric.formula)}`,
    `- Industry: ${metric.aggregation}`,
    `- Source: ${cell(metric.source)}`,
    '',
  ]
}

const title = (category: string) => category[0]!.toUpperCase() + category.slice(1).replaceAll('-', ' ')
