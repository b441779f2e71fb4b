import { metricColumns, money, over, percent, reportDate, smallCount } from '../../catalog/columns.ts'
import { choice } from '../../catalog/parameters.ts'
import { screener } from '../../catalog/parts/banks.ts'
import type { Scope } from '../../catalog/scope.ts'

const horizons = { '1q': 1, '1y': 4, '3y': 12, '5y': 20 } as const
type Horizon = keyof typeof horizons
const names = Object.keys(horizons) as Horizon[]
const first = (scope: Scope) => names.find((name) => scope.is('horizon', name)) ?? '1y'

const growing = [
  ['asset', 'Total assets', 'total_assets'],
  ['loan', 'Total loans', 'total_loans'],
  ['deposit', 'Total deposits', 'total_deposits'],
  ['equity', 'Equity', 'total_equity'],
] as const
const metrics = growing.map(([, , metric]) => metric)

/**
 * Banks of the quarter with the figures of the quarter that growth is from. `merged_` figures are those that banks had
 * then which have since become part of this one: by NIC's transformations, and by the poolings that filings show. A bank
 * that became part of one that did so itself counts with the last of them.
 */
const relation = (scope: Scope) => {
  const then = `toLastDayOfMonth(subtractQuarters({as_of:Date}, ${horizons[first(scope)]}))`
  return `
WITH merged AS (
  SELECT mapFromArrays(groupArray(predecessor), groupArray(successor)) AS into
  FROM (
    SELECT predecessor, argMax(successor, (day, successor)) AS successor
    FROM (
      SELECT assumeNotNull(predecessor_rssd_id) AS predecessor, assumeNotNull(successor_rssd_id) AS successor, toDate32(date) AS day
      FROM transformations WHERE date > ${then} AND date <= {as_of:Date} AND predecessor_rssd_id != successor_rssd_id
      UNION ALL
      SELECT predecessor, survivor, toDate32(report_date) FROM poolings WHERE report_date > ${then} AND report_date <= {as_of:Date}
    )
    WHERE predecessor NOT IN (SELECT rssd_id FROM bank_quarters WHERE report_date = {as_of:Date})
    GROUP BY predecessor
  )
)
SELECT *
FROM (SELECT *, ${then} AS from_date FROM bank_quarters WHERE report_date = {as_of:Date}) AS b
LEFT JOIN (
  SELECT rssd_id AS id_then, net_income_quarter AS net_income_quarter_then, ${metrics.map((metric) => `${metric} AS ${metric}_then`).join(', ')}
  FROM bank_quarters WHERE report_date = ${then}
) AS t ON t.id_then = b.rssd_id
LEFT JOIN (
  SELECT arrayFold((at, _) -> if(mapContains(into, at), into[at], at), range(8), into[predecessor]) AS survivor,
    toUInt32(count()) AS merged_banks, ${metrics.map((metric) => `sum(${metric}) AS merged_${metric}`).join(', ')}
  FROM (SELECT rssd_id AS predecessor, ${metrics.join(', ')} FROM bank_quarters WHERE report_date = ${then}) AS q
  CROSS JOIN merged
  WHERE mapContains(into, predecessor)
  GROUP BY survivor
) AS m ON m.survivor = b.rssd_id`
}

const change = (now: string, then: string) => `if(${then} > 0, 100 * (${now} - ${then}) / ${then}, NULL)`

export default screener({
  key: 'growth-screener',
  summary:
    'Banks by growth since a quarter, a year, three or five years ago, with mergers and without, by RSSD ID.',
  notes:
    'Growth is over the whole horizon, not a yearly rate. Organic growth counts what was merged in since as if it had been there at the beginning: banks that by NIC’s transformations, or by the poolings that filings show, have become part of this one, with what they had then. While NIC’s transformations are not loaded, only poolings are known. Null where the bank did not file the quarter that growth is from. Bounds are inclusive and a null never matches one.',
  choosesQuarter: true,
  from: relation,
  sources: ['nic-transformations'],
  parameters: {
    horizon: choice(names, { doc: 'Since when: a quarter, a year, three or five years.', default: '1y' }),
  },
  columns: [
    over(reportDate, { name: 'from_date', label: 'Growth from', doc: 'The quarter that growth is from.' }),
    metricColumns([...metrics, 'net_income_quarter', 'tier1_leverage_ratio', 'noncurrent_loans_ratio']),
    ...growing.flatMap(([key, label, metric]) => [
      percent(`${key}_growth`, `${label}: growth`, { sql: change(metric, `${metric}_then`) }),
      percent(`organic_${key}_growth`, `${label}: growth without mergers`, {
        sql: change(metric, `(${metric}_then + ifNull(merged_${metric}, 0))`),
      }),
    ]),
    percent('net_income_growth', 'Net income of the quarter: growth', {
      doc: 'In relation to the absolute value then, so that a rise is positive.',
      sql: 'if(net_income_quarter_then != 0, 100 * (net_income_quarter - net_income_quarter_then) / abs(net_income_quarter_then), NULL)',
    }),
    smallCount('merged_banks', 'Banks merged in since'),
    money('merged_total_assets', 'Their total assets at the beginning'),
  ],
  examples: [
    {
      title: 'Grown by a fifth in a year without mergers',
      query: 'min_organic_asset_growth=20&sort=-organic_asset_growth',
    },
    {
      title: 'In three years, loans of Texas banks',
      query: 'horizon=3y&state=TX&fields=rssd_id,legal_name,from_date,loan_growth,organic_loan_growth',
    },
  ],
})
