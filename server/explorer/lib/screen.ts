/** A screen of banks as its address says it, in the names of the API. */
import type { Bounds } from '../pictures/distribution.tsx'
import { type Columns, inOrder } from './api.ts'

export interface ScreenState {
  readonly state: string
  readonly regulator: string
  readonly bounds: ReadonlyMap<string, Bounds>
  /** Columns of figures. */
  readonly show: readonly string[]
  readonly sort: string
  /** Whether the map of the states is open. */
  readonly map: boolean
}

export const IDENTITY = ['rssd_id', 'legal_name', 'city', 'hq_state', 'regulator'] as const
const SHOWN = ['total_assets', 'roa', 'nim', 'tier1_leverage_ratio', 'noncurrent_loans_ratio']
const listOf = (text: string | null): string[] => (text ?? '').split(',').filter((one) => /^\w+$/.test(one))

export function readScreen(query: URLSearchParams): ScreenState {
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
    regulator: query.get('regulator') ?? '',
    bounds,
    show: show.length > 0 ? show : SHOWN,
    sort: query.get('sort') ?? '-total_assets',
    map: query.get('map') === '1',
  }
}

/** Filters as the API takes them. */
export function filtersOf({ state, regulator, bounds }: ScreenState): Record<string, string | number> {
  const filters: Record<string, string | number> = {}
  if (state) filters.state = state
  if (regulator) filters.regulator = regulator
  for (const [metric, { min, max }] of bounds) {
    if (min !== null) filters[`min_${metric}`] = min
    if (max !== null) filters[`max_${metric}`] = max
  }
  return filters
}

/** The query of the page's address; values that a new page has are left out. */
export function writeScreen(screen: ScreenState): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filtersOf(screen))) query.set(name, String(value))
  // filters that bound nothing yet
  const open = [...screen.bounds]
    .filter(([, { min, max }]) => min === null && max === null)
    .map(([metric]) => metric)
  if (open.length > 0 && open.join() !== 'total_assets') query.set('filter', open.join())
  if (screen.show.join() !== SHOWN.join()) query.set('show', screen.show.join())
  if (screen.sort !== '-total_assets') query.set('sort', screen.sort)
  if (screen.map) query.set('map', '1')
  return query.toString().replaceAll('%2C', ',')
}

/** Every metric that the page has to read. */
export const metricsOf = ({ bounds, show, sort }: ScreenState): string[] => {
  const sorted = sort.replace('-', '')
  const own: readonly string[] = IDENTITY
  return [...new Set([...bounds.keys(), ...show, ...(own.includes(sorted) ? [] : [sorted])])].sort()
}

/** Rows within the bounds, in order; what has no value stands last. */
export function matchingRows(data: Columns, { state, regulator, bounds, sort }: ScreenState): number[] {
  const { columns, rows } = data
  const states = new Set(state.split(',').filter(Boolean))
  const regulators = new Set(regulator.split(',').filter(Boolean))
  const tests = [...bounds].flatMap(([metric, { min, max }]) => {
    const values = columns[metric] as readonly (number | null)[] | undefined
    return values && (min !== null || max !== null)
      ? [{ values, min: min ?? -Infinity, max: max ?? Infinity }]
      : []
  })
  const found: number[] = []
  for (let row = 0; row < rows; row++) {
    if (states.size > 0 && !states.has(columns.hq_state![row] as string)) continue
    if (regulators.size > 0 && !regulators.has(columns.regulator![row] as string)) continue
    if (
      tests.every(({ values, min, max }) => values[row] != null && values[row]! >= min && values[row]! <= max)
    )
      found.push(row)
  }
  return inOrder(data, found, sort)
}

/** How often each value of a column is among some rows. */
export function countBy(column: readonly unknown[], rows: readonly number[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = String(column[row])
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}
