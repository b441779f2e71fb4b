/** Up to eight institutions of a kind side by side, now and through time. */
import { useEach } from '../lib/api.ts'
import { called, steady } from '../lib/headline.ts'
import { addressOf } from '../lib/institutions.ts'
import { type Kind, type KindOf, kinds } from '../lib/kinds.ts'
import { type Catalog, named } from '../lib/metrics.ts'
import { shortName } from '../lib/names.ts'
import { exact, quarter, short } from '../lib/numbers.ts'
import { adjust, type PageProps } from '../lib/router.ts'
import { Note, Shown } from '../parts/asked.tsx'
import { List } from '../parts/list.tsx'
import { type Row, valuesOf } from '../parts/multiples.tsx'
import { Named } from '../parts/named.tsx'
import { Search } from '../parts/search.tsx'
import { Lines } from '../pictures/lines.tsx'
import { Legend } from '../pictures/picture.tsx'

const MOST = 8
const QUARTERS = 40

interface Compared {
  readonly id: number
  readonly name: string
  /** Its name where there is little room, unlike that of any other: a part of the whole, as it is for who hears it. */
  readonly short: string
  readonly rows: readonly Row[]
}

/** As the address has them: `banks=852218,480228`, `credit-unions=…` or `holding-companies=…`. */
const nameOf = ({ plural }: KindOf): string => plural.replaceAll(' ', '-')
const idsOf = (query: URLSearchParams, kind: KindOf): string[] =>
  [...new Set((query.get(nameOf(kind)) ?? '').split(',').filter((id) => /^\d{1,10}$/.test(id)))].slice(
    0,
    MOST,
  )

export function Compare({ query }: PageProps) {
  const chosen = Object.values(kinds).find((kind) => idsOf(query, kind).length > 0)
  const kind = chosen ?? kinds.bank
  const ids = idsOf(query, kind)
  const set = (of: Kind, next: readonly string[]): void =>
    adjust({ [nameOf(kinds[of])]: next.join(',') || null })
  const what = chosen ? kind.noun : 'bank, credit union or holding company'
  return (
    <>
      <h1>Compare {chosen ? kind.plural : 'institutions'}</h1>
      <p class="lede">Up to eight of a kind, side by side.</p>
      {ids.length < MOST && (
        <Search
          large
          label={`Add a ${what}`}
          placeholder={`Add a ${what}`}
          among={(one) => !chosen || one.kind === kind.kind}
          onPick={(one) => set(one.kind, [...ids, String(one.id)])}
        />
      )}
      {ids.length === 0 ? (
        <p class="mild">Search for one to begin with.</p>
      ) : (
        <Named universe={kind.universe}>
          {(metrics) => (
            <Histories
              {...{ kind, ids, metrics }}
              onRemove={(id) =>
                set(
                  kind.kind,
                  ids.filter((one) => one !== String(id)),
                )
              }
            />
          )}
        </Named>
      )}
    </>
  )
}

interface Held {
  readonly kind: KindOf
  readonly metrics: Catalog
  readonly onRemove: (id: number) => void
}

function Histories({ ids, ...held }: Held & { ids: readonly string[] }) {
  const { kind } = held
  const names = useEach(
    'Name of',
    kind.datasets.snapshot,
    ids.map((id) => ({ [kind.id]: Number(id), fields: [kind.id, 'legal_name'] }) as never),
  )
  const trends = useEach(
    'Trends of',
    kind.datasets.trends,
    ids.map((id) => ({ [kind.id]: Number(id), quarters: QUARTERS, metrics: kind.trends }) as never),
  )
  return (
    <Shown asked={names} what={`the ${kind.plural}`} absent={<Nobodies ids={ids} {...held} />}>
      {({ data: found }) => (
        <Shown asked={trends} what="the trends">
          {({ data: histories }) => {
            const names = ids.map((id, i) => found[i]?.legal_name ?? id)
            const compared = ids.flatMap((id, i): Compared[] => {
              const [rows, name] = [histories[i], names[i]!]
              const short = shortName(name)
              const alone = names.filter((one) => shortName(one) === short).length === 1
              const own = alone ? { name, short } : { name: `${name} (${id})`, short: `${name} (${id})` }
              return rows ? [{ id: Number(id), rows, ...own }] : []
            })
            return (
              <>
                <Nobodies ids={ids.filter((_, i) => !found[i])} {...held} />
                <SideBySide compared={compared} {...held} />
              </>
            )
          }}
        </Shown>
      )}
    </Shown>
  )
}

/** Numbers in the address that are nobody's. */
function Nobodies({ ids, kind, onRemove }: Held & { ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <Note title={`No ${kind.noun} has the number ${ids.join(', ')}`}>
      <p class="buttons">
        It is left out.
        {ids.map((id) => (
          <button key={id} type="button" class="quiet" onClick={() => onRemove(Number(id))}>
            Remove {id}
          </button>
        ))}
      </p>
    </Note>
  )
}

function SideBySide({ compared, kind, metrics, onRemove }: Held & { compared: readonly Compared[] }) {
  const shown = named(metrics, kind.trends)
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
      <ul class="chips" aria-label={`The ${kind.plural} compared`}>
        {compared.map(({ id, name, short }) => (
          <li key={id}>
            <button
              type="button"
              class="quiet"
              title={name}
              aria-label={`Remove ${name}`}
              onClick={() => onRemove(id)}
            >
              {short} ×
            </button>
          </li>
        ))}
      </ul>
      <section aria-labelledby="now">
        <h2 id="now">
          Now <span class="mild">{quarter(last)}</span>
        </h2>
        <List
          name={`The ${kind.plural} now`}
          heads={[
            'Metric',
            ...compared.map(({ name, id, short }) => ({
              ...{ key: String(id), text: short, full: name },
              href: addressOf({ kind: kind.kind, id }),
            })),
          ]}
          rows={shown.map(({ key, label, unit }) => ({
            key,
            cells: [
              called({ key, label }),
              ...aligned.map((rows, i) => {
                const value = valuesOf(rows, key).at(-1)
                return (
                  <span key={compared[i]!.id} title={exact(value, unit)}>
                    {short(value, unit)}
                  </span>
                )
              }),
            ],
          }))}
        />
      </section>
      <section aria-labelledby="trends">
        <h2 id="trends">Through time</h2>
        <Legend
          entries={compared.map(({ short, name }, i) => ({ name: short, full: name, mark: `s${i}` }))}
        />
        <div class="multiples">
          {steady(shown).map(({ key, label, unit }) => (
            <Lines
              key={key}
              small
              height={150}
              name={label}
              unit={unit}
              dates={dates}
              lines={compared.map(({ short }, i) => ({
                name: short,
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
