import { metricColumns, reportDate, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, window } from '../../catalog/parameters.ts'
import { depositMetrics, uninsuredColumns } from '../../catalog/parts/deposit-book.ts'

export default dataset({
  key: 'bank-deposits-trends',
  summary: 'Deposits and funding of one bank by quarter, oldest first.',
  notes:
    'Demand, other transaction, money market and savings deposits, the three sizes of time deposits and foreign deposits add up to total deposits. How uninsured deposits are known is said for each quarter.',
  from: 'bank_rows',
  grain: ['rssd_id', 'report_date'],
  order: ['report_date'],
  parameters: { rssd_id: bank(), ...window() },
  columns: [
    rssdId,
    reportDate,
    metricColumns([
      ...depositMetrics,
      'federal_funds_purchased',
      'other_borrowed_money',
      'fhlb_advances',
      'wholesale_funding',
      'wholesale_funding_ratio',
      'cost_of_funds',
    ]),
    ...uninsuredColumns,
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'Two years', query: 'quarters=8', expect: { rows: 8 } },
    {
      title: 'Uninsured and brokered deposits',
      query: 'fields=report_date,estimated_uninsured_deposits_ratio,uninsured_method,brokered_deposits_ratio',
      expect: { least: 1 },
    },
  ],
})
