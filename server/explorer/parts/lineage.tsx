/** Where a figure of an institution comes from: its formula, down to the items filed. */
import { useEffect, useRef } from 'preact/hooks'
import { plainAddress, useAnswer } from '../lib/api.ts'
import { type Kind, kinds } from '../lib/kinds.ts'
import { exact, figure, quarter } from '../lib/numbers.ts'
import { Shown } from './asked.tsx'

/** Units of what a figure rests on are not told: items are filed in thousands, ratios of them are not. */
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })

export function Lineage({
  kind,
  id,
  metric,
  asOf,
  name,
  onClose,
}: {
  kind: Kind
  /** Of the institution, as its name is. */
  id: number
  metric: string
  asOf: string | null
  name: string
  onClose: () => void
}) {
  const { universe, plural } = kinds[kind]
  const asked = useAnswer('Where the figure comes from', 'metric-detail', {
    metric,
    ...(kind !== 'bank' && { universe }),
    [kinds[kind].id]: id,
    ...(asOf && { as_of: asOf }),
  })
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label="Where the figure comes from" onClose={onClose}>
      <div class="sheet">
        <form method="dialog">
          <button type="submit" class="quiet">
            Close
          </button>
        </form>
        <Shown asked={asked} what="the figure">
          {({ data, meta, links }) => {
            const value = (data as { value?: number | null }).value
            return (
              <>
                <h2>{data.label}</h2>
                <p>
                  <b class="large">{figure(value, data.unit)}</b>{' '}
                  <span class="mild">
                    {name}, {meta.as_of && quarter(meta.as_of)} · exactly {exact(value, data.unit)}
                  </span>
                </p>
                {data.description && <p>{data.description}</p>}
                <p>
                  <code>{data.formula}</code> <span class="mild">· {data.source}</span>
                </p>
                <p class="mild">
                  All {data.count.toLocaleString('en-US')} {plural}: median {figure(data.median, data.unit)},
                  the middle half from {figure(data.p25, data.unit)} to {figure(data.p75, data.unit)}.
                </p>
                <h3>What it is made of</h3>
                <Sources rows={data.lineage ?? []} />
                <p class="mild">
                  <a href={plainAddress(links.self)}>The query of this figure</a>, as the API answers it
                </p>
              </>
            )
          }}
        </Shown>
      </div>
    </dialog>
  )
}

interface Source {
  readonly depth: number
  readonly kind: string
  readonly code: string
  readonly label: string | null
  readonly quarters_back: number | null
  readonly report_date: string | null
  readonly used_by: string
  readonly value: number | string | null
}

function Sources({ rows }: { rows: readonly Source[] }) {
  if (rows.length === 0) return <p class="mild">It is filed as it is.</p>
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Figure or item</th>
          <th scope="col">Quarter</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {inOrder(rows).map((row) => (
          <tr key={`${row.used_by} ${row.code} ${row.quarters_back}`}>
            <th scope="row" class={`depth d${Math.min(row.depth, 6)}`}>
              {row.label} <code class="mild">{row.code}</code>
            </th>
            <td>{row.report_date && quarter(row.report_date)}</td>
            <td>{typeof row.value === 'number' ? plain.format(row.value) : (row.value ?? '–')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Each below what uses it: of several quarters of a figure the one of its own quarter, else the first. */
function inOrder(rows: readonly Source[]): Source[] {
  const found: Source[] = []
  const taken = new Set<Source>()
  const belongs = (row: Source, user: Source): boolean =>
    row.used_by === user.code &&
    (row.quarters_back === user.quarters_back ||
      !rows.some((one) => one.code === user.code && one.quarters_back === row.quarters_back))
  const take = (row: Source): void => {
    if (taken.has(row)) return
    taken.add(row)
    found.push(row)
    for (const one of rows) if (one.depth === row.depth + 1 && belongs(one, row)) take(one)
  }
  for (const row of rows) if (row.depth === 1) take(row)
  return [...found, ...rows.filter((row) => !taken.has(row))]
}
