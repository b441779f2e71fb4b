import type { Whole } from '../../derive/shards.ts'
import { type Universe, universe } from '../../derive/universe.ts'
import { coefficientItems } from '../../formula/metrics/failure-risk.ts'
import { concepts, metrics } from '../../formula/metrics/index.ts'
import { callReportItem, derivedItems, officesItem, ordersItem } from '../../formula/metrics/terms.ts'
import { coefficientsSql } from '../../risk/model.ts'
import { cohorts } from './cohorts.ts'
import { headline } from './headline.ts'
import { identitiesSql, identity } from './identity.ts'
import { aliases, names, numbers } from './names.ts'
import { ordersSql, writeOrders } from './orders.ts'
import { mergerItems, poolings, predecessorBalancesSql } from './poolings.ts'
import { ubprTasks } from './ubpr/index.ts'
import { byInstitution, concepts as ubprConcepts } from './ubpr/tables.ts'

if (derivedItems[0] !== officesItem)
  throw new Error(`${officesItem} is expected to be the first derived item`)

/** The offices and the balances of predecessors, in the order of `derivedItems`, the coefficients of the failure model, and the
 * formal enforcement actions in force. */
const computedSql = (banks: Universe, quarters: readonly string[], whole: Whole): string => `
SELECT
    i.report_date AS report_date, i.rssd_id AS rssd_id,
    arrayConcat(
        arrayResize(arrayPushFront(b.balances, CAST(i.offices AS Nullable(Float64))), ${derivedItems.length}),
        ${coefficientsSql},
        [CAST(o.orders AS Nullable(Float64))]
    ) AS computed
FROM (${identitiesSql(quarters)}) AS i
LEFT JOIN (${predecessorBalancesSql(banks, quarters, whole)}) AS b ON b.rssd_id = i.rssd_id AND b.report_date = i.report_date
LEFT JOIN (${ordersSql(quarters)}) AS o ON o.rssd_id = i.rssd_id AND o.report_date = i.report_date`

/** Filers of the Call Report with an FDIC certificate: the others are trust companies and branches that are not insured. */
export const banks: Universe = universe({
  entity: 'bank',
  id: 'rssd_id',
  idLabel: 'RSSD ID',
  filings: 'filed Call Reports',
  names,
  aliases,
  numbers,
  knownBy: [
    'SELECT rssd_id FROM fdic_institutions',
    'SELECT predecessor_rssd_id FROM transformations',
    'SELECT successor_rssd_id FROM transformations',
    `SELECT rssd_id FROM nic_institutions WHERE cert IS NOT NULL OR charter_type IN (200, 250, 300, 310, 320, 340)`,
    'SELECT rssd_id FROM branch_deposits',
  ],
  items: 'call_report_items',
  code: 'mdrm',
  filers: 'filers',
  belongs: 'cert > 0',
  sources: ['ffiec-call-report', 'demo'],
  identity,
  cohorts: { metric: 'total_assets', tiers: cohorts },
  known: callReportItem,
  itemNames: 'SELECT mdrm AS code, description AS name, report_date AS at FROM item_descriptions',
  metrics,
  concepts,
  headline,
  inOrderOf: { state_quarters: 'hq_state' },
  tables: {
    filings: 'filing_values',
    sums: 'cohort_sums',
    derived: 'derived_quarters',
    benchmarks: 'cohort_benchmarks',
    summaries: 'benchmarks',
    industry: 'industry_quarters',
    filed: 'quarters',
  },
  beforehand: (making) => writeOrders(making, banks),
  computed: {
    items: [...derivedItems, ...coefficientItems, ordersItem],
    sql: (quarters, whole) => computedSql(banks, quarters, whole),
  },
  besides: mergerItems,
  preparation: poolings,
  further: ubprTasks,
  furtherByInstitution: byInstitution,
  traced: [ubprConcepts],
})
