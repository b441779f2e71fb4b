/** Interest rates: the curve now and a year ago, and rates and spreads through time. */
import { useAnswer } from '../lib/api.ts'
import { day } from '../lib/numbers.ts'
import { Shown } from '../parts/asked.tsx'
import { type Curve, YieldCurve } from '../pictures/curve.tsx'
import { Lines } from '../pictures/lines.tsx'
import { Legend } from '../pictures/picture.tsx'

interface Point {
  readonly date: string
  readonly tenor: string
  readonly months: number
  readonly yield: number | null
}

/** Days around a year ago in which there is a curve, whatever the holidays. */
const DAYS = 10

const together = [
  ['yield_3m', '3 months'],
  ['yield_2y', '2 years'],
  ['yield_10y', '10 years'],
  ['yield_30y', '30 years'],
] as const

const others = [
  ['spread_10y_2y', '10 years less 2 years'],
  ['federal_funds_rate', 'Federal funds rate'],
  ['mortgage_rate_30y', '30-year mortgage rate'],
  ['real_yield_10y', 'Real yield, 10 years'],
  ['cost_of_deposits', 'Cost of deposits, all banks'],
  ['nim', 'Net interest margin, all banks'],
] as const

export function Rates() {
  const now = useAnswer('The curve', 'rates-yield-curve', { latest: true })
  const date = now.answer?.data[0]?.date
  const before = useAnswer(
    'The curve a year before',
    'rates-yield-curve',
    date ? { from: shifted(date, -365 - DAYS), to: shifted(date, -365) } : null,
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
          )
        }
      </Shown>
      <Shown asked={trends} what="the rates">
        {({ data }) => {
          const dates = data.map((row) => row.report_date)
          const values = (key: (typeof together)[number][0] | (typeof others)[number][0]) =>
            data.map((row) => row[key] ?? null)
          return data.length === 0 ? null : (
            <section aria-labelledby="time">
              <h2 id="time">Through time</h2>
              <Lines
                name="Treasury yields"
                unit="percent"
                dates={dates}
                lines={together.map(([key, name], i) => ({ name, mark: `s${i}`, values: values(key) }))}
              />
              <Legend entries={together.map(([, name], i) => ({ name, mark: `s${i}` }))} />
              <div class="multiples">
                {others.map(([key, name]) => (
                  <Lines
                    key={key}
                    small
                    height={140}
                    name={name}
                    unit="percent"
                    dates={dates}
                    lines={[{ name, mark: 'main', values: values(key) }]}
                  />
                ))}
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

const shifted = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
