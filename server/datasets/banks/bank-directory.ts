import {
  cert,
  charter,
  city,
  cohort,
  date,
  flag,
  holdingCompanyName,
  holdingCompanyRssdId,
  hqState,
  legalName,
  metricColumns,
  over,
  regulator,
  reportDate,
  rssdId,
} from '../columns.ts'
import { dataset } from '../define.ts'
import { charterClass, regulatorOf, search, state, yesNo } from '../parameters.ts'

export default dataset({
  key: 'bank-directory',
  summary: 'Every bank that ever filed, with its newest identity and headline figures, by RSSD ID.',
  notes:
    '`active` says whether the bank filed for the latest quarter; of a bank that did not, the identity and the figures are those of the last quarter that it filed, `report_date`.',
  from: 'banks',
  grain: ['rssd_id'],
  parameters: {
    state: state(),
    regulator: regulatorOf(),
    charter: charterClass(),
    active: yesNo({
      doc: 'Only banks that filed for the latest quarter, or only others.',
      where: 'active = {active:Bool}',
    }),
    q: search(['legal_name', 'city']),
  },
  columns: [
    rssdId,
    cert,
    legalName,
    city,
    hqState,
    charter,
    regulator,
    holdingCompanyRssdId,
    holdingCompanyName,
    cohort,
    flag('active', 'Active', { doc: 'Filed for the latest quarter.' }),
    date('first_quarter', 'First quarter', { doc: 'The earliest report held.' }),
    over(reportDate, { doc: 'The latest report held: identity and figures are of this quarter.' }),
    metricColumns('headline'),
  ],
  sources: ['ffiec-call-report', 'fdic-institutions'],
  examples: [
    { title: 'Texas banks, largest first', query: 'state=TX&sort=-total_assets', expect: { least: 1 } },
    {
      title: 'Find a bank by name and take a page of ten',
      query: 'q=bank&limit=10',
      expect: { rows: 10 },
    },
    {
      title: 'Banks that are gone',
      query: 'active=0&fields=rssd_id,legal_name,report_date',
      expect: { least: 1 },
    },
  ],
})
