import { dataset } from '../../catalog/define.ts'
import { anyOf } from '../../catalog/parameters.ts'
import { conceptNames, factSources, facts } from '../../catalog/parts/sec-facts.ts'
import { askedRssdId, bankOfRegistrant, registrantNote } from '../../catalog/parts/sec-registrant.ts'
import { columnsOf } from '../../catalog/tables.ts'

const one = (column: string, doc: string, example: string) =>
  anyOf(column, { doc: `${doc}, or several by comma.`, example })

export default dataset({
  key: 'sec-facts',
  summary: 'XBRL facts of the registrant behind one bank, as filed, newest filing first.',
  notes: `${registrantNote} A fact is what one filing says of one period: what later filings repeat or amend stands in rows of their own, and \`sec-fact-trends\` resolves it. Facts of segments, classes of securities and other members are left out. Where the Financial Statement Data Sets alone tell a fact, the ends of its period are rounded to months.`,
  from: facts.name,
  time: { kind: 'day', column: 'filed_date' },
  grain: ['cik', 'concept', 'taxonomy', 'unit', 'end_date', 'days', 'accession_number', 'value'],
  order: ['-filed_date', '-accession_number', 'concept', '-end_date'],
  parameters: {
    rssd_id: bankOfRegistrant(),
    taxonomy: one('taxonomy', 'Taxonomy', 'us-gaap'),
    concept: anyOf('concept', {
      doc: 'Concept, or several by comma.',
      example: 'Assets',
      ...conceptNames,
    }),
    unit: one('unit', 'Unit', 'USD'),
    fiscal_year: {
      ...one('fiscal_year', 'Fiscal year of the filing', '2025'),
      where: 'has({fiscal_year:Array(String)}, toString(fiscal_year))',
    },
    fiscal_period: anyOf('fiscal_period', {
      doc: 'Fiscal period of the filing: Q1, Q2, Q3 or FY, or several by comma.',
      upper: true,
      example: 'FY',
    }),
    form: anyOf('form', { doc: 'Form, or several by comma.', upper: true, example: '10-K' }),
  },
  limit: { default: 100, most: 10_000 },
  columns: [askedRssdId, ...columnsOf(facts)],
  sources: factSources,
  examples: [
    { title: 'The newest', query: 'limit=20', expect: { least: 1 } },
    {
      title: 'Assets as each filing tells them',
      query: 'concept=Assets&fields=end_date,value,form,filed_date',
      expect: { least: 1 },
    },
    { title: 'What the annual reports say', query: 'fiscal_period=FY&limit=20' },
  ],
})
