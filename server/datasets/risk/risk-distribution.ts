import { quotedList } from '../../../sql/quoted.ts'
import { tierOf } from '../../../sql/risk/model.ts'
import { column, money, percent, reportDate, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, choice } from '../../catalog/parameters.ts'
import { modelVersion, riskTier, tierKeys } from '../../catalog/parts/risk.ts'
import type { Scope } from '../../catalog/scope.ts'

const groups = { size: 'cohort', state: 'hq_state', regulator: "ifNull(regulator, '')" } as const

const groupOf = (scope: Scope) =>
  Object.entries(groups).find(([by]) => scope.is('by', by))?.[1] ?? groups.size

export default dataset({
  key: 'risk-distribution',
  summary: 'Banks and their assets by tier of the failure model, for each size cohort, state or regulator.',
  notes:
    'A tier without a bank of the group has no row. Tiers are by fixed probabilities, so that the shares move with the state of the banks. No rows where no model is trained.',
  from: (scope) => `
SELECT report_date, member, risk_tier, toUInt8(indexOf(${quotedList(tierKeys)}, risk_tier)) AS position, toUInt32(count()) AS banks, sum(assets) AS total_assets,
  100 * banks / sum(count()) OVER (PARTITION BY member) AS share_of_banks,
  100 * total_assets / sum(sum(assets)) OVER (PARTITION BY member) AS share_of_assets
FROM (
  SELECT report_date, toString(${groupOf(scope)}) AS member, assumeNotNull(${tierOf('failure_probability')}) AS risk_tier, total_assets AS assets
  FROM bank_quarters WHERE report_date = {as_of:Date} AND isNotNull(failure_probability)
)
GROUP BY report_date, member, risk_tier`,
  grain: ['member', 'position'],
  order: ['member', 'position'],
  parameters: {
    by: choice(['state', 'size', 'regulator'], { doc: 'What banks are grouped by.', default: 'size' }),
    as_of: asOf({ where: null }),
  },
  columns: [
    reportDate,
    text('member', 'Group', {
      doc: 'Key of the size cohort, USPS code of the state, or regulator; empty where that is not known.',
    }),
    { ...riskTier, nullable: false },
    column('UInt8', 'position', 'Position of the tier', { doc: '1 is the riskiest.' }),
    smallCount('banks', 'Banks'),
    money('total_assets', 'Total assets'),
    percent('share_of_banks', 'Share of the group’s banks', { nullable: false }),
    percent('share_of_assets', 'Share of the group’s assets'),
    modelVersion,
  ],
  sources: ['ffiec-call-report', 'fdic-institutions', 'fdic-failures', 'nic-transformations'],
  examples: [
    { title: 'By size', expect: { least: 1 } },
    { title: 'By state', query: 'by=state', expect: { least: 1 } },
    { title: 'By regulator', query: 'by=regulator', expect: { least: 1 } },
  ],
})
