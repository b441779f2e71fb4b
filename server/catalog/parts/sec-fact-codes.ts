/** Codes of XBRL facts: what each means. */
import type { CodeList } from './agency-codes.ts'
import { ownWords } from './own-words.ts'

const datasets = ['sec-facts', 'sec-fact-trends', 'sec-frames']

export const secFactCodes: readonly CodeList[] = [
  {
    list: 'xbrl-taxonomy',
    source: 'SEC, XBRL taxonomies of EDGAR',
    columns: ['taxonomy'],
    codes: {
      'us-gaap': 'Generally accepted accounting principles of the United States',
      'ifrs-full': 'International Financial Reporting Standards',
      dei: 'Document and entity information: the cover page',
      srt: 'SEC reporting taxonomy',
      ecd: 'Executive compensation disclosure',
      invest: 'Investments',
      ffd: 'Filing fee disclosure',
      custom: 'The registrant’s own, of the filing alone',
    },
  },
  {
    list: 'sec-fiscal-period',
    source: 'SEC, document and entity information',
    columns: ['fiscal_period'],
    codes: {
      Q1: 'First quarter',
      Q2: 'Second quarter',
      Q3: 'Third quarter',
      Q4: 'Fourth quarter',
      H1: 'First half',
      H2: 'Second half',
      FY: 'Fiscal year',
    },
  },
]

/** Units, forms and calendar periods speak for themselves. */
export const secFactsNamedElsewhere: Readonly<Record<string, string>> = Object.fromEntries(
  datasets.flatMap((dataset) =>
    ['unit', 'form', 'frame', 'period'].map((column) => [`${dataset}.${column}`, ownWords] as const),
  ),
)
