import { code, metricColumns, money, reportDate, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf } from '../../catalog/parameters.ts'

export default dataset({
  key: 'peer-groups',
  summary:
    'The standard peer groups, tiers of total assets from small to large, and what their banks add up to.',
  notes:
    'A bank belongs to the tier with min_total_assets ≤ total assets < max_total_assets in the quarter. Amounts are sums; ratios are those of the summed filings.',
  from: 'peer_groups',
  grain: ['report_date', 'position'],
  order: ['position'],
  parameters: { as_of: asOf() },
  columns: [
    code('cohort', 'Peer group', { doc: 'Key, as `tier` and `cohort` take it.' }),
    text('label', 'Label'),
    money('min_total_assets', 'From total assets', { nullable: false, doc: 'Inclusive.' }),
    money('max_total_assets', 'Below total assets', { doc: 'Exclusive; null in the largest group.' }),
    reportDate,
    smallCount('banks', 'Banks'),
    metricColumns('headline'),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The groups now', expect: { least: 2 } },
    {
      title: 'Their definitions',
      query: 'fields=cohort,label,min_total_assets,max_total_assets',
      expect: { least: 2 },
    },
  ],
})
