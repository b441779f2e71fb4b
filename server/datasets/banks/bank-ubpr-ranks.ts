import { code, figure, over, percent, reportDate, rssdId, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { anyOf, bank, window } from '../../catalog/parameters.ts'

const inUnit = { doc: 'In the unit of the row.' }

export default dataset({
  key: 'bank-ubpr-ranks',
  summary: 'Percentile rank of one bank in its UBPR peer group, by quarter and concept of the report.',
  notes:
    'The peer group is the UBPR’s of that quarter: by assets, offices and location, or a special group (docs/formulas.md). Averages leave out the top and bottom 5 % of the banks that have the concept; of fewer than five there is none. A percentile says where the value stands, not whether that is good.',
  from: 'ubpr_values',
  grain: ['rssd_id', 'report_date', 'position'],
  order: ['report_date', 'position'],
  parameters: {
    rssd_id: bank(),
    ...window({ default: 1 }),
    codes: anyOf('code', {
      doc: 'Concepts by comma, as UBPRE013; without it every one that is computed.',
      pattern: /^[A-Z]{4}[A-Z0-9]{4}$/,
      form: 'codes of four letters and four characters such as UBPRE013',
      upper: true,
      example: 'UBPRE013',
    }),
  },
  columns: [
    rssdId,
    reportDate,
    code('code', 'Concept', { doc: 'MDRM code of the UBPR concept, or of an item that the report shows.' }),
    text('label', 'Label'),
    code('unit', 'Unit'),
    figure('value', 'Value', inUnit),
    percent('percentile', 'Percentile rank', {
      doc: 'From 0 to 100, among the banks of the peer group that have a value.',
    }),
    figure('peer_average', 'Peer group average', inUnit),
    over(code('peer_group', 'Peer group'), { nullable: true, doc: 'Null where the assets are unknown.' }),
    text('peer_group_label', 'Definition of the peer group'),
    smallCount('peer_count', 'Banks in the peer group'),
    text('formulas', 'Formulas', {
      doc: 'Where the formula is from: an edition of the guide, or the metric catalog.',
    }),
  ],
  sources: ['ffiec-call-report', 'ubpr-formulas', 'fdic-institutions'],
  examples: [
    { title: 'Every concept of the latest quarter', expect: { least: 1 } },
    {
      title: 'Net income to average assets over two years',
      query: 'quarters=8&codes=UBPRE013',
      expect: { rows: 8 },
    },
  ],
})
