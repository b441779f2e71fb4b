import { maturities, sectorMetric, sectors } from '../../../sql/formula/metrics/securities-book.ts'
import { quotedList } from '../../../sql/quoted.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import {
  code,
  cohort,
  metricColumns,
  money,
  objects,
  percent,
  reportDate,
  rssdId,
  text,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { asOf, bank } from '../../catalog/parameters.ts'
import { bankRow } from '../../catalog/parts/bank-row.ts'
import { nested } from '../../catalog/parts/nested.ts'
import { securityMetrics } from '../../catalog/parts/security-metrics.ts'

const place = (holding: Parameters<typeof sectorMetric>[1]) =>
  `[${sectors.map((sector) => banks.position(sectorMetric(sector, holding))).join(', ')}]`
const capital = `metrics[${banks.position('tier1_capital')}]`

const sectorColumns = [
  code('sector', 'Sector'),
  text('label', 'Label'),
  money('htm_cost', 'Held to maturity, amortised cost'),
  money('htm_fair', 'Held to maturity, fair value'),
  money('htm_gain', 'Held to maturity, unrealised gain', { doc: 'Below 0 is a loss.' }),
  money('afs_cost', 'Available for sale, amortised cost'),
  money('afs_fair', 'Available for sale, fair value'),
  money('afs_gain', 'Available for sale, unrealised gain', { doc: 'Below 0 is a loss.' }),
  percent('share', 'Share of securities', {
    doc: 'Cost of what is held to maturity and fair value of the rest.',
  }),
  percent('gain_to_tier1', 'Unrealised gain to tier 1 capital'),
]

const bySector = `
SELECT sector, label, metrics[htm_cost_place] AS htm_cost, metrics[htm_fair_place] AS htm_fair, htm_fair - htm_cost AS htm_gain,
  metrics[afs_cost_place] AS afs_cost, metrics[afs_fair_place] AS afs_fair, afs_fair - afs_cost AS afs_gain,
  if(total > 0, 100 * (ifNull(htm_cost, 0) + ifNull(afs_fair, 0)) / total, NULL) AS share,
  if(${capital} != 0, 100 * (ifNull(htm_gain, 0) + ifNull(afs_gain, 0)) / ${capital}, NULL) AS gain_to_tier1,
  metrics[${banks.position('securities_htm_cost')}] + metrics[${banks.position('securities_afs')}] AS total
FROM ${bankRow()}
ARRAY JOIN
  ${quotedList(sectors.map(({ key }) => key))} AS sector,
  ${quotedList(sectors.map(({ label }) => label))} AS label,
  ${place('htm_cost')} AS htm_cost_place,
  ${place('htm_fair')} AS htm_fair_place,
  ${place('afs_cost')} AS afs_cost_place,
  ${place('afs_fair')} AS afs_fair_place,
  range(1, ${sectors.length + 1}) AS position
ORDER BY position`

const maturityColumns = [
  code('bucket', 'Bucket', { doc: 'Key in the metric catalog.' }),
  text('label', 'Label'),
  money('amount', 'Amount'),
  percent('share', 'Share of the buckets'),
]
const keys = maturities.map(([key]) => key)
const buckets = keys.map(banks.position)

const byMaturity = `
SELECT bucket, label, metrics[place] AS amount,
  arraySum(position -> ifNull(metrics[position], 0), [${buckets.join(', ')}]) AS total,
  if(total > 0, 100 * amount / total, NULL) AS share
FROM ${bankRow()}
ARRAY JOIN
  ${quotedList(keys)} AS bucket,
  ${quotedList(keys.map((key) => banks.metric(key)!.label))} AS label,
  [${buckets.join(', ')}] AS place,
  range(1, ${buckets.length + 1}) AS position
ORDER BY position`

export default dataset({
  key: 'bank-securities',
  summary:
    'The securities of one bank by sector, at amortised cost and fair value, with what they gain or lose against tier 1 capital, and by the time left.',
  notes:
    'Sectors add up to the totals of Schedule RC-B; equity securities were among them until 2018. Gains are fair value less amortised cost: below 0 is a loss. Losses on what is held to maturity are not in equity; those on what is available for sale are, and in tier 1 capital only of banks that did not opt out. The maturities are of debt securities that are not nonaccrual. The object with its lists is JSON; bank-securities-trends is flat, in every format.',
  from: `
SELECT *,
  ${nested(bySector, sectorColumns)} AS sectors,
  ${nested(byMaturity, maturityColumns)} AS maturities
FROM bank_rows`,
  shape: 'array',
  grain: ['rssd_id'],
  parameters: { rssd_id: bank(), as_of: asOf() },
  columns: [
    rssdId,
    reportDate,
    cohort,
    metricColumns(securityMetrics),
    objects('sectors', 'Sectors', sectorColumns),
    objects('maturities', 'Maturities', maturityColumns, {
      doc: 'Time until debt securities are due or reprice; other mortgage-backed ones by average life.',
    }),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'Gains and losses against capital',
      query: 'fields=report_date,unrealized_gains_ratio,leverage_ratio_after_securities_losses,sectors',
      expect: { rows: 1 },
    },
  ],
})
