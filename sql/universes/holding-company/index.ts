import { type Universe, universe } from '../../derive/universe.ts'
import { nicNumbers } from '../../entities/link.ts'
import { holdingCompanyNames } from '../../entities/unserved.ts'
import { cohorts } from './cohorts.ts'
import { identity } from './identity.ts'
import { concepts } from './metrics/income.ts'
import { metrics } from './metrics/index.ts'

/** Bank, savings and loan, and intermediate holding companies that file FR Y-9C, FR Y-9LP or FR Y-9SP. */
export const holdingCompanies: Universe = universe({
  entity: 'holding_company',
  plural: 'holding_companies',
  id: 'rssd_id',
  idLabel: 'RSSD ID',
  filings: 'filed FR Y-9 reports',
  names: `
SELECT rssd_id AS id, CAST(NULL AS Nullable(UInt32)) AS cert, legal_name AS name, city, toString(state) AS state,
    toNullable(toDate32(max(report_date))) AS until
FROM holding_company_filers GROUP BY rssd_id, legal_name, city, holding_company_filers.state
UNION ALL
SELECT n.rssd_id, NULL, n.legal_name, n.city, ifNull(toString(n.state), ''), n.end_date FROM nic_institutions AS n WHERE charter_type = 500
UNION ALL ${holdingCompanyNames}`,
  numbers: nicNumbers,
  knownBy: [
    'SELECT holding_company_rssd_id FROM fdic_institutions',
    `SELECT parent_rssd_id FROM nic_relationships
      WHERE controlled = 1 AND offspring_rssd_id IN (SELECT rssd_id FROM filers WHERE cert > 0)`,
  ],
  items: 'holding_company_items',
  code: 'mdrm',
  filers: 'holding_company_filers',
  sources: ['fr-y-9c', 'demo'],
  identity,
  cohorts: { metric: 'total_assets', tiers: cohorts },
  known: /^BH(?:CK|CA|CP|CB|CW|DM|FN|OD|SP)[A-Z0-9]{4}$/,
  itemNames: 'SELECT mdrm AS code, name, start_date AS at FROM mdrm_dictionary',
  metrics,
  concepts,
  headline: [
    'total_assets',
    'total_loans',
    'total_deposits',
    'total_equity',
    'net_income',
    'roa',
    'roe',
    'nim',
    'efficiency_ratio',
    'tier1_leverage_ratio',
    'cet1_ratio',
    'total_capital_ratio',
    'noncurrent_loans_ratio',
    'net_chargeoffs_ratio',
    'double_leverage',
    'asset_growth_1y',
  ],
  // small holders report in June and December
  filesEvery: 2,
})
