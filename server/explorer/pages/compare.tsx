/** Up to eight banks side by side, now and through time. */

import { useEach } from '../lib/api.ts'
import { bankTrends } from '../lib/headline.ts'
import { exact, figure, quarter } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { Shown } from '../parts/asked.tsx'
import { List } from '../parts/list.tsx'
import { type Row, valuesOf } from '../parts/multiples.tsx'
import { Search } from '../parts/search.tsx'
import { Lines } from '../pictures/lines.tsx'
import { Legend } from '../pictures/picture.tsx'

const MOST = 8
const QUARTERS = 40
const metrics = bankTrends.map(({ key }) => key)

interface Compared {
  readonly id: number
  readonly name: string
  readonly rows: readonly Row[]
}

export function Compare({ query }: PageProps) {
  const ids = [...new Set((query.get('banks') ?? '').split(',').filter((id) => /^\d{1,10}$/.test(id)))].slice(
    0,
    MOST,
  )
  const set = (next: readonly string[]): void => adjust({ banks: next.join(',') || null })
  const names = useEach(
    'Name of',
    'bank-snapshot',
    ids.map((id) => ({ rssd_id: Number(id), fields: ['rssd_id', 'legal_name'] })),
  )
  const trends = useEach(
    'Trends of',
    'bank-trends',
    ids.map((id) => ({ rssd_id: Number(id), quarters: QUARTERS, metrics: metrics as never })),
  )
  return (
    <>
      <h1>Compare banks</h1>
      <p class="lede">Up to eight banks, side by side.</p>
      {ids.length < MOST && (
        <Search
          large
          label="Add a bank"
          placeholder="Add a bank"
          among={({ kind }) => kind === 'bank'}
          onPick={({ id }) => set([...ids, String(id)])}
        />
      )}
      {ids.length === 0 ? (
        <p class="mild">Search for a bank to begin with.</p>
      ) : (
        <Shown asked={names} what="the banks">
          {({ data: found }) => (
            <Shown asked={trends} what="the trends">
              {({ data: histories }) => {
                const compared = ids.flatMap((id, i): Compared[] => {
                  const rows = histories[i]
                  return rows ? [{ id: Number(id), name: found[i]?.legal_name ?? id, rows }] : []
                })
                return (
                  <SideBySide
                    compared={compared}
                    onRemove={(id) => set(ids.filter((one) => one !== String(id)))}
                  />
                )
              }}
            </Shown>
          )}
        </Shown>
      )}
    </>
  )
}

function SideBySide({
  compared,
  onRemove,
}: {
  compared: readonly Compared[]
  onRemove: (id: number) => void
}) {
  const dates = [
    ...new Set(compared.flatMap(({ rows }) => rows.map((row) => String(row.report_date)))),
  ].sort()
  const last = dates.at(-1)
  if (last === undefined) return <p class="mild">None of these filed anything that is held.</p>
  const aligned = compared.map(({ rows }) => {
    const of = new Map(rows.map((row) => [row.report_date, row]))
    return dates.map((date) => of.get(date) ?? {})
  })
  return (
    <>
      <ul class="chips" aria-label="Banks compared">
        {compared.map(({ id, name }) => (
          <li key={id}>
            <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={() => onRemove(id)}>
              {name} ×
            </button>
          </li>
        ))}
      </ul>
      <section aria-labelledby="now">
        <h2 id="now">
          Now <span class="mild">{quarter(last)}</span>
        </h2>
        <List
          heads={[
            'Metric',
            ...compared.map(({ name, id }) =>
              compared.some((o) => o.name === name && o.id !== id) ? `${name} (${id})` : name,
            ),
          ]}
          rows={bankTrends.map(({ key, label, unit }) => ({
            key,
            cells: [
              label,
              ...aligned.map((rows, i) => {
                const value = valuesOf(rows, key).at(-1)
                return (
                  <span key={compared[i]!.id} title={exact(value, unit)}>
                    {figure(value, unit)}
                  </span>
                )
              }),
            ],
          }))}
        />
      </section>
      <section aria-labelledby="trends">
        <h2 id="trends">Through time</h2>
        <Legend entries={compared.map(({ name }, i) => ({ name, mark: `s${i}` }))} />
        <div class="multiples">
          {bankTrends.map(({ key, label, unit }) => (
            <Lines
              key={key}
              small
              height={150}
              name={label}
              unit={unit}
              dates={dates}
              lines={compared.map(({ name }, i) => ({
                name,
                mark: `s${i}`,
                values: valuesOf(aligned[i]!, key),
              }))}
            />
          ))}
        </div>
      </section>
    </>
  )
}
