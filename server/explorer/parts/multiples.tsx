/** An institution through time beside its cohort: a small picture a metric. */
import type { MetricName } from '../lib/headline.ts'
import type { Figure } from '../lib/numbers.ts'
import { Lines } from '../pictures/lines.tsx'
import { Legend } from '../pictures/picture.tsx'

export type Row = Readonly<Record<string, unknown>>

interface Benchmark {
  readonly report_date: string
  readonly metric: string
  readonly p25: number | null
  readonly median: number | null
  readonly p75: number | null
}

export const valuesOf = (rows: readonly Row[], key: string): (number | null)[] =>
  rows.map((row) => (row[key] as Figure) ?? null)
export const datesOf = (rows: readonly Row[]): string[] => rows.map((row) => String(row.report_date))

export function Multiples({
  name,
  metrics,
  rows,
  benchmarks,
  cohort,
}: {
  /** Of the institution. */
  name: string
  metrics: readonly MetricName[]
  rows: readonly Row[]
  benchmarks: readonly Benchmark[]
  cohort: string
}) {
  const dates = datesOf(rows)
  const of = new Map(benchmarks.map((one) => [`${one.metric} ${one.report_date}`, one]))
  const column = (metric: string, end: 'p25' | 'median' | 'p75') =>
    dates.map((date) => of.get(`${metric} ${date}`)?.[end] ?? null)
  return (
    <>
      {benchmarks.length > 0 && (
        <Legend
          entries={[
            { name, mark: 'main' },
            { name: `Median of ${cohort}`, mark: 'median' },
            { name: 'Half of them are in here', mark: 'band' },
          ]}
        />
      )}
      <div class="multiples">
        {metrics.map(({ key, label, unit }) => {
          const compared = benchmarks.length > 0 && unit === 'percent'
          return (
            <Lines
              key={key}
              small
              height={140}
              name={label}
              unit={unit}
              dates={dates}
              lines={[
                { name, mark: 'main', values: valuesOf(rows, key) },
                ...(compared ? [{ name: 'Median', mark: 'median', values: column(key, 'median') }] : []),
              ]}
              {...(compared && {
                band: { name: 'Middle half', low: column(key, 'p25'), high: column(key, 'p75') },
              })}
            />
          )
        })}
      </div>
    </>
  )
}
