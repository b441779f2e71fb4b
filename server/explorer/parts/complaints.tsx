/** Complaints of consumers about one bank: by product, and by product through the years. */
import { figure, THOUSANDS } from '../lib/numbers.ts'
import { years as byYear } from '../lib/periods.ts'
import { Stack } from '../pictures/stack.tsx'
import { List } from './list.tsx'

/** Products that have a colour of their own; the others are one. */
const NAMED = 7

/** Counts by product, or by year and product, as bank-complaints groups them. */
export interface Counted {
  readonly product: string
  readonly year?: number
  readonly complaints?: number
  readonly timely_share?: number | null
  readonly relief_share?: number | null
  readonly per_billion_deposits?: number | null
}

export function Complaints({ products, years }: { products: readonly Counted[]; years: readonly Counted[] }) {
  if (products.length === 0)
    return (
      <p class="mild">
        None is held. CFPB publishes those about banks of more than {figure(10_000_000, THOUSANDS)} of assets,
        and about their holding companies.
      </p>
    )
  return (
    <div class="halves">
      <List
        name="Complaints by product"
        heads={['Product', 'Complaints', 'In time', 'Relief in money']}
        rows={products.map((one) => ({
          key: one.product,
          cells: [
            one.product,
            figure(one.complaints, 'count'),
            figure(one.timely_share, 'percent'),
            figure(one.relief_share, 'percent'),
          ],
        }))}
      />
      {years.length > 0 && <ThroughTime products={products} years={years} />}
    </div>
  )
}

function ThroughTime({ products, years }: { products: readonly Counted[]; years: readonly Counted[] }) {
  const known = years.map((one) => one.year!)
  const first = Math.min(...known)
  const all = Array.from({ length: Math.max(...known) - first + 1 }, (_, i) => first + i)
  const count = (year: number, of: (product: string) => boolean): number =>
    years.reduce((sum, one) => sum + (one.year === year && of(one.product) ? (one.complaints ?? 0) : 0), 0)
  const named = products.slice(0, NAMED).map((one) => one.product)
  const parts = named.map((product) => ({
    name: product,
    values: all.map((year) => count(year, (one) => one === product)),
  }))
  const rest = { name: 'All other', values: all.map((year) => count(year, (one) => !named.includes(one))) }
  return (
    <Stack
      name="Complaints"
      unit="count"
      dates={all.map((year) => `${year}-12-31`)}
      period={byYear}
      parts={products.length > NAMED ? [...parts, rest] : parts}
    />
  )
}
