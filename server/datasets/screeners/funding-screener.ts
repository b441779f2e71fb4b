import { metricColumns } from '../../catalog/columns.ts'
import { screener } from '../../catalog/parts/banks.ts'
import { uninsuredMethod } from '../../catalog/parts/deposit-book.ts'

export default screener({
  key: 'funding-screener',
  summary: 'Banks by what they are funded with and what they could sell, by RSSD ID.',
  notes:
    'Uninsured deposits are the bank’s own estimate where it files one, else what accounts above the insurance limit hold above it; `uninsured_method` says which. Bounds are inclusive and a null never matches one.',
  columns: [
    metricColumns([
      'total_assets',
      'total_deposits',
      'estimated_uninsured_deposits',
      'estimated_uninsured_deposits_ratio',
      'brokered_deposits',
      'brokered_deposits_ratio',
      'listing_service_deposits_ratio',
      'reciprocal_deposits_ratio',
      'large_time_deposits_ratio',
      'core_deposits_ratio',
      'wholesale_funding',
      'wholesale_funding_ratio',
      'noncore_funding_dependence',
      'fhlb_advances_ratio',
      'loan_to_deposit_ratio',
      'liquid_assets',
      'liquid_assets_ratio',
      'pledged_securities_ratio',
      'cost_of_funds',
      'deposit_growth_1q',
      'deposit_growth_1y',
    ]),
    uninsuredMethod('columns'),
  ],
  examples: [
    {
      title: 'Uninsured deposits above half',
      query: 'min_estimated_uninsured_deposits_ratio=50&sort=-estimated_uninsured_deposits_ratio',
    },
    {
      title: 'Wholesale funding and few liquid assets',
      query: 'min_wholesale_funding_ratio=15&max_liquid_assets_ratio=15',
    },
  ],
})
