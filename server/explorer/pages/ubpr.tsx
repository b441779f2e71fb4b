/** The Uniform Bank Performance Report of one bank: its pages in its own order, beside the peer group, by quarter. */
import { useMemo } from 'preact/hooks'
import type { Datasets } from '../../../clients/typescript/src/index.ts'
import { apiKey, type Columns, useAnswer, useColumns } from '../lib/api.ts'
import { exact, figure, quarter, short } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { NeedsPlan, Note, Trouble } from '../parts/asked.tsx'
import { Nobody, Parts, useTitle } from '../parts/institution-parts.tsx'
import { Lineage } from '../parts/lineage.tsx'

/** As the printed report has: the quarter, the one before, and those of a year. */
const QUARTERS = 5
/** All pages of the report, as bank-deep-dive calls them. */
const REPORT = 'UBPR'
const UNPRINTED = 'X'

type Rank = Datasets['bank-ubpr-ranks']['row']

interface Line {
  readonly code: string
  /** As the printed report has it, short: `-Nonaccrual`. */
  readonly title: string
  /** What that means, where it says more. */
  readonly label: string
  readonly unit: string
  /** Of the quarter, the one before and the one a year before. */
  readonly values: readonly (number | null)[]
}

interface ReportPage {
  /** `7B`; `T01` of the fiduciary pages. */
  readonly number: string
  readonly title: string
  readonly lines: readonly Line[]
}

export function Ubpr({ id, query }: PageProps) {
  const rssd_id = Number(id)
  const as_of = query.get('as_of')
  const metric = query.get('metric')
  const at = as_of ? { as_of } : {}
  const bank = useAnswer('', 'bank-structure', { rssd_id })
  const report = useColumns('Lines of the report', 'bank-deep-dive', {
    ...{ rssd_id, schedule: [REPORT], ...at },
    fields: [
      'report_date',
      'schedule',
      'page',
      'mdrm',
      'description',
      'unit',
      'value',
      'prior_quarter',
      'year_ago',
    ],
  })
  const pages = useMemo(() => (report.answer ? pagesOf(report.answer.data) : []), [report.answer])
  const wanted = query.get('page')
  const page = pages.find(({ number }) => number === wanted) ?? pages[0]
  // without a key it would be refused
  const keyed = apiKey.use() !== ''
  const ranks = useAnswer(
    'Peer group',
    'bank-ubpr-ranks',
    page && keyed ? { rssd_id, quarters: QUARTERS, codes: page.lines.map(({ code }) => code), ...at } : null,
  )
  const name = bank.answer?.data.legal_name ?? `Bank ${id}`
  useTitle(`UBPR of ${name}`)
  const date = String(report.answer?.data.columns.report_date?.[0] ?? '')
  return (
    <>
      <h1>{name}</h1>
      <Parts kind="bank" id={id} page="UBPR" />
      {report.problem && (
        <Trouble
          problem={report.problem}
          what="the report"
          again={report.again}
          absent={<Nobody kind="bank" id={id} />}
        />
      )}
      {!report.answer && report.waiting && <p class="mild waiting">Reading the report …</p>}
      {report.answer && !page && (
        <Note title="There is no report of this bank">
          <p>The Uniform Bank Performance Report is made of Call Reports, and none of it is held.</p>
        </Note>
      )}
      {page && (
        <div class={`${pages.length > 1 ? 'screen' : ''} ${report.waiting ? 'stale' : ''}`}>
          {pages.length > 1 ? (
            <Contents pages={pages} chosen={page} />
          ) : (
            <p class="mild">
              The pages of the report appear once the UBPR User’s Guide is loaded. Until then these are its
              ratios that the metric catalog has.
            </p>
          )}
          <section aria-labelledby="page">
            <h2 id="page" class="first">
              {page.number === UNPRINTED ? 'Ratios of the report' : `${page.number} ${page.title}`}
            </h2>
            <Peers ranks={ranks.answer?.data ?? []} date={date} />
            {!keyed && <NeedsPlan what="the peer group beside it" reason="Premium" />}
            {ranks.problem && (
              <Trouble problem={ranks.problem} what="the peer group beside it" again={ranks.again} />
            )}
            <PageTable page={page} date={date} ranks={ranks.answer?.data ?? []} />
            <p class="mild">Each line opens what it is made of, down to the items filed.</p>
          </section>
        </div>
      )}
      {page && metric && (
        <Lineage
          key={metric}
          {...{ kind: 'bank', id: rssd_id, metric, name, asOf: date }}
          onClose={() => adjust({ metric: null })}
        />
      )}
    </>
  )
}

/** The pages by name; on a narrow screen as one choice. */
function Contents({ pages, chosen }: { pages: readonly ReportPage[]; chosen: ReportPage }) {
  return (
    <nav class="contents" aria-label="Pages of the report">
      <ol>
        {pages.map(({ number, title }) => (
          <li key={number}>
            <a href={addressOf(number)} aria-current={number === chosen.number ? 'page' : undefined}>
              <span class="number">{number}</span> {title}
            </a>
          </li>
        ))}
      </ol>
      <label>
        Page of the report{' '}
        <select value={chosen.number} onChange={(event) => adjust({ page: event.currentTarget.value })}>
          {pages.map(({ number, title }) => (
            <option key={number} value={number}>
              {number} {title}
            </option>
          ))}
        </select>
      </label>
    </nav>
  )
}

