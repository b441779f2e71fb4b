/** Failures since 1934, by year and one by one, and how good the model that foretells them is. */

import { type Columns, inOrder, useAnswer, useColumns } from '../lib/api.ts'
import { day, exact, figure, short, THOUSANDS } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { Shown } from '../parts/asked.tsx'
import { Grid, type GridColumn } from '../parts/grid.tsx'
import { Model } from '../parts/model.tsx'
import { Bars } from '../pictures/columns.tsx'

const fields = [
  'failed_date',
  'name',
  'city',
  'state',
  'kind',
  'acquirer',
  'total_assets',
  'cost',
  'rssd_id',
] as const

/** More than ever failed; the dataset gives a hundred where nothing is said. */
const MOST = 10_000

export function Failures({ query }: PageProps) {
  const years = useAnswer('Failures by year', 'failures-by-year', {})
  const all = useColumns('Every failure', 'failures', { fields, limit: MOST })
  const model = useAnswer('The model', 'risk-model', {})
  return (
    <>
      <h1>Bank failures since 1934</h1>
      <p class="lede">Every failure and every bank kept open with assistance, as FDIC tells them.</p>
      <Shown asked={years} what="the failures">
        {({ data }) =>
          data.length === 0 ? (
            <p class="mild">
              None is held yet of BankFind, which has them since 1934; the failed bank list alone does not.
            </p>
          ) : (
            <div class="halves">
              <Bars
                name="Failures and assistance"
                unit="count"
                note="institutions a year"
                entries={data.map((row) => ({
                  label: String(row.year),
                  value: (row.failures ?? 0) + (row.assistance ?? 0),
                }))}
              />
              <Bars
                name="Estimated loss of the fund"
                unit={THOUSANDS}
                note="a year, of those whose loss is told"
                entries={data.map((row) => ({ label: String(row.year), value: row.cost }))}
              />
            </div>
          )
        }
      </Shown>
      <section aria-labelledby="each">
        <h2 id="each">One by one</h2>
        <Shown asked={all} what="the list">
          {({ data }) => <Each data={data} query={query} />}
        </Shown>
      </section>
      <section aria-labelledby="model">
        <h2 id="model">The model of failure</h2>
        <Shown asked={model} what="the model" absent={<p class="mild">No model is trained yet.</p>}>
          {({ data }) => <Model card={data} />}
        </Shown>
      </section>
    </>
  )
}

function Each({ data, query }: { data: Columns; query: URLSearchParams }) {
  const { columns, rows } = data
  const [sort, words] = [query.get('sort') ?? '-failed_date', query.get('q') ?? '']
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found = Array.from({ length: rows }, (_, row) => row).filter((row) => {
    const text =
      `${columns.name![row]} ${columns.city![row]} ${columns.state![row]} ${columns.acquirer![row] ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const order = inOrder(data, found, sort)
  const amount = (key: string, label: string): GridColumn => ({
    ...{ key, label, number: true },
    cell: (row) => {
      const value = columns[key]![row] as number | null
      return <span title={exact(value, THOUSANDS)}>{short(value, THOUSANDS)}</span>
    },
  })
  const shown: GridColumn[] = [
    {
      ...{ key: 'name', label: 'Bank', number: false },
      cell: (row) =>
        columns.rssd_id![row] === null ? (
          columns.name![row]
        ) : (
          <a href={`/bank/${columns.rssd_id![row]}`} title={String(columns.name![row])}>
            {columns.name![row]}
          </a>
        ),
    },
    {
      ...{ key: 'state', label: 'Place', number: false, below: true },
      cell: (row) => `${columns.city![row] ?? ''}, ${columns.state![row] ?? ''}`,
    },
    {
      key: 'failed_date',
      label: 'Closed',
      number: true,
      cell: (row) => day(String(columns.failed_date![row])),
    },
    amount('total_assets', 'Total assets'),
    amount('cost', 'Estimated loss'),
    { key: 'acquirer', label: 'Acquirer', number: false, cell: (row) => columns.acquirer![row] ?? '–' },
  ]
  return (
    <>
      <p class="buttons">
        <label>
          Find{' '}
          <input
            type="search"
            placeholder="Name, place or acquirer"
            value={words}
            onInput={(event) => adjust({ q: event.currentTarget.value })}
          />
        </label>
        <span role="status">
          {figure(order.length, 'count')} of {figure(rows, 'count')}
        </span>
      </p>
      <Grid
        name="Failures"
        columns={shown}
        rows={order}
        sort={sort}
        onSort={(next) => adjust({ sort: next })}
      />
    </>
  )
}
