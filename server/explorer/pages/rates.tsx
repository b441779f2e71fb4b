/** Interest rates: the curve now and a year ago, and rates and spreads through time. */
import { useAnswer } from '../lib/api.ts'
import { day, isDay, shifted } from '../lib/numbers.ts'
import { type Rate, rateNames, unitOf } from '../lib/rates.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { Shown } from '../parts/asked.tsx'
import { Daily } from '../parts/daily.tsx'
import { type Curve, YieldCurve } from '../pictures/curve.tsx'
import { Lines } from '../pictures/lines.tsx'
import { Legend } from '../pictures/picture.tsx'

interface Point {
  readonly date: string
  readonly tenor: string
  readonly months: number
  readonly yield: number | null
}

/** Days before one in which there is a curve, whatever the holidays. */
const DAYS = 10
const YEAR = 365
/** Of the Federal Reserve's constant maturities. */
const FIRST_DAY = '1962-01-02'

const together = ['yield_3m', 'yield_2y', 'yield_10y', 'yield_30y'] as const
const ofMarkets = ['spread_10y_2y', 'federal_funds_rate', 'mortgage_rate_30y', 'real_yield_10y'] as const
const ofBanks = ['cost_of_deposits', 'nim'] as const

export function Rates({ query }: PageProps) {
  const now = useAnswer('The curve', 'rates-yield-curve', { latest: true })
  const date = now.answer?.data[0]?.date
  const chosen = query.get('day')
  const wanted = chosen && isDay(chosen) ? chosen : date && shifted(date, -YEAR)
  const before = useAnswer(
    'The curve to compare',
    'rates-yield-curve',
    wanted ? { from: shifted(wanted, -DAYS), to: wanted } : null,
  )
  const trends = useAnswer('Rates by quarter', 'industry-rate-environment-trends', {})
  const past = before.answer?.data ?? []
  const pastDate = past
    .map((row) => row.date)
    .sort()
    .at(-1)
  return (
    <>
      <h1>Interest rates</h1>
      <p class="lede">Yields of the Treasury, and what they meant for banks.</p>
      <Shown asked={now} what="the curve">
        {({ data }) =>
          data.length === 0 ? (
            <p class="mild">No yields are loaded yet.</p>
          ) : (
            <>
              <p class="buttons">
                <label>
                  Compare with{' '}
                  <input
                    type="date"
                    value={wanted ?? ''}
                    min={FIRST_DAY}
                    max={date!}
                    onChange={(event) => adjust({ day: event.currentTarget.value })}
                  />
                </label>
                {chosen && (
                  <button type="button" onClick={() => adjust({ day: null })}>
                    A year earlier
                  </button>
                )}
                {before.answer && !pastDate && <span role="status">No curve is held of that day.</span>}
              </p>
              <YieldCurve
                name="The Treasury’s par yield curve"
                curves={[
                  curveOf(day(date!), data),
                  ...(pastDate
                    ? [
                        curveOf(
                          day(pastDate),
                          past.filter((row) => row.date === pastDate),
                        ),
                      ]
                    : []),
                ]}
              />
            </>
          )
        }
      </Shown>
      {date && <Daily last={date} years={Number(query.get('years'))} />}
      <Shown asked={trends} what="the rates">
        {({ data }) => {
          const dates = data.map((row) => row.report_date)
          const values = (key: Rate) => data.map((row) => row[key] ?? null)
          return data.length === 0 ? null : (
            <section aria-labelledby="time">
              <h2 id="time">By quarter, beside the banks</h2>
              <Lines
                name="Treasury yields"
                unit="percent"
                dates={dates}
                lines={together.map((key, i) => ({
                  ...{ name: rateNames[key], mark: `s${i}` },
                  values: values(key),
                }))}
              />
              <Legend entries={together.map((key, i) => ({ name: rateNames[key], mark: `s${i}` }))} />
              <div class="multiples">
                {[...ofMarkets, ...ofBanks].map((key) => {
                  const name = `${rateNames[key]}${ofBanks.some((one) => one === key) ? ', all banks' : ''}`
                  return (
                    <Lines
                      key={key}
                      small
                      height={140}
                      name={name}
                      unit={unitOf(key)}
                      dates={dates}
                      lines={[{ name, mark: 'main', values: values(key) }]}
                    />
                  )
                })}
              </div>
            </section>
          )
        }}
      </Shown>
    </>
  )
}

const curveOf = (name: string, points: readonly Point[]): Curve => ({
  name,
  points: points.flatMap((point) => (point.yield === null ? [] : [{ ...point, yield: point.yield }])),
})
