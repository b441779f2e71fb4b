/** A map of the United States: the states by a figure, places upon it, or both. */
import { scaleSqrt, scaleThreshold } from 'd3-scale'
import { exact, figure } from '../lib/numbers.ts'
import { PLANE, useOutlines } from '../lib/outlines.ts'
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
        name: i < bounds.length ? `below ${figure(bound, unit)}` : `${figure(bounds.at(-1), unit)} or more`,
        mark: `q${i}`,
      }))}
    />
  )
  return (
    <Picture name={name} table={table} height={200} legend={legend}>
      {() =>
        outlines && (
          <svg class="map" viewBox={`0 0 ${PLANE.width} ${PLANE.height}`} role="img" aria-label={name}>
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
            {largestFirst.map(({ key, name, longitude, latitude, size }) => {
              const at = outlines.place(longitude, latitude)
              return (
                at && (
                  <circle
                    key={key}
                    class="place"
                    cx={at[0].toFixed(1)}
                    cy={at[1].toFixed(1)}
                    r={radius(size).toFixed(1)}
                  >
                    <title>{name}</title>
                  </circle>
                )
              )
            })}
          </svg>
        )
      }
    </Picture>
  )
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
