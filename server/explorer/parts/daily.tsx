/** Yields and spreads day by day. */
import { useMemo } from 'preact/hooks'
import { type Columns, useColumns } from '../lib/api.ts'
import { shifted } from '../lib/numbers.ts'
import { days } from '../lib/periods.ts'
import { POINTS, rateNames } from '../lib/rates.ts'
import { adjust } from '../lib/router.ts'
import { Lines } from '../pictures/lines.tsx'
import { Legend } from '../pictures/picture.tsx'
import { Shown } from './asked.tsx'

const spans = [1, 5, 10, 30] as const
const tenors = [
  ['3M', rateNames.yield_3m],
  ['2Y', rateNames.yield_2y],
  ['10Y', rateNames.yield_10y],
  ['30Y', rateNames.yield_30y],
] as const
type Tenor = (typeof tenors)[number][0]
const spreads: readonly (readonly [long: Tenor, short: Tenor, name: string])[] = [
  ['10Y', '2Y', rateNames.spread_10y_2y],
  ['10Y', '3M', '10-year less 3-month yield'],
  ['30Y', '10Y', '30-year less 10-year yield'],
]

/** @param props.last the newest day */
export function Daily({ last, years }: { last: string; years: number }) {
  const span = spans.find((one) => one === years) ?? spans[1]
  const from = shifted(last, -Math.round(span * 365.25))
  const asked = useColumns('Yields by day', 'rates-yield-curve', {
    ...{ tenor: tenors.map(([tenor]) => tenor), from, to: last },
    fields: ['date', 'tenor', 'yield'],
  })
  return (
    <section aria-labelledby="daily">
      <h2 id="daily">Day by day</h2>
      <fieldset class="choices">
        <legend class="hidden">Years shown</legend>
        {spans.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="years"
              checked={one === span}
              onChange={() => adjust({ years: String(one) })}
            />{' '}
            {one === 1 ? '1 year' : `${one} years`}
          </label>
        ))}
      </fieldset>
      <Shown asked={asked} what="the yields by day">
        {({ data }) => <Drawn data={data} />}
      </Shown>
    </section>
  )
}

function Drawn({ data }: { data: Columns }) {
  const { dates, of } = useMemo(() => byTenor(data), [data])
  if (dates.length === 0) return <p class="mild">No yields are held of these years.</p>
  const common = { dates, period: days }
  return (
    <>
      <Lines
        {...common}
        name="Treasury yields by day"
        unit="percent"
        lines={tenors.map(([tenor, name], i) => ({ name, mark: `s${i}`, values: of[tenor] }))}
      />
      <Legend entries={tenors.map(([, name], i) => ({ name, mark: `s${i}` }))} />
      <div class="multiples">
        {spreads.map(([long, short, name]) => {
          const values = of[long].map((one, i) => {
            const other = of[short][i] ?? null
            return one === null || other === null ? null : one - other
          })
          return (
            <Lines
              {...common}
              key={name}
              small
              zero
              height={140}
              name={name}
              unit={POINTS}
              lines={[{ name, mark: 'main', values }]}
            />
          )
        })}
      </div>
    </>
  )
}

function byTenor({ columns, rows }: Columns) {
  const dates = [...new Set(columns.date as readonly string[])].sort()
  const place = new Map(dates.map((date, i) => [date, i]))
  const none = () => dates.map((): number | null => null)
  const of: Record<Tenor, (number | null)[]> = { '3M': none(), '2Y': none(), '10Y': none(), '30Y': none() }
  for (let i = 0; i < rows; i++)
    of[columns.tenor![i] as Tenor][place.get(String(columns.date![i]))!] = columns.yield![i] as number | null
  return { dates, of }
}