function addressOf(page: string): string {
  const query = new URLSearchParams(location.search)
  query.set('page', page)
  return `${location.pathname}?${query}`
}

function Peers({ ranks, date }: { ranks: readonly Rank[]; date: string }) {
  const one = ranks.findLast((row) => row.report_date === date)
  return (
    <p class="mild">
      {quarter(date)}.{' '}
      {one?.peer_group_label &&
        `Peer group: ${one.peer_group_label.toLowerCase()}, ${figure(one.peer_count, 'count')} banks. `}
      {one
        ? `Formulas of the ${one.formulas}.`
        : 'Amounts are rounded; each has its exact figure as a tooltip.'}
    </p>
  )
}

/** Below each quarter the bank, the average of its peers and its percentile, as the printed report has them. */
function PageTable({ page, date, ranks }: { page: ReportPage; date: string; ranks: readonly Rank[] }) {
  const dates = [...new Set(ranks.map((row) => row.report_date))].sort().reverse()
  const of = new Map(ranks.map((row) => [`${row.code} ${row.report_date}`, row]))
  const before = [date, monthsBefore(date, 3), monthsBefore(date, 12)]
  const shown = dates.length > 0 ? dates : before
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="wide report" tabIndex={0} aria-label={`Page ${page.number}`}>
      <table class="figures">
        <thead>
          {dates.length > 0 && (
            <tr>
              <td />
              {dates.map((one) => (
                <th key={one} scope="colgroup" colSpan={3}>
                  {quarter(one)}
                </th>
              ))}
            </tr>
          )}
          <tr>
            <th scope="col">{page.number === UNPRINTED ? 'Concept' : 'Line'}</th>
            {shown.flatMap((one) =>
              dates.length === 0
                ? [
                    <th key={one} scope="col">
                      {quarter(one)}
                    </th>,
                  ]
                : ['Bank', 'Peers', 'Pct'].map((head) => (
                    <th key={`${one} ${head}`} scope="col" class={head === 'Bank' ? 'begins' : undefined}>
                      {head}
                      <span class="hidden"> in {quarter(one)}</span>
                    </th>
                  )),
            )}
          </tr>
        </thead>
        <tbody>
          {page.lines.map((line) => (
            <tr key={line.code}>
              <th scope="row">
                <button type="button" class="link" onClick={() => adjust({ metric: line.code })}>
                  {line.title}
                </button>{' '}
                {line.label !== '' && <small>{line.label}</small>}
              </th>
              {dates.length === 0
                ? before.map((one, i) => <Cell key={one} value={line.values[i]} unit={line.unit} />)
                : dates.flatMap((one) => {
                    const rank = of.get(`${line.code} ${one}`)
                    return [
                      <Cell key={one} value={rank?.value} unit={line.unit} kind="begins" />,
                      <Cell key={`${one} peers`} value={rank?.peer_average} unit={line.unit} kind="mild" />,
                      <td key={`${one} percentile`}>{rank?.percentile?.toFixed(0) ?? '–'}</td>,
                    ]
                  })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ value, unit, kind }: { value: number | null | undefined; unit: string; kind?: string }) {
  return (
    <td class={kind} title={exact(value, unit)}>
      {short(value, unit)}
    </td>
  )
}

function pagesOf({ columns, rows }: Columns): ReportPage[] {
  const pages = new Map<string, { title: string; lines: Line[] }>()
  for (let i = 0; i < rows; i++) {
    const text = (column: string): string => String(columns[column]![i] ?? '')
    const number = text('schedule').slice(REPORT.length).replace(/^0/, '')
    const page = pages.get(number) ?? { title: text('page'), lines: [] }
    pages.set(number, page)
    const [title, label] = split(text('description'))
    const values = ['value', 'prior_quarter', 'year_ago'].map((one) => columns[one]![i] as number | null)
    page.lines.push({ code: text('mdrm'), title, label, unit: text('unit'), values })
  }
  // concepts on no page are all there is while no guide is loaded, and no part of the report where one is
  if (pages.size > 1) pages.delete(UNPRINTED)
  return [...pages].map(([number, page]) => ({ number, ...page }))
}

/** `Net Income: Net income as a percent of average assets` is the line “Net Income”, and what it means. */
function split(description: string): [title: string, label: string] {
  const at = description.indexOf(': ')
  return at < 0 ? [description, ''] : [description.slice(0, at), description.slice(at + 2)]
}

/** The quarter's end so many months before a quarter's end. */
function monthsBefore(date: string, months: number): string {
  const [year, month] = date.split('-').map(Number)
  return new Date(Date.UTC(year!, month! - months, 0)).toISOString().slice(0, 10)
}
