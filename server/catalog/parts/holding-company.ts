import { holdingCompanies } from '../../../sql/universes/holding-company/index.ts'
import { cert, city, code, hqState, legalName, money, percent, rssdId } from '../columns.ts'
import { state } from '../parameters.ts'
import { nested } from './nested.ts'
import { datasetsOf } from './universe-datasets.ts'

/** The datasets that every universe has, of holding companies. */
export const ofHoldingCompanies = datasetsOf({
  universe: holdingCompanies,
  identity: [rssdId, legalName, city, hqState],
  filters: { state: state() },
  sources: ['fr-y-9c'],
})

export const holdingCompanyForm = code('form', 'Report', {
  nullable: true,
  doc: 'FR Y-9C (consolidated), FR Y-9LP (parent alone) or FR Y-9SP (small holders, June and December).',
})

/** A bank of a holding company. */
export const bankColumns = [
  rssdId,
  cert,
  legalName,
  city,
  hqState,
  money('total_assets', 'Total assets'),
  percent('share', 'Share of the whole', { doc: 'Of the assets of all its banks.' }),
]

/** The banks of the holder of the path in the quarter that the request looks from, the largest first. */
export const banksOfHolder = nested(
  `SELECT rssd_id, cert, legal_name, city, toString(hq_state) AS hq_state, total_assets,
    100 * total_assets / nullIf(sum(total_assets) OVER (), 0) AS share
  FROM holding_company_banks WHERE holding_company_rssd_id = {rssd_id:UInt32} AND report_date = {as_of:Date}
  ORDER BY total_assets DESC NULLS LAST, rssd_id`,
  bankColumns,
)
