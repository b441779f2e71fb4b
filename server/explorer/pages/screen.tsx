/** Every institution of a kind, by any metric: filters with the distribution behind their handles, and a grid of all that match. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { askedAt, type Columns, noteQuery, type ParametersOf, useColumns } from '../lib/api.ts'
import { addressOf } from '../lib/institutions.ts'
import { type KindOf, kinds } from '../lib/kinds.ts'
import type { Catalog } from '../lib/metrics.ts'
import { exact, quarter, short } from '../lib/numbers.ts'
import { go, type PageProps } from '../lib/router.ts'
import {
  countBy,
  filtersOf,
  identityOf,
  matchingRows,
  metricsOf,
  readScreen,
  type ScreenState,
  writeScreen,
} from '../lib/screen.ts'
import { Shown } from '../parts/asked.tsx'
import { Choice, MetricField } from '../parts/fields.tsx'
import { Grid, type GridColumn } from '../parts/grid.tsx'
import { Named } from '../parts/named.tsx'
import { Distribution } from '../pictures/distribution.tsx'
import { StatesMap } from '../pictures/states.tsx'

/** Between a change and the address that says it: a handle on its way is not yet one. */
const SETTLED_MS = 250

/** @param props.id what follows `/screen/`; nothing for banks */
export function Screen({ id, query }: PageProps) {
  const kind = Object.values(kinds).find(({ screen }) => screen.path === `/screen${id && `/${id}`}`)!
  return (
    <>
      <h1>Screen of {kind.plural}</h1>
      <nav class="parts" aria-label="Kinds of institution">
        {Object.values(kinds).map(({ plural, screen }) => (
          <a key={plural} href={screen.path} aria-current={plural === kind.plural ? 'page' : undefined}>
            {capital(plural)}
          </a>
        ))}
      </nav>
      <p class="lede">
        {kind.screen.lede} Set bounds on any metric, choose the columns, sort by any of them.
      </p>
      <Named universe={kind.universe}>
        {(metrics) => <Everyone key={kind.kind} {...{ kind, metrics, query }} />}
      </Named>
    </>
  )
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** Reads all of the kind, with the metrics that the screen needs. */
function Everyone({ kind, metrics, query }: { kind: KindOf; metrics: Catalog; query: URLSearchParams }) {
  const [screen, setScreen] = useScreen(query, kind)
  // what was read once stays: a filter taken away and put back asks nothing
  const wanted = useRef(new Set<string>())
  for (const metric of metricsOf(screen)) if (metrics.has(metric)) wanted.current.add(metric)
  const fields = [...identityOf(kind), ...[...wanted.current].sort()]
  const all = useColumns('', kind.datasets.screener, { ...kind.screen.always, fields } as Fields)
  return (
    <Shown asked={all} what={`the ${kind.plural}`}>
      {({ data, meta }) => (
        <Screened {...{ kind, screen, setScreen, metrics }} data={data} asOf={meta.as_of} />
      )}
    </Shown>
  )
}

type Fields = ParametersOf<KindOf['datasets']['screener']>

/** The screen, and the address kept in step with it: the one follows where the other changes. */
function useScreen(query: URLSearchParams, kind: KindOf): [ScreenState, (screen: ScreenState) => void] {
  const [screen, setScreen] = useState(() => readScreen(query, kind))
  const written = useRef(query.toString())
  const pending = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => {
    if (query.toString() === written.current) return
    written.current = query.toString()
    setScreen(readScreen(query, kind))
  }, [query.toString()])
  useEffect(() => () => clearTimeout(pending.current), [])
  const change = (next: ScreenState): void => {
    setScreen(next)
    clearTimeout(pending.current)
    pending.current = setTimeout(() => {
      const text = writeScreen(next, kind)
      written.current = new URLSearchParams(text).toString()
      go(text === '' ? kind.screen.path : `${kind.screen.path}?${text}`, { replace: true })
    }, SETTLED_MS)
  }
  return [screen, change]
}

interface ScreenedProps {
  kind: KindOf
  screen: ScreenState
  setScreen: (screen: ScreenState) => void
  metrics: Catalog
  data: Columns
  asOf: string | null
}

