/** What agencies and the public have on record of one bank: orders, complaints, and filings with the SEC. */
import { type Asked, apiKey, type Columns, inOrder, isProblem, useAnswer, useColumns } from '../lib/api.ts'
import { day, exact, figure, THOUSANDS } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { NeedsPlan, Shown } from '../parts/asked.tsx'
import { Complaints } from '../parts/complaints.tsx'
import { sentence } from '../parts/events.tsx'
import { Choice } from '../parts/fields.tsx'
import { Grid } from '../parts/grid.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { Elsewhere } from '../parts/list.tsx'

/** The most that the dataset gives at once. */
const MOST_FILINGS = 10_000
const EDGAR = 'https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK='

export function Record({ id, query }: PageProps) {
  const rssd_id = Number(id)
  const bank = useAnswer('', 'bank-structure', { rssd_id })
  // without a key each would be refused
  const open = apiKey.use() !== ''
  const orders = useAnswer(
    'Orders',
    'bank-enforcement',
    open ? { rssd_id, include: 'holding_company' } : null,
  )
  const products = useAnswer(
    'Complaints by product',
    'bank-complaints',
    open ? { rssd_id, group_by: 'product' } : null,
  )
  const years = useAnswer(
    'Complaints by year and product',
    'bank-complaints',
    open ? { rssd_id, group_by: 'year_product' } : null,
  )
  const registrant = useAnswer('Registrant', 'sec-registrant', { rssd_id })
  const filings = useColumns(
    'Filings',
    'sec-filings',
    open
      ? {
          ...{ rssd_id, limit: MOST_FILINGS },
          fields: ['form', 'filed_date', 'report_date', 'description', 'document_url', 'url'],
        }
      : null,
  )
  const name = bank.answer?.data.legal_name ?? `Bank ${id}`
  useTitle(`Record of ${name}`)
  return (
    <>
      <h1>{name}</h1>
      <Parts kind="bank" id={id} page="Record" />
      {isProblem(bank.problem, 'not-found') ? (
        <Nobody kind="bank" id={id} />
      ) : !open ? (
        <>
          <NeedsPlan what="the record of orders, complaints and filings" reason="Free" />
          <Registrant asked={registrant} />
        </>
      ) : (
        <>
          <section aria-labelledby="orders">
            <h2 id="orders">Orders and penalties</h2>
            <Shown asked={orders} what="the orders">
              {({ data }) => <Orders orders={data} />}
            </Shown>
          </section>
          <section aria-labelledby="complaints">
            <h2 id="complaints">
              Complaints <span class="mild">that CFPB sent to it</span>
            </h2>
            <Shown asked={products} what="the complaints">
              {({ data }) => <Complaints products={data} years={years.answer?.data ?? []} />}
            </Shown>
          </section>
          <section aria-labelledby="filings">
            <h2 id="filings">Filings with the SEC</h2>
            <Registrant asked={registrant} />
            <Shown asked={filings} what="the filings">
              {({ data }) => data.rows > 0 && <Filings data={data} query={query} />}
            </Shown>
          </section>
        </>
      )}
    </>
  )
}

interface Order {
  readonly agency: string
  readonly id: string
  readonly against: string
  readonly type: string
  readonly start_date: string
  readonly end_date: string | null
  readonly penalty: number | null
  readonly persons: readonly string[]
  readonly subjects: readonly string[]
  readonly documents: readonly string[]
}

function Orders({ orders }: { orders: readonly Order[] }) {
  if (orders.length === 0)
    return <p class="mild">No order of the Federal Reserve, the OCC or the FDIC is held.</p>
  return (
    <ol class="events">
      {orders.map((order) => (
        <li key={`${order.agency} ${order.id}`}>
          <time dateTime={order.start_date}>{day(order.start_date)}</time>
          <span>
            <b>{sentence(order.type)}</b>
            {order.penalty !== null && (
              <span title={exact(order.penalty, THOUSANDS)}> of {figure(order.penalty, THOUSANDS)}</span>
            )}
            {order.persons.length > 0 && `, ${order.persons.join(', ')}`}{' '}
            <span class="mild">
              {[
                order.agency,
                ...(order.against === 'bank' ? [] : [`against the ${order.against}`]),
                ...order.subjects,
                ...(order.end_date ? [`ended ${day(order.end_date)}`] : []),
              ].join(' · ')}
            </span>{' '}
            {order.documents.map((address, i) => (
              <Elsewhere key={address} href={address}>
                {order.documents.length > 1 ? `Document ${i + 1}` : 'Document'}
              </Elsewhere>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface Registered {
  readonly name: string
  readonly cik: number
  readonly via: string
  readonly tickers: readonly string[]
}

function Registrant({ asked }: { asked: Asked<Registered> }) {
  return (
    <Shown asked={asked} what="the registrant" absent={<p class="mild">No registrant is known.</p>}>
      {({ data }) =>
        data.cik === undefined ? (
          <p class="mild">Neither it nor a holder of it is known to file with the SEC.</p>
        ) : (
          <p>
            {data.via !== 'bank' && `Its ${data.via}, `}
            {data.name}
            {data.tickers.length > 0 && <span class="mild"> ({data.tickers.join(', ')})</span>}
            {data.via !== 'bank' && ','} files with the SEC:{' '}
            <Elsewhere href={`${EDGAR}${data.cik}`}>CIK {String(data.cik)}</Elsewhere>
          </p>
        )
      }
    </Shown>
  )
}

function Filings({ data, query }: { data: Columns; query: URLSearchParams }) {
  const { columns, rows } = data
  const text = (column: string, row: number): string => String(columns[column]![row] ?? '')
  const all = Array.from({ length: rows }, (_, row) => row)
  const form = query.get('form') ?? ''
  const forms = [...new Set(all.map((row) => text('form', row)))].sort()
  const shown = form === '' ? all : all.filter((row) => text('form', row) === form)
  const sort = query.get('sort') ?? '-filed_date'
  return (
    <>
      <div class="buttons">
        <Choice
          label="Form"
          all="All forms"
          value={form}
          options={forms.map((one) => [one, one])}
          onChoice={(next) => adjust({ form: next })}
        />
        <span role="status">
          {figure(shown.length, 'count')} of {figure(rows, 'count')}
        </span>
      </div>
      <Grid
        name="Filings"
        rows={inOrder(data, shown, sort)}
        sort={sort}
        onSort={(next) => adjust({ sort: next === '-filed_date' ? null : next })}
        columns={[
          {
            ...{ key: 'form', label: 'Form', number: false },
            cell: (row) => (
              <Elsewhere href={text('document_url', row) || text('url', row)}>{text('form', row)}</Elsewhere>
            ),
          },
          { key: 'filed_date', label: 'Filed', number: true, cell: (row) => day(text('filed_date', row)) },
          {
            ...{ key: 'report_date', label: 'Of the period to', number: true },
            cell: (row) => (columns.report_date![row] === null ? '–' : day(text('report_date', row))),
          },
          {
            key: 'description',
            label: 'Description',
            number: false,
            cell: (row) => text('description', row) || '–',
          },
          {
            ...{ key: 'url', label: 'All documents', number: false },
            cell: (row) => <Elsewhere href={text('url', row)}>Index</Elsewhere>,
          },
        ]}
      />
    </>
  )
}
