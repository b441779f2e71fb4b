import { type Concept, concepts, type Metric, metricCategories, metrics } from './index.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

/** docs/metrics.md: the catalog as a page. A test holds the page true. */
export function metricReference(): string {
  const sections = metricCategories.map((category) => {
    const inArea = metrics.filter((metric) => metric.category === category)
    return [`## ${title(category)}`, '', ...inArea.flatMap(entry)].join('\n')
  })
  return `# Metrics

${metrics.length} metrics, generated from \`sql/formula/metrics/\` by \`node --import tsx sql/formula/metrics/write-reference.ts\`.
Formulas are in the language of [formulas.md](formulas.md). \`cc:RCFX2170\` is the consolidated item: RCFD2170 where it is
filed, else RCON2170. Amounts are in thousands of US dollars, ratios in percent, income is calendar year to date unless
the name says \`quarter\`. Industry and cohort figures: \`sum\` adds up the banks' figures, \`formula\` takes the formula
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
