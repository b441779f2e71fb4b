import { hqState, legalName, metricColumns, reportDate, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, charterClass, metricList, regulatorOf, state, window } from '../../catalog/parameters.ts'

const { from, to } = window()

export default dataset({
  key: 'screener-panel',
  summary:
    'One row a bank and quarter with the metrics asked for: quarters in order, banks by RSSD ID in each.',
  notes:
    'Streamed as it is read, whatever its size. Filters look at each quarter by itself: a bank that crosses a bound enters or leaves the panel. `fields` may name any metric.',
  from: (scope) => (scope.has('state') ? 'state_quarters' : 'bank_quarters'),
  grain: ['report_date', 'rssd_id'],
  parameters: {
    metrics: metricList(),
    from,
    to,
    as_of: {
      ...asOf({ where: { column: 'report_date', operator: '<=', type: 'Date' } }),
      doc: 'The filed quarter that the panel ends with. Default: the latest.',
    },
    state: state(),
    charter: charterClass(),
    regulator: regulatorOf(),
  },
  bounds: true,
  columns: [rssdId, reportDate, legalName, hqState, metricColumns('headline')],
  sources: ['ffiec-call-report', 'fdic-institutions'],
  examples: [
    {
      title: 'Return on assets and margin of the banks above $10 billion',
      query: 'metrics=roa,nim&min_total_assets=10000000',
      expect: { least: 1, columns: ['rssd_id', 'report_date', 'legal_name', 'hq_state', 'roa', 'nim'] },
    },
    { title: 'The first page of five', query: 'metrics=roa&limit=5', expect: { rows: 5 } },
  ],
})
