/** A screen of one kind of institution as its address says it, in the names of the API. */
import type { Bounds } from '../pictures/distribution.tsx'
import { type Columns, inOrder } from './api.ts'
import type { KindOf } from './kinds.ts'

export interface ScreenState {
  readonly state: string
  /** Values of the kind's choices, by their names; what is not chosen is absent. */
  readonly choices: ReadonlyMap<string, string>
  readonly bounds: ReadonlyMap<string, Bounds>
  /** Columns of figures. */
  readonly show: readonly string[]
  readonly sort: string
  /** Whether the map of the states is open. */
  readonly map: boolean
}

/** Columns of who an institution is. */
export const identityOf = ({ id, state, screen }: KindOf): string[] => [
  ...[id, 'legal_name', 'city', state],
  ...screen.choices.map(({ name }) => name),
]
const listOf = (text: string | null): string[] => (text ?? '').split(',').filter((one) => /^\w+$/.test(one))

export function readScreen(query: URLSearchParams, kind: KindOf): ScreenState {
  const bounds = new Map<string, Bounds>()
  for (const [name, text] of query) {
    const [, end, metric] = /^(min|max)_(\w+)$/.exec(name) ?? []
    const value = Number(text)
    if (!metric || text === '' || Number.isNaN(value)) continue
    bounds.set(metric, { min: null, max: null, ...bounds.get(metric), [end!]: value })
  }
  for (const metric of listOf(query.get('filter')))
    if (!bounds.has(metric)) bounds.set(metric, { min: null, max: null })
  if (bounds.size === 0) bounds.set('total_assets', { min: null, max: null })
  const show = listOf(query.get('show'))
  return {
    state: query.get('state') ?? '',
    choices: new Map(
      kind.screen.choices.flatMap(({ name }) => {
        const value = query.get(name)
        return value ? [[name, value] as const] : []
      }),
    ),
    bounds,
    show: show.length > 0 ? show : kind.screen.show,
    sort: query.get('sort') ?? '-total_assets',
    map: query.get('map') === '1',
  }
}

/** Filters as the API takes them. */
export function filtersOf({ state, choices, bounds }: ScreenState): Record<string, string | number> {
  const filters: Record<string, string | number> = {}
  if (state) filters.state = state
  for (const [name, value] of choices) filters[name] = value
  for (const [metric, { min, max }] of bounds) {
    if (min !== null) filters[`min_${metric}`] = min
    if (max !== null) filters[`max_${metric}`] = max
  }
  return filters
}

/** The query of the page's address; values that a new page has are left out. */
export function writeScreen(screen: ScreenState, kind: KindOf): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filtersOf(screen))) query.set(name, String(value))
  // filters that bound nothing yet
  const open = [...screen.bounds]
    .filter(([, { min, max }]) => min === null && max === null)
    .map(([metric]) => metric)
  if (open.length > 0 && open.join() !== 'total_assets') query.set('filter', open.join())
  if (screen.show.join() !== kind.screen.show.join()) query.set('show', screen.show.join())
  if (screen.sort !== '-total_assets') query.set('sort', screen.sort)
  if (screen.map) query.set('map', '1')
  return query.toString().replaceAll('%2C', ',')
}

/** Every metric that the page has to read. */
export const metricsOf = ({ bounds, show, sort }: ScreenState): string[] =>
  [...new Set([...bounds.keys(), ...show, sort.replace('-', '')])].sort()

/** Rows within the bounds, in order; what has no value stands last. */
export function matchingRows(data: Columns, screen: ScreenState, kind: KindOf): number[] {
  const { columns, rows } = data
  const { state, choices, bounds, sort } = screen
  const states = new Set(state.split(',').filter(Boolean))
  const chosen = [...choices].map(([name, value]) => ({
    column: columns[name]!,
    values: new Set(value.split(',')),
  }))
  const tests = [...bounds].flatMap(([metric, { min, max }]) => {
    const values = columns[metric] as readonly (number | null)[] | undefined
    return values && (min !== null || max !== null)
      ? [{ values, min: min ?? -Infinity, max: max ?? Infinity }]
      : []
  })
  const found: number[] = []
  for (let row = 0; row < rows; row++) {
    if (states.size > 0 && !states.has(columns[kind.state]![row] as string)) continue
    if (!chosen.every(({ column, values }) => values.has(asked(column[row])))) continue
    if (
      tests.every(({ values, min, max }) => values[row] != null && values[row]! >= min && values[row]! <= max)
    )
      found.push(row)
  }
  return inOrder(data, found, sort)
}

/** A value of a column as the API takes it. */
const asked = (value: unknown): string => (typeof value === 'boolean' ? String(Number(value)) : String(value))

/** How often each value of a column is among some rows. */
export function countBy(column: readonly unknown[], rows: readonly number[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = String(column[row])
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}
