/** Every bank, by any metric: filters with the distribution behind their handles, and a grid of all that match. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Columns, noteQuery, type ParametersOf, plainAddress, useColumns } from '../lib/api.ts'
import { type Catalog, useMetrics } from '../lib/metrics.ts'
import { exact, short } from '../lib/numbers.ts'
import { go, type PageProps } from '../lib/router.ts'
import {
  countBy,
  filtersOf,
  IDENTITY,
  matchingRows,
  metricsOf,
  readScreen,
  type ScreenState,
  writeScreen,
} from '../lib/screen.ts'
import { Shown, Trouble } from '../parts/asked.tsx'
import { Choice, MetricField } from '../parts/fields.tsx'
import { Grid, type GridColumn } from '../parts/grid.tsx'
import { Distribution } from '../pictures/distribution.tsx'
import { StatesMap } from '../pictures/states.tsx'

/** Between a change and the address that says it: a handle on its way is not yet one. */
const SETTLED_MS = 250

const REGULATORS = ['OCC', 'FDIC', 'FED']

export function Screen({ query }: PageProps) {
  const [screen, setScreen] = useScreen(query)
  const metrics = useMetrics('bank')
  // what was read once stays: a filter taken away and put back asks nothing
  const wanted = useRef(new Set<string>())
  if (metrics instanceof Map)
    for (const metric of metricsOf(screen)) if (metrics.has(metric)) wanted.current.add(metric)
  const fields = [...IDENTITY, ...[...wanted.current].sort()]
  const banks = useColumns('', 'bank-screener', metrics instanceof Map ? ({ fields } as Fields) : null)
  return (
    <>
      <h1>Screen of banks</h1>
      <p class="lede">
        Every bank of the latest quarter. Bound any metric, choose what is shown, order by any column.
      </p>
      {metrics instanceof Error ? (
        <Trouble problem={metrics} what="the metrics" />
      ) : metrics === null ? (
        <p class="mild waiting">Reading the metrics …</p>
      ) : (
        <Shown asked={banks} what="the banks">
          {({ data, meta }) => <Screened {...{ screen, setScreen, metrics }} data={data} asOf={meta.as_of} />}
        </Shown>
      )}
    </>
  )
}

type Fields = ParametersOf<'bank-screener'>

/** The screen, and the address kept in step with it: the one follows where the other changes. */
function useScreen(query: URLSearchParams): [ScreenState, (screen: ScreenState) => void] {
  const [screen, setScreen] = useState(() => readScreen(query))
  const written = useRef(query.toString())
  const pending = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => {
    if (query.toString() === written.current) return
    written.current = query.toString()
    setScreen(readScreen(query))
  }, [query.toString()])
  useEffect(() => () => clearTimeout(pending.current), [])
  const change = (next: ScreenState): void => {
    setScreen(next)
    clearTimeout(pending.current)
    pending.current = setTimeout(() => {
      const text = writeScreen(next)
      written.current = new URLSearchParams(text).toString()
      go(text === '' ? '/screen' : `/screen?${text}`, { replace: true })
    }, SETTLED_MS)
  }
  return [screen, change]
}

interface ScreenedProps {
  screen: ScreenState
  setScreen: (screen: ScreenState) => void
  metrics: Catalog
  data: Columns
  asOf: string | null
}

function Screened({ screen, setScreen, metrics, data, asOf }: ScreenedProps) {
  const rows = useMemo(() => matchingRows(data, screen), [data, screen])
  useQuery(screen, metrics)
  const states = useMemo(() => [...new Set(data.columns.hq_state)].sort() as string[], [data])
  // of the whole country, so that the other states can be seen and chosen
  const byState = useMemo(
    () =>
      screen.map ? countBy(data.columns.hq_state!, matchingRows(data, { ...screen, state: '' })) : new Map(),
    [data, screen],
  )
  const setMap = (map: boolean): void => {
    if (map !== screen.map) setScreen({ ...screen, map })
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
          options={states}
          onChoice={(state) => setScreen({ ...screen, state })}
        />
        <Choice
          label="Regulator"
          all="All regulators"
          value={screen.regulator}
          options={REGULATORS}
          onChoice={(regulator) => setScreen({ ...screen, regulator })}
        />
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
                  {...{ label, unit, bounds }}
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
      <section class="matches" aria-label="Banks that match">
        {unknown.length > 0 && <p class="mild">There is no metric {unknown.join(', ')}: it is left out.</p>}
        <div class="matches-head">
          <p role="status">
            <b>{rows.length.toLocaleString('en-US')}</b> of {data.rows.toLocaleString('en-US')} banks{' '}
            <span class="mild">{asOf}</span>
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
                  {label} ×
                </button>
              </li>
            )
          })}
        </ul>
        <details open={screen.map} onToggle={(event) => setMap(event.currentTarget.open)}>
          <summary>On a map</summary>
          {screen.map && (
            <StatesMap
              name="Banks that match, by state"
              label="Banks"
              unit="count"
              values={byState}
              chosen={screen.state}
              onState={(state) => setScreen({ ...screen, state: state === screen.state ? '' : state })}
            />
          )}
        </details>
        {rows.length === 0 ? (
          <p class="mild">No bank is within all of these bounds.</p>
        ) : (
          <Grid
            name="Banks"
            rows={rows}
            columns={columnsOf(data, screen, metrics)}
            sort={screen.sort}
            onSort={(sort) => setScreen({ ...screen, sort })}
          />
        )}
      </section>
    </div>
  )
}

function columnsOf({ columns }: Columns, { show }: ScreenState, metrics: Catalog): GridColumn[] {
  const figures = show.flatMap((key): GridColumn[] => {
    const entry = metrics.get(key)
    const values = columns[key] as readonly (number | null)[] | undefined
    if (!entry || !values) return []
    const { label, unit, description } = entry
    const cell = (row: number) => <span title={exact(values[row], unit)}>{short(values[row], unit)}</span>
    return [{ key, label, number: true, cell, ...(description && { title: description }) }]
  })
  const name: GridColumn = {
    ...{ key: 'legal_name', label: 'Bank', number: false },
    cell: (row) => <a href={`/bank/${columns.rssd_id![row]}`}>{columns.legal_name![row]}</a>,
  }
  const place: GridColumn = {
    ...{ key: 'hq_state', label: 'Place', number: false },
    cell: (row) => `${columns.city![row]}, ${columns.hq_state![row]}`,
  }
  return [name, place, ...figures]
}

/** The question that answers with these rows, as the page shows it: the page itself read every bank, to be quick. */
function useQuery(screen: ScreenState, metrics: Catalog): void {
  const shown = screen.show.filter((metric) => metrics.has(metric))
  const parameters = {
    ...filtersOf(screen),
    ...{ sort: screen.sort, fields: ['rssd_id', 'legal_name', 'city', 'hq_state', ...shown] },
  }
  const text = JSON.stringify(parameters)
  useEffect(() => {
    const given = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, String(value)]),
    )
    return noteQuery({
      ...{ title: 'Banks that match', key: 'bank-screener', parameters },
      address: plainAddress(`/api/v1/screeners/banks/?${given}`),
    })
  }, [text])
}
