/** The failure score of a bank, and what moves it. */
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { useAnswer } from '../lib/api.ts'
import { useMetrics } from '../lib/metrics.ts'
import { exact, figure, ordinal, percent } from '../lib/numbers.ts'
import { adjust } from '../lib/router.ts'
import { Shown } from './asked.tsx'
import { Wide } from './list.tsx'

type Score = Datasets['failure-prediction']['row']

/** A probability is rarely as large as a hundredth. */
function chance(probability: number | null): string {
  if (probability === null) return '–'
  return probability < 0.01 ? `less than ${percent(0.01)}` : percent(Number(probability.toPrecision(2)))
}

export function FailureScore({ score, asOf }: { score: Score; asOf: string | null }) {
  const factors = useAnswer('Factors of the failure score', 'failure-prediction-factors', {
    rssd_id: score.rssd_id,
    ...(asOf && { as_of: asOf }),
  })
  const metrics = useMetrics('bank')
  const opens = (feature: string): boolean => metrics instanceof Map && metrics.has(feature)
  if (score.failure_probability === null)
    return <p class="mild">There is no score: {score.no_score_reason}.</p>
  return (
    <>
      <p>
        <b class="large" title={exact(score.failure_probability, 'percent')}>
          {chance(score.failure_probability)}
        </b>{' '}
        likely to fail within a year
        <span class="mild">
          {' '}
          · {score.risk_tier} risk
          {score.percentile !== null &&
            ` · ${ordinal(score.percentile)} percentile of its cohort, the higher the riskier`}
        </span>
      </p>
      <Shown asked={factors} what="the factors">
        {({ data }) => {
          const own = data.filter((one) => one.factor_rank > 0)
          const largest = Math.max(1e-9, ...own.map((one) => Math.abs(one.contribution ?? 0)))
          return (
            <Wide name="What moves the failure score">
              <table class="figures">
                <thead>
                  <tr>
                    <th scope="col">Factor</th>
                    <th scope="col">The bank</th>
                    <th scope="col">Its cohort</th>
                    <th scope="col">Effect</th>
                    <th scope="col" class="meter-head drawn-too">
                      <span class="hidden">Effect drawn</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {own.slice(0, 10).map((one) => {
                    const share = (one.contribution ?? 0) / largest
                    return (
                      <tr key={one.feature}>
                        <th scope="row">
                          {opens(one.feature) ? (
                            <button
                              type="button"
                              class="link"
                              onClick={() => adjust({ metric: one.feature })}
                            >
                              {one.label}
                            </button>
                          ) : (
                            one.label
                          )}
                        </th>
                        <td title={exact(one.value, one.unit ?? undefined)}>
                          {figure(one.value, one.unit ?? undefined)}
                        </td>
                        <td class="mild">{figure(one.median, one.unit ?? undefined)}</td>
                        <td title={String(one.contribution)}>
                          {share > 0 ? 'raises' : 'lowers'} {Math.abs(one.contribution ?? 0).toFixed(2)}
                        </td>
                        <td class="meter-cell drawn-too">
                          <svg
                            viewBox="-100 0 200 10"
                            preserveAspectRatio="none"
                            aria-hidden="true"
                            class="effect"
                          >
                            <rect
                              class={share > 0 ? 'up' : 'down'}
                              x={Math.min(0, share * 100)}
                              y="1"
                              width={Math.abs(share * 100)}
                              height="8"
                            />
                          </svg>
                        </td>
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            </Wide>
          )
        }}
      </Shown>
      <p class="mild">
        Effects are of log-odds, against a bank of the cohort’s medians.{' '}
        <a href="/docs/risk-model">The model</a>
      </p>
    </>
  )
}
