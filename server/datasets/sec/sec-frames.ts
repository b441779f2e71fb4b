import { BANK_REGISTRANTS } from '../../../sql/registrants/index.ts'
import { FACTS_BY_PERIOD } from '../../../sql/sources/sec-fact-table.ts'
import { id, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { anyOf, word } from '../../catalog/parameters.ts'
import { concept, factSources, facts, knownConcept } from '../../catalog/parts/sec-facts.ts'
import { registrants } from '../../catalog/parts/sec-registrant.ts'
import { columnsOf } from '../../catalog/tables.ts'

/** The newest period that half as many registrants as in the fullest, or more, have told. */
const newest = `
SELECT frame FROM (SELECT frame, uniqExact(cik) AS n, max(n) OVER () AS fullest FROM ${FACTS_BY_PERIOD}
  WHERE concept = {concept:String} AND frame != '' GROUP BY frame)
WHERE 2 * n >= fullest ORDER BY frame DESC LIMIT 1`

export default dataset({
  key: 'sec-frames',
  summary:
    'One XBRL concept in one calendar period across all bank registrants, as each filed it last, by name.',
  notes:
    'Periods are named as EDGAR’s frames API does: CY2010 is a year, CY2010Q2 a quarter, CY2010Q2I the end of one. A duration belongs to the year or quarter that its middle is in, an instant to the nearest end of a quarter, so fiscal years that are none of the calendar are compared with what fits best. Of several facts of a registrant the last filed counts, and of those filed together the one that ends last. Fourth quarters are here where filed only: `sec-fact-trends` derives them.',
  from: (scope) => `
    SELECT f.*, r.name AS name, r.state AS state, nullIf(i.rssd_id, 0) AS rssd_id FROM (
      SELECT * FROM ${FACTS_BY_PERIOD} WHERE concept = {concept:String} AND frame = ${scope.has('period') ? '{period:String}' : `(${newest})`}
      ORDER BY filed_date DESC, accession_number DESC, end_date DESC, days DESC, value DESC LIMIT 1 BY cik, taxonomy, unit
    ) AS f
    INNER JOIN (SELECT cik AS registrant, name, state FROM ${registrants.name}) AS r ON r.registrant = f.cik
    LEFT ANY JOIN (SELECT cik AS behind, max(coalesce(holder_rssd_id, rssd_id)) AS rssd_id FROM ${BANK_REGISTRANTS} GROUP BY cik) AS i ON i.behind = f.cik`,
  time: { kind: 'day', column: 'end_date' },
  grain: ['cik', 'taxonomy', 'unit'],
  order: ['name'],
  parameters: {
    concept: concept(),
    period: word({
      doc: 'Calendar period: CY2010, CY2010Q2, or CY2010Q2I for the end of that quarter. Default: the newest that most registrants have told.',
      pattern: /^CY\d{4}(Q[1-4]I?)?$/,
      upper: true,
      example: 'CY2026Q1I',
    }),
    unit: anyOf('unit', { doc: 'Unit, or several by comma.', example: 'USD' }),
  },
  columns: [
    ...columnsOf(facts, ['cik']),
    text('name', 'Registrant'),
    id('rssd_id', 'RSSD ID', {
      nullable: true,
      doc: 'Of the bank or the holding company that the registrant is; null where that is not certain.',
    }),
    ...columnsOf(registrants, ['state']),
    ...columnsOf(facts, ['taxonomy', 'concept', 'unit']),
    ...columnsOf(facts, ['frame']).map((column) => ({ ...column, name: 'period', sql: 'frame' })),
    ...columnsOf(facts, ['start_date', 'end_date', 'value', 'form', 'accession_number', 'filed_date']),
  ],
  steps: [knownConcept],
  sources: factSources,
  examples: [
    { title: 'Assets at the end of the newest quarter', path: { concept: 'Assets' }, expect: { least: 1 } },
    {
      title: 'Net income of a year',
      path: { concept: 'NetIncomeLoss' },
      query: 'period=CY2025&sort=-value',
      expect: { least: 1 },
    },
  ],
})
