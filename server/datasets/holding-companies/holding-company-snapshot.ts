import { objects } from '../../catalog/columns.ts'
import {
  bankColumns,
  banksOfHolder,
  holdingCompanyForm,
  ofHoldingCompanies,
} from '../../catalog/parts/holding-company.ts'

export default ofHoldingCompanies.snapshot({
  key: 'holding-company-snapshot',
  summary:
    'One holding company in its latest filed quarter, or in the one asked for: identity, every metric, and its banks.',
  notes:
    'Consolidated figures are of FR Y-9C, those of the parent alone of FR Y-9LP, or of FR Y-9SP for a small holder, which has no others. `banks` are those of the quarter by FDIC’s institutions (the top holder) and NIC’s relationships (whoever controls a bank directly). A holder that is known by structure and never filed is an empty object. Cohorts are the peer groups of the BHC Performance Report.',
  from: `SELECT *, ${banksOfHolder} AS banks FROM holding_company_quarters`,
  more: [holdingCompanyForm, objects('banks', 'Banks', bankColumns, { doc: 'The largest first.' })],
  sources: ['fr-y-9c', 'ffiec-call-report', 'fdic-institutions', 'nic-relationships'],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'Its banks and capital',
      query: 'fields=rssd_id,report_date,banks,cet1_ratio,double_leverage',
      expect: { rows: 1, columns: ['rssd_id', 'report_date', 'banks', 'cet1_ratio', 'double_leverage'] },
    },
  ],
})
