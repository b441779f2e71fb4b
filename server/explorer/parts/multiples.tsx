/** An institution through time beside its cohort: a small picture a metric. */
import type { Figure } from '../lib/numbers.ts'
import { adjust } from '../lib/router.ts'
import type { Standing } from '../lib/standing.ts'
import { Lines } from '../pictures/lines.tsx'
import { Legend } from '../pictures/picture.tsx'

export type Row = Readonly<Record<string, unknown>>

export const valuesOf = (rows: readonly Row[], key: string): (number | null)[] =>
  rows.map((row) => (row[key] as Figure) ?? null)
export const datesOf = (rows: readonly Row[]): string[] => rows.map((row) => String(row.report_date))

export function Multiples({
  name,
  standings,
  cohort,
}: {
  /** Of the institution. */
  name: string
  standings: readonly Standing[]
  /** Those that it stands among, in a sentence. */
  cohort: string
}) {
  return (
    <>
      <Legend
        entries={[
          { name, mark: 'main' },
          { name: `Median of ${cohort}`, mark: 'median' },
          { name: 'Half of them are in here', mark: 'band' },
        ]}
      />
      <div class="multiples">
        {standings.map(({ key, label, unit, dates, values, p25, median, p75 }) => {
          // who is of a size has amounts of a size: the ratios are what differs
          const compared = unit === 'percent' && median.some((value) => value !== null)
          return (
            <Lines
              key={key}
              small
              height={140}
              name={label}
              unit={unit}
              onOpen={() => adjust({ metric: key })}
              dates={dates}
              lines={[
                { name, mark: 'main', values },
                ...(compared ? [{ name: 'Median', mark: 'median', values: median }] : []),
              ]}
              {...(compared && { band: { name: 'Middle half', low: p25, high: p75 } })}
            />
          )
        })}
      </div>
    </>
  )
}
