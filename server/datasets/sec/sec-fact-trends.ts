import { code, column, figure, flag, longDate, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { anyOf, choice } from '../../catalog/parameters.ts'
import { concept, factSources, facts, knownConcept, trend } from '../../catalog/parts/sec-facts.ts'
import { askedRssdId, bankOfRegistrant, cik, registrantNote } from '../../catalog/parts/sec-registrant.ts'
import { columnsOf } from '../../catalog/tables.ts'

export default dataset({
  key: 'sec-fact-trends',
  summary:
    'One XBRL concept of the registrant behind one bank over time, each period as last filed, oldest first.',
  notes: `${registrantNote} Filings repeat and amend what earlier ones said of a period: the last filed counts, and \`replaced_value\` is what an earlier filing said where that differs. A quarter that no filing tells, the fourth of most years, is derived in amounts of money: a year to date less the year to date a quarter before, else a year less its other three quarters; \`accession_numbers\` names the filings it rests on. Shares, averages and figures a share are not derived.`,
  from: trend,
  time: { kind: 'day', column: 'end_date' },
  grain: ['cik', 'taxonomy', 'unit', 'end_date'],
  order: ['taxonomy', 'unit', 'end_date'],
  parameters: {
    rssd_id: { ...bankOfRegistrant(), where: undefined },
    concept: concept(),
    unit: anyOf('unit', { doc: 'Unit, or several by comma.', example: 'USD' }),
    frequency: choice(['quarter', 'year'], {
      doc: 'Durations of a quarter, or of a year and the ends of years.',
      default: 'quarter',
    }),
  },
  columns: [
    askedRssdId,
    cik,
    ...columnsOf(facts, ['taxonomy']),
    text('concept', 'Concept', { sql: '{concept:String}' }),
    ...columnsOf(facts, ['unit']),
    code('period', 'Calendar period', {
      doc: 'As EDGAR’s frames name it: CY2010, CY2010Q2, at its end CY2010Q2I.',
    }),
    ...columnsOf(facts, ['start_date', 'end_date', 'value']),
    flag('derived', 'Derived', { doc: 'Worked out of longer periods, as no filing tells it.' }),
    ...columnsOf(facts, ['form', 'accession_number', 'filed_date']),
    smallCount('filings', 'Filings', { doc: 'How many filings tell the period.' }),
    figure('replaced_value', 'Replaced value', {
      doc: 'What the last filing before it with another value said; null where all agree.',
    }),
    text('replaced_accession_number', 'Filing replaced', { nullable: true }),
    longDate('replaced_filed_date', 'Filing replaced, filed', { nullable: true }),
    column('Array(String)', 'accession_numbers', 'Filings it rests on'),
  ],
  steps: [knownConcept],
  sources: factSources,
  examples: [
    { title: 'Assets by quarter', path: { concept: 'Assets' }, expect: { least: 1 } },
    {
      title: 'Net income by quarter, the fourth derived',
      path: { concept: 'NetIncomeLoss' },
      query: 'fields=start_date,end_date,value,derived',
      expect: { least: 1 },
    },
    { title: 'By year', path: { concept: 'NetIncomeLoss' }, query: 'frequency=year', expect: { least: 1 } },
  ],
})
