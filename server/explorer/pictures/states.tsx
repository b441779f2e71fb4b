/** A map of the United States: the states by a figure, places upon it, or both. */
import { scaleSqrt, scaleThreshold } from 'd3-scale'
import { exact, figure } from '../lib/numbers.ts'
import { around, PLANE, useOutlines } from '../lib/outlines.ts'
import { Legend, Picture } from './picture.tsx'

const SHADES = 5
const LARGEST_DOT = 22

export interface MapPlace {
  readonly key: string
  readonly name: string
  readonly longitude: number
  readonly latitude: number
  /** What its area stands for. */
  readonly size: number
}

export function StatesMap({
  name,
  label,
  unit,
  values,
  places = [],
  chosen,
  onState,
  near = false,
}: {
  name: string
  /** Of the figure of a state, as a column's head. */
  label: string
  unit: string
  /** By USPS code. */
  values: ReadonlyMap<string, number>
  places?: readonly MapPlace[]
  chosen?: string
  onState?: (state: string) => void
  /** Whether only the part of the country is drawn that has something. */
  near?: boolean
}) {
  const outlines = useOutlines()
  const bounds = quantiles([...values.values()])
  const shade = scaleThreshold<number, number>(bounds, [...bounds.map((_, i) => i), bounds.length])
  const table = () => ({
    heads: ['State', label],
    rows: [...values].sort((a, b) => b[1] - a[1]).map(([state, value]) => [state, exact(value, unit)]),
  })
  const radius = scaleSqrt([0, Math.max(1, ...places.map(({ size }) => size))], [1.5, LARGEST_DOT])
  // the small ones lie upon the large ones
  const largestFirst = [...places].sort((a, b) => b.size - a.size)
  const legend = bounds.length > 0 && (
    <Legend
      entries={[...bounds, Number.POSITIVE_INFINITY].map((bound, i) => ({
        name: rangeName(bounds[i - 1], bound, unit),
        mark: `q${i}`,
      }))}
    />
  )
  return (
    <Picture name={name} table={table} height={200} legend={legend}>
      {() => {
        if (!outlines) return null
        const placed = largestFirst.flatMap((place) => {
          const at = outlines.place(place.longitude, place.latitude)
          return at ? [{ ...place, at }] : []
        })
        const [left, top, width] = around(
          near
            ? [
                ...outlines.states.filter(({ state }) => values.has(state)).map(({ box }) => box),
                ...placed.map(({ at }) => [at, at] as const),
              ]
            : [],
        )
        const scale = width / PLANE.width
        return (
          <svg
            class="map"
            viewBox={`${left.toFixed(1)} ${top.toFixed(1)} ${width.toFixed(1)} ${(PLANE.height * scale).toFixed(1)}`}
            role="img"
            aria-label={name}
          >
            {outlines.states.map(({ state, name, path }) => {
              const value = values.get(state)
              const kind = value === undefined ? 'none' : `q${shade(value)}`
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the list of states beside it does the same by keys
                <path
                  key={state}
                  d={path}
                  class={`state ${kind}${chosen === state ? ' chosen' : ''}${onState ? ' open' : ''}`}
                  onClick={onState && (() => onState(state))}
                >
                  <title>{`${name}: ${value === undefined ? 'none' : figure(value, unit)}`}</title>
                </path>
              )
            })}
            {placed.map(({ key, name, at, size }) => (
              <circle
                key={key}
                class="place"
                cx={at[0].toFixed(1)}
                cy={at[1].toFixed(1)}
                r={(radius(size) * scale).toFixed(2)}
              >
                <title>{name}</title>
              </circle>
            ))}
          </svg>
        )
      }}
    </Picture>
  )
}

/** What lies from one bound up to the next; whole numbers end before it. */
function rangeName(from: number | undefined, to: number, unit: string): string {
  if (from === undefined) return `below ${figure(to, unit)}`
  if (to === Number.POSITIVE_INFINITY) return `${figure(from, unit)} or more`
  const last = unit === 'count' ? to - 1 : to
  return last === from ? figure(from, unit) : `${figure(from, unit)} to ${figure(last, unit)}`
}

/** Bounds between shades, each of about as many states; fewer where values are few. */
function quantiles(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  const at = Array.from(
    { length: SHADES - 1 },
    (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / SHADES)],
  )
  return [...new Set(at.filter((one): one is number => one !== undefined && one > sorted[0]!))]
}
