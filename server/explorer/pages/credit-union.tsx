/** One credit union: its figures beside the median of its size, and through time. */

import { useAnswer } from '../lib/api.ts'
import type { MetricName } from '../lib/headline.ts'
import { type Figure, figure, quarter, THOUSANDS } from '../lib/numbers.ts'
import type { PageProps } from '../lib/router.ts'
import { Note, Shown } from '../parts/asked.tsx'
import { Tiles } from '../parts/headline.tsx'
import { Multiples } from '../parts/multiples.tsx'

const QUARTERS = 40

const metrics = [
  ['total_assets', 'Total assets', THOUSANDS],
  ['total_loans', 'Total loans', THOUSANDS],
  ['total_shares', 'Total shares', THOUSANDS],
  ['members', 'Members', 'count'],
  ['net_worth_ratio', 'Net worth ratio', 'percent'],
  ['roa', 'Return on assets', 'percent'],
  ['nim', 'Net interest margin', 'percent'],
  ['noninterest_expense_ratio', 'Operating expense to assets', 'percent'],
  ['delinquency_ratio', 'Delinquent loans', 'percent'],
  ['net_chargeoffs_ratio', 'Net charge-offs', 'percent'],
  ['loan_to_share_ratio', 'Loans to shares', 'percent'],
  ['asset_growth_1y', 'Growth of assets in a year', 'percent'],
] as const
const names: readonly MetricName[] = metrics.map(([key, label, unit]) => ({ key, label, unit }))
const keys = metrics.map(([key]) => key)

export function CreditUnion({ id }: PageProps) {
  const cu_number = Number(id)
  const snapshot = useAnswer('Snapshot', 'credit-union-snapshot', { cu_number })
  const trends = useAnswer('Trends', 'credit-union-trends', { cu_number, quarters: QUARTERS, metrics: keys })
  const tier = snapshot.answer?.data.cohort
  const from = trends.answer?.data[0]?.report_date
  const benchmarks = useAnswer(
    'Peers through time',
    'credit-union-peer-benchmarks',
    tier && from ? { tier: [tier as 'all'], from, metrics: keys } : null,
  )
  const rows = benchmarks.answer?.data ?? []
  const cohort = rows[0]
    ? `credit unions of ${rows[0].tier_label.toLowerCase()}`
    : 'credit unions of its size'
  return (
    <>
      {!snapshot.answer && <h1>Credit union {id}</h1>}
      <Shown
        asked={snapshot}
        what="the credit union"
        absent={
          <Note title={`No credit union has the number ${id}`}>
            <p>Search for it by its name, at the top.</p>
          </Note>
        }
      >
        {({ data }) =>
          !data.report_date ? (
            <Note page title="This credit union has filed nothing that is held" />
          ) : (
            <>
              <h1>{data.legal_name}</h1>
              <p class="facts">
                <span>Credit union</span>
                <span>
                  {data.city}, {data.state}
                </span>
                <span>{data.charter_type === '1' ? 'Federal charter' : 'State charter'}</span>
                <span class="mild">
                  Charter {data.cu_number} · {quarter(data.report_date)}
                </span>
              </p>
              <section aria-labelledby="figures">
                <h2 id="figures">
                  Figures <span class="mild">against {cohort}</span>
                </h2>
                <Tiles
                  tiles={names.map((one) => {
                    const benchmark = rows.findLast((row) => row.metric === one.key)
                    return {
                      ...one,
                      value: (data as unknown as Record<string, Figure>)[one.key],
                      note: benchmark && `median ${figure(benchmark.median, one.unit)}`,
                    }
                  })}
                />
              </section>
              <Shown asked={trends} what="the trends">
                {({ data: quarters }) => (
                  <section aria-labelledby="trends">
                    <h2 id="trends">Through time</h2>
                    <Multiples
                      name={data.legal_name}
                      metrics={names}
                      rows={quarters}
                      benchmarks={rows}
                      cohort={cohort}
                    />
                  </section>
                )}
              </Shown>
            </>
          )
        }
      </Shown>
    </>
  )
}
