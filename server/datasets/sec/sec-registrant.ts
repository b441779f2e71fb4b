import { BANK_REGISTRANTS } from '../../../sql/registrants/index.ts'
import { code, figure, id, longDate, objects, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank } from '../../catalog/parameters.ts'
import { registrantNote, registrantSources, registrants, via } from '../../catalog/parts/sec-registrant.ts'
import { columnsOf } from '../../catalog/tables.ts'

export default dataset({
  key: 'sec-registrant',
  summary:
    'The registrant of the SEC behind one bank: the bank itself, or the highest of its holders that is one.',
  notes: `${registrantNote} Of several registrants of one institution, such as one before and one after a reorganisation, the one with tickers, else the one with the greatest CIK.`,
  from: `
    SELECT b.rssd_id AS rssd_id, b.via AS via, b.holder_rssd_id AS holder_rssd_id, b.method AS method, b.score AS score, b.evidence AS evidence, r.*
    FROM (SELECT * EXCEPT cik, cik AS number FROM ${BANK_REGISTRANTS}) AS b INNER JOIN ${registrants.name} AS r ON r.cik = b.number
    WHERE b.rssd_id = {rssd_id:UInt32} ORDER BY notEmpty(r.tickers) DESC, r.cik DESC LIMIT 1`,
  time: { kind: 'none' },
  grain: ['rssd_id'],
  parameters: { rssd_id: bank() },
  columns: [
    id('rssd_id', 'RSSD ID'),
    via,
    id('holder_rssd_id', 'RSSD ID of the holder', {
      nullable: true,
      doc: 'Of the holding company that is the registrant.',
    }),
    ...columnsOf(registrants, [
      ...[
        'cik',
        'name',
        'entity_type',
        'sic',
        'sic_description',
        'ein',
        'lei',
        'category',
        'fiscal_year_end',
      ],
      ...['state_of_incorporation', 'street', 'street_2', 'city', 'state', 'zip', 'phone', 'web_address'],
      ...['tickers', 'exchanges'],
    ]),
    objects('former_names', 'Former names', [
      text('name', 'Name'),
      longDate('since', 'First day', { nullable: true }),
      longDate('until', 'Last day', { nullable: true }),
    ]),
    code('method', 'Link', { doc: 'How the registrant was found to be that institution.' }),
    figure('score', 'Certainty', {
      nullable: false,
      unit: 'ratio',
      sql: 'toFloat64(score)',
      doc: 'From 0 to 1.',
    }),
    text('evidence', 'Evidence'),
  ],
  sources: registrantSources,
  examples: [{ title: 'The registrant behind the bank' }],
})
