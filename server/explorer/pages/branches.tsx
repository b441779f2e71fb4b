/** Where the offices of one bank are, what they hold, and how many there were. */
import { useMemo } from 'preact/hooks'
import { type Columns, inOrder, useAnswer, useColumns } from '../lib/api.ts'
import { exact, figure, short, THOUSANDS } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { Note, Shown } from '../parts/asked.tsx'
import { Grid } from '../parts/grid.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { Bars } from '../pictures/columns.tsx'
import { type MapPlace, StatesMap } from '../pictures/states.tsx'

export function Branches({ id, query }: PageProps) {
  const rssd_id = Number(id)
  const bank = useAnswer('', 'bank-structure', { rssd_id })
  const offices = useColumns('Offices', 'bank-branches-map', { rssd_id })
  const years = useAnswer('Offices by year', 'bank-branches-rollup', { rssd_id })
  const name = bank.answer?.data.legal_name ?? `Bank ${id}`
  useTitle(`Branches of ${name}`)
  return (
    <>
      <h1>{name}</h1>
      <Parts kind="bank" id={id} page="Branches" />
      <Shown asked={offices} what="the branches" absent={<Nobody kind="bank" id={id} />}>
        {({ data }) =>
          data.rows === 0 ? (
            <Note title="No office of this bank is held">
              <p>Offices are those of the FDIC’s Summary of Deposits, which has insured banks alone.</p>
            </Note>
          ) : (
            <Offices data={data} sort={query.get('sort') ?? '-deposits'} />
          )
        }
      </Shown>
      <Shown asked={years} what="the offices by year">
        {({ data }) =>
          data.length > 1 && (
            <section aria-labelledby="years">
              <h2 id="years">Through time</h2>
              <div class="multiples wide-ones">
                <Bars
                  name="Offices"
                  unit="count"
                  entries={data.map((row) => ({ label: String(row.year), value: row.branches }))}
                />
                <Bars
                  name="Deposits at offices"
                  unit={THOUSANDS}
                  entries={data.map((row) => ({ label: String(row.year), value: row.total_deposits }))}
                />
              </div>
            </section>
          )
        }
      </Shown>
    </>
  )
}

function Offices({ data, sort }: { data: Columns; sort: string }) {
  const { columns, rows } = data
  const text = (column: string, row: number): string => String(columns[column]![row] ?? '')
  const deposits = columns.deposits as readonly (number | null)[]
  const { places, byState } = useMemo(() => mapped(data), [data])
  const order = useMemo(
    () =>
      inOrder(
        data,
        Array.from({ length: rows }, (_, i) => i),
        sort,
      ),
    [data, sort],
  )
  const total = deposits.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return (
    <section aria-labelledby="offices">
      <h2 id="offices">
        {rows.toLocaleString('en-US')} {rows === 1 ? 'office' : 'offices'} in {byState.size}{' '}
        {byState.size === 1 ? 'state' : 'states'}{' '}
        <span class="mild">
          with {figure(total, THOUSANDS)} of deposits, June {text('year', 0)}
        </span>
      </h2>
      <StatesMap
        name="Deposits by state, and offices"
        label="Deposits"
        unit={THOUSANDS}
        values={byState}
        places={places}
        near
      />
      <p class="mild">
        The larger a point, the more deposits the office has. Offices without coordinates are only in the
        list.
      </p>
      <Grid
        name="Offices"
        rows={order}
        sort={sort}
        onSort={(next) => adjust({ sort: next === '-deposits' ? null : next })}
        columns={[
          { key: 'name', label: 'Office', number: false, cell: (row) => text('name', row) },
          { key: 'address', label: 'Address', number: false, cell: (row) => text('address', row) },
          {
            ...{ key: 'city', label: 'Place', number: false, below: true },
            cell: (row) => `${text('city', row)}, ${text('state', row)}`,
          },
          {
            ...{ key: 'deposits', label: 'Deposits', number: true },
            cell: (row) => (
              <span title={exact(deposits[row], THOUSANDS)}>{short(deposits[row], THOUSANDS)}</span>
            ),
          },
        ]}
      />
    </section>
  )
}

function mapped({ columns, rows }: Columns): { places: MapPlace[]; byState: Map<string, number> } {
  const byState = new Map<string, number>()
  const places = Array.from({ length: rows }, (_, i): MapPlace => {
    const [state, deposits] = [String(columns.state![i]), Number(columns.deposits![i] ?? 0)]
    byState.set(state, (byState.get(state) ?? 0) + deposits)
    return {
      ...{ key: String(columns.branch_number![i]), size: deposits },
      name: `${columns.name![i]}, ${columns.city![i]}: ${figure(deposits, THOUSANDS)}`,
      ...{ longitude: Number(columns.longitude![i]), latitude: Number(columns.latitude![i]) },
    }
  })
  return { places, byState }
}
