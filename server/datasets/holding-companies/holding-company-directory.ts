import { holdingCompanies } from '../../../sql/universes/holding-company/index.ts'
import {
  city,
  cohort,
  column,
  count,
  date,
  flag,
  hqState,
  legalName,
  metricColumns,
  money,
  over,
  reportDate,
  rssdId,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { search, state, yesNo } from '../../catalog/parameters.ts'
import { holdingCompanyForm } from '../../catalog/parts/holding-company.ts'

/** Those that file, and those that FDIC's institutions or NIC know as such; with their banks of the newest quarter. */
const everyone = `
SELECT e.id AS rssd_id,
  coalesce(nullIf(h.legal_name, ''), nullIf(n.legal_name, ''), o.legal_name, '') AS legal_name,
  coalesce(nullIf(h.city, ''), n.city, '') AS city,
  coalesce(nullIf(toString(h.hq_state), ''), n.hq_state, '') AS hq_state,
  h.form AS form,
  nullIf(toString(h.cohort), '') AS cohort,
  h.rssd_id > 0 AND h.active AS active,
  if(h.rssd_id > 0, toNullable(h.first_quarter), NULL) AS first_quarter,
  if(h.rssd_id > 0, toNullable(h.report_date), NULL) AS report_date,
  b.bank_count AS bank_count, if(b.bank_count > 0, b.bank_assets, NULL) AS bank_assets, b.bank_rssd_ids AS bank_rssd_ids,
  h.* EXCEPT (rssd_id, legal_name, city, hq_state, form, cohort, active, first_quarter, report_date)
FROM (SELECT id FROM entities WHERE kind = 'holding_company') AS e
LEFT JOIN holding_companies AS h ON h.rssd_id = e.id
LEFT JOIN (
  SELECT rssd_id, legal_name, city, toString(state) AS hq_state FROM nic_institutions ORDER BY start_date DESC LIMIT 1 BY rssd_id
) AS n ON n.rssd_id = e.id
LEFT JOIN (
  SELECT assumeNotNull(holding_company_rssd_id) AS holder, argMax(holding_company_name, report_date) AS legal_name
  FROM fdic_institutions WHERE holding_company_rssd_id > 0 GROUP BY holder
) AS o ON o.holder = e.id
LEFT JOIN (
  SELECT holding_company_rssd_id AS holder, count() AS bank_count, sum(bank.total_assets) AS bank_assets,
    arrayMap(one -> one.2, arrayReverseSort(groupArray((ifNull(bank.total_assets, 0), bank.rssd_id)))) AS bank_rssd_ids
  FROM holding_company_banks AS bank WHERE report_date = (SELECT max(report_date) FROM bank_quarters) GROUP BY holder
) AS b ON b.holder = e.id`

export default dataset({
  key: 'holding-company-directory',
  summary: 'Every holding company with its newest identity, headline figures and banks, by RSSD ID.',
  notes:
    'Figures are consolidated, of the newest FR Y-9C (of a holder that files FR Y-9SP: of the parent alone), as of `report_date`. A holder that never filed is here by structure: it controls a bank by FDIC’s institutions or NIC’s relationships, and its figures are null. `bank_rssd_ids` are the banks of the newest quarter, the largest first: `/api/v1/banks/{rssd_id}/` leads back by `holding_company_rssd_id`. Bounds are inclusive and a null never matches one; `fields` may name any metric of the catalog.',
  universe: holdingCompanies,
  from: everyone,
  shape: 'columns',
  grain: ['rssd_id'],
  bounds: true,
  parameters: {
    state: state(),
    active: yesNo({
      doc: 'Only those that filed lately (a small one within half a year), or only others.',
      where: 'active = {active:Bool}',
    }),
    q: search(['legal_name', 'city']),
  },
  columns: [
    rssdId,
    legalName,
    city,
    hqState,
    holdingCompanyForm,
    over(cohort, { label: 'Peer group', doc: 'By consolidated assets.', nullable: true }),
    flag('active', 'Active', { doc: 'Filed for the latest quarter, or a small one for the half-year.' }),
    date('first_quarter', 'First quarter', { doc: 'The earliest report held.', nullable: true }),
    over(reportDate, {
      doc: 'The latest report held: identity and figures are of this quarter.',
      nullable: true,
    }),
    count('bank_count', 'Banks'),
    money('bank_assets', 'Assets of its banks', { doc: 'Sum of their total assets.' }),
    column('Array(UInt32)', 'bank_rssd_ids', 'RSSD IDs of its banks'),
    metricColumns('headline'),
  ],
  sources: ['fr-y-9c', 'fdic-institutions', 'nic-relationships', 'nic-attributes'],
  examples: [
    { title: 'Largest first', query: 'sort=-total_assets&limit=10', expect: { rows: 10 } },
    {
      title: 'Active holders of at least $1 billion, the least capital first',
      query: 'active=1&min_total_assets=1000000&sort=cet1_ratio&fields=rssd_id,legal_name,cet1_ratio',
      expect: { least: 1 },
    },
    {
      title: 'Double leverage of active holders',
      query: 'active=1&fields=rssd_id,legal_name,double_leverage&sort=-double_leverage',
      expect: { least: 1 },
    },
  ],
})