function Screened({ kind, screen, setScreen, metrics, data, asOf }: ScreenedProps) {
  const rows = useMemo(() => matchingRows(data, screen, kind), [data, screen])
  useQuery(kind, screen, metrics)
  const states = useMemo(() => statesOf(data, kind), [data])
  // of the whole country, so that the other states can be seen and chosen
  const byState = useMemo(
    () =>
      screen.map
        ? countBy(data.columns[kind.state]!, matchingRows(data, { ...screen, state: '' }, kind))
        : new Map(),
    [data, screen],
  )
  const setMap = (map: boolean): void => {
    if (map !== screen.map) setScreen({ ...screen, map })
  }
  const setChoice = (name: string, value: string): void => {
    const choices = new Map(screen.choices)
    if (value) choices.set(name, value)
    else choices.delete(name)
    setScreen({ ...screen, choices })
  }
  const unknown = [...screen.bounds.keys(), ...screen.show].filter((metric) => !metrics.has(metric))
  const setBounds = (metric: string, bounds: { min: number | null; max: number | null } | null): void => {
    const next = new Map(screen.bounds)
    if (bounds) next.set(metric, bounds)
    else next.delete(metric)
    setScreen({ ...screen, bounds: next })
  }
  return (
    <div class="screen">
      <section class="filters" aria-label="Filters">
        <Choice
          label="State"
          all="All states"
          value={screen.state}
          options={states.map((state) => [state, state])}
          onChoice={(state) => setScreen({ ...screen, state })}
        />
        {kind.screen.choices.map(({ name, ...choice }) => (
          <Choice
            key={name}
            {...choice}
            value={screen.choices.get(name) ?? ''}
            onChoice={(value) => setChoice(name, value)}
          />
        ))}
        {[...screen.bounds]
          .filter(([metric]) => data.columns[metric])
          .map(([metric, bounds]) => {
            const { label = metric, unit = '', description = null } = metrics.get(metric) ?? {}
            return (
              <fieldset key={metric} class="filter">
                <legend title={description ?? undefined}>{label}</legend>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove the filter ${label}`}
                  onClick={() => setBounds(metric, null)}
                >
                  Remove
                </button>
                <Distribution
                  {...{ label, unit, bounds, noun: kind.noun }}
                  values={data.columns[metric] as (number | null)[]}
                  onBounds={(next) => setBounds(metric, next)}
                />
              </fieldset>
            )
          })}
        <MetricField
          label="Add a filter"
          metrics={metrics}
          onPick={(metric) => setBounds(metric, { min: null, max: null })}
        />
      </section>
      <section class="matches" aria-label={`${capital(kind.plural)} that match`}>
        {unknown.length > 0 && <p class="mild">There is no metric {unknown.join(', ')}: it is left out.</p>}
        <div class="matches-head">
          <p role="status">
            <b>{rows.length.toLocaleString('en-US')}</b> of {data.rows.toLocaleString('en-US')} {kind.plural}{' '}
            <span class="mild">{asOf && quarter(asOf)}</span>
          </p>
          <MetricField
            label="Add a column"
            metrics={metrics}
            onPick={(metric) =>
              !screen.show.includes(metric) && setScreen({ ...screen, show: [...screen.show, metric] })
            }
          />
        </div>
        <ul class="chips" aria-label="Columns">
          {screen.show.map((metric) => {
            const label = metrics.get(metric)?.label ?? metric
            return (
              <li key={metric}>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove the column ${label}`}
                  disabled={screen.show.length === 1}
                  onClick={() => setScreen({ ...screen, show: screen.show.filter((one) => one !== metric) })}
                >
                  {label} ×
                </button>
              </li>
            )
          })}
        </ul>
        <details open={screen.map} onToggle={(event) => setMap(event.currentTarget.open)}>
          <summary>On a map</summary>
          {screen.map && (
            <StatesMap
              name={`${capital(kind.plural)} that match, by state`}
              label={capital(kind.plural)}
              unit="count"
              values={byState}
              chosen={screen.state}
              onState={(state) => setScreen({ ...screen, state: state === screen.state ? '' : state })}
            />
          )}
        </details>
        {rows.length === 0 ? (
          <p class="mild">No {kind.noun} is within all of these bounds.</p>
        ) : (
          <Grid
            name={capital(kind.plural)}
            rows={rows}
            columns={columnsOf(data, screen, metrics, kind)}
            sort={screen.sort}
            onSort={(sort) => setScreen({ ...screen, sort })}
          />
        )}
      </section>
    </div>
  )
}

/** Some have no state, being abroad or known by name alone. */
const statesOf = ({ columns }: Columns, { state }: KindOf): string[] =>
  [...new Set(columns[state] as readonly string[])].filter(Boolean).sort()

function columnsOf(
  { columns }: Columns,
  { show }: ScreenState,
  metrics: Catalog,
  kind: KindOf,
): GridColumn[] {
  const figures = show.flatMap((key): GridColumn[] => {
    const entry = metrics.get(key)
    const values = columns[key] as readonly (number | null)[] | undefined
    if (!entry || !values) return []
    const { label, unit, description } = entry
    const cell = (row: number) => <span title={exact(values[row], unit)}>{short(values[row], unit)}</span>
    return [{ key, label, number: true, cell, ...(description && { title: description }) }]
  })
  const name: GridColumn = {
    ...{ key: 'legal_name', label: capital(kind.noun), number: false },
    cell: (row) => (
      <a
        href={addressOf({ kind: kind.kind, id: Number(columns[kind.id]![row]) })}
        title={String(columns.legal_name![row])}
      >
        {columns.legal_name![row]}
      </a>
    ),
  }
  const place: GridColumn = {
    ...{ key: kind.state, label: 'Place', number: false, below: true },
    cell: (row) => [columns.city![row], columns[kind.state]![row]].filter(Boolean).join(', '),
  }
  return [name, place, ...figures]
}

/** The question that answers with these rows, as the page shows it: the page itself read all of them, to be quick. */
function useQuery(kind: KindOf, screen: ScreenState, metrics: Catalog): void {
  const shown = screen.show.filter((metric) => metrics.has(metric))
  const parameters = {
    ...kind.screen.always,
    ...filtersOf(screen),
    ...{ sort: screen.sort, fields: [kind.id, 'legal_name', 'city', kind.state, ...shown] },
  }
  const text = JSON.stringify(parameters)
  useEffect(() => {
    const query = {
      title: `${capital(kind.plural)} that match`,
      ...{ key: kind.datasets.screener, parameters },
    }
    return noteQuery({ ...query, address: askedAt(query) })
  }, [text])
}
