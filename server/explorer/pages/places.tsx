/** Where the offices and the ATMs of one credit union are. */
import { type Columns, inOrder, useAnswer, useColumns } from '../lib/api.ts'
import { figure, quarter } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { Note, Shown } from '../parts/asked.tsx'
import { Grid, type GridColumn } from '../parts/grid.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { StatesMap } from '../pictures/states.tsx'

const fields = ['report_date', 'site_id', 'name', 'type', 'address', 'city', 'state'] as const

export function Places({ id, query }: PageProps) {
  const cu_number = Number(id)
  const union = useAnswer('', 'credit-union-snapshot', { cu_number, fields: ['legal_name'] })
  const offices = useColumns('Offices', 'credit-union-branches', { cu_number, fields: [...fields, 'phone'] })
  const machines = useColumns('ATMs', 'credit-union-atms', { cu_number, fields: [...fields, 'service'] })
  const name = union.answer?.data.legal_name ?? `Credit union ${id}`
  useTitle(`Branches of ${name}`)
  return (
    <>
      <h1>{name}</h1>
      <Parts kind="credit-union" id={id} page="Branches" />
      <Shown asked={offices} what="the branches" absent={<Nobody kind="credit-union" id={id} />}>
        {({ data }) =>
          data.rows === 0 ? (
            <Note title="No office of this credit union is held">
              <p>NCUA lists offices since June 2019.</p>
            </Note>
          ) : (
            <>
              <OnMap data={data} />
              <List name="Offices" noun="office" data={data} query={query} last="phone" label="Telephone" />
            </>
          )
        }
      </Shown>
      <Shown asked={machines} what="the ATMs">
        {({ data }) =>
          data.rows > 0 && (
            <List name="ATMs" noun="ATM" data={data} query={query} last="service" label="Service" />
          )
        }
      </Shown>
    </>
  )
}

const quartersOf = ({ columns }: Columns) => [...new Set(columns.report_date as readonly string[])]

function OnMap({ data: { columns } }: { data: Columns }) {
  const byState = new Map<string, number>()
  for (const state of columns.state as readonly string[])
    if (state) byState.set(state, (byState.get(state) ?? 0) + 1)
  // one state would be all that the map says
  return byState.size > 1 ? (
    <StatesMap name="Offices by state" label="Offices" unit="count" values={byState} near />
  ) : null
}

function List({
  name,
  noun,
  data,
  query,
  last,
  label,
}: {
  name: string
  noun: string
  data: Columns
  query: URLSearchParams
  /** The last column, with its label. */
  last: string
  label: string
}) {
  const { columns, rows } = data
  const text = (column: string, row: number): string => String(columns[column]![row] ?? '')
  const parameter = `sort_${noun.toLowerCase()}s`
  const sort = query.get(parameter) ?? 'state'
  const column = (key: string, head: string, cell = (row: number) => text(key, row) || '–'): GridColumn => ({
    ...{ key, label: head, number: false, cell },
  })
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>
        {figure(rows, 'count')} {rows === 1 ? noun : `${noun}s`}{' '}
        <span class="mild">{quartersOf(data).map(quarter).join(', ')}</span>
      </h2>
      <Grid
        name={name}
        rows={inOrder(
          data,
          Array.from({ length: rows }, (_, i) => i),
          sort,
        )}
        sort={sort}
        onSort={(next) => adjust({ [parameter]: next === 'state' ? null : next })}
        columns={[
          column('name', 'Name'),
          column('type', 'Type'),
          column('address', 'Address'),
          { ...column('city', 'City'), below: true },
          column('state', 'State'),
          ...(columns[last]!.some(Boolean) ? [column(last, label)] : []),
        ]}
      />
    </section>
  )
}
