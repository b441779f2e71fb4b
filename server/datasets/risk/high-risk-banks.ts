import { quotedList } from '../../../sql/quoted.ts'
import { tierOf, topTiers } from '../../../sql/risk/model.ts'
import { column, identity, metricColumns, reportDate } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, oneOfMany, state } from '../../catalog/parameters.ts'
import { modelVersion, riskTier, tierKeys } from '../../catalog/parts/risk.ts'

const metrics = [
  'total_assets',
  'tier1_leverage_ratio',
  'noncurrent_loans_ratio',
  'texas_ratio',
  'roa',
  'liquid_assets_ratio',
] as const

export default dataset({
  key: 'high-risk-banks',
  summary: 'Banks in the top tiers of the failure model in a quarter, the riskiest first.',
  notes: `The top tiers are ${topTiers.join(' and ')}; \`tier\` names others. How the model does is risk-model; the probability itself is failure-prediction. No rows where no model is trained.`,
  from: `
SELECT *, ${tierOf('failure_probability')} AS risk_tier, toUInt32(row_number() OVER (ORDER BY failure_probability DESC, rssd_id)) AS risk_rank
FROM bank_quarters WHERE report_date = {as_of:Date} AND isNotNull(failure_probability)`,
  where: (scope) => (scope.has('tier') ? 'true' : `risk_tier IN ${quotedList(topTiers)}`),
  grain: ['rssd_id'],
  order: ['risk_rank'],
  parameters: {
    as_of: asOf({ where: null }),
    tier: oneOfMany('risk_tier', tierKeys, {
      doc: `Risk tier, or several by comma; default: ${topTiers.join(',')}.`,
    }),
    state: state(),
  },
  bounds: true,
  columns: [
    column('UInt32', 'risk_rank', 'Rank', { doc: 'Among all banks of the quarter; 1 is the riskiest.' }),
    ...identity,
    reportDate,
    riskTier,
    metricColumns(metrics),
    modelVersion,
  ],
  sources: ['ffiec-call-report', 'fdic-institutions', 'fdic-failures', 'nic-transformations'],
  examples: [
    {
      title: 'The ten riskiest of all tiers',
      query: `tier=${tierKeys.join(',')}&limit=10`,
      expect: { rows: 10 },
    },
    { title: 'The top tiers' },
    { title: 'Above $1 billion', query: 'min_total_assets=1000000' },
  ],
})
