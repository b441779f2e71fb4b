/** Lines through time (or along another axis), with a band of quartiles behind them. */
import { scaleLinear, scaleUtc } from 'd3-scale'
import { area, line } from 'd3-shape'
import { useState } from 'preact/hooks'
import { exact, figure, rangeOf, short } from '../lib/numbers.ts'
import { type Period, quarters } from '../lib/periods.ts'
import { FigureAxis, TimeAxis } from './axis.tsx'
import { Opens, Picture } from './picture.tsx'

export interface Line {
  readonly name: string
  /** Style: `main`, `median`, `s0` to `s8`. */
  readonly mark: string
  readonly values: readonly (number | null)[]
}

export interface Band {
  readonly name: string
  readonly low: readonly (number | null)[]
  readonly high: readonly (number | null)[]
}

export interface LinesProps {
  readonly name: string
  readonly unit: string | undefined
  /** ISO days, ascending, one a value. */
  readonly dates: readonly string[]
  readonly lines: readonly Line[]
  readonly band?: Band
  readonly height?: number
  readonly small?: boolean
  /** What a day is the end of. */
  readonly period?: Period
  /** Whether the axis must show zero. */
  readonly zero?: boolean
  /** Opens where the figure comes from. */
  readonly onOpen?: () => void
}

const known = (value: number | null | undefined): value is number => value !== null && value !== undefined

export function Lines({
  name,
  unit,
  dates,
  lines,
  band,
  height = 220,
  small,
  period = quarters,
  zero,
  onOpen,
}: LinesProps) {
  const [at, setAt] = useState<number | null>(null)
  const last = dates.length - 1
  const shown = at ?? last
  const main = lines[0]
  const value = main?.values[shown]
  const note =
    shown < 0 ? (
      'Nothing is held.'
    ) : (
      <>
        <b>
          {known(value) ? (
            <Opens {...{ name, onOpen }} text={figure(value, unit)} title={exact(value, unit)} />
          ) : (
            'not reported'
          )}
        </b>{' '}
        <span class="mild">
          {main && main.mark !== 'main' && `${main.name}, `}
          {period.label(dates[shown]!)}
        </span>
        {at !== null &&
          lines.slice(1).map((one) => (
            <span class="mild" key={one.name}>
              {' '}
              · {one.name} {short(one.values[shown], unit)}
            </span>
          ))}
      </>
    )
  const table = () => ({
    heads: [
      period.head,
      ...lines.map((one) => one.name),
      ...(band ? [`${band.name}, low`, `${band.name}, high`] : []),
    ],
    rows: dates
      .map((date, i) => [
        period.label(date),
        ...lines.map((one) => exact(one.values[i], unit)),
        ...(band ? [exact(band.low[i], unit), exact(band.high[i], unit)] : []),
      ])
      .reverse(),
  })
  return (
    <Picture name={name} note={note} table={table} height={height} small={small ?? false}>
      {(width) => (
        <Drawn
          {...{ name, unit, dates, lines, width, height, at, setAt, period }}
          band={band ?? null}
          zero={zero ?? false}
        />
      )}
    </Picture>
  )
}

interface DrawnProps {
  name: string
  unit: string | undefined
  dates: readonly string[]
  lines: readonly Line[]
  band: Band | null
  zero: boolean
  width: number
  height: number
  at: number | null
  setAt: (at: number | null) => void
  period: Period
}

function Drawn({ name, unit, dates, lines, band, zero, width, height, at, setAt, period }: DrawnProps) {
  const [top, right, bottom, left] = [6, 8, 20, 52]
  const all = [...lines.flatMap((one) => one.values), ...(band ? [...band.low, ...band.high] : [])].filter(
    known,
  )
  if (all.length === 0) return <p class="mild">Not reported in these quarters.</p>
  const times = dates.map((date) => Date.parse(date))
  const x = scaleUtc([times[0]!, times.at(-1)!], [left, width - right])
  const [low, high] = [Math.min(...all, ...(zero ? [0] : [])), Math.max(...all, ...(zero ? [0] : []))]
  const y = scaleLinear(rangeOf(low, high), [height - bottom, top]).nice(4)
  const path = line<number | null>()
    .defined(known)
    .x((_, i) => x(times[i]!))
    .y((value) => y(value!))
  const between = area<number>()
    .defined((i) => known(band?.low[i]) && known(band?.high[i]))
    .x((i) => x(times[i]!))
    .y0((i) => y(band!.low[i]!))
    .y1((i) => y(band!.high[i]!))
  const nearest = (clientX: number, box: DOMRect): number => {
    const time = x.invert(clientX - box.left).getTime()
    return times.reduce(
      (best, one, i) => (Math.abs(one - time) < Math.abs(times[best]! - time) ? i : best),
      0,
    )
  }
  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -dates.length,
      End: dates.length,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    setAt(Math.min(Math.max((at ?? dates.length - 1) + step, 0), dates.length - 1))
  }
  const main = lines[0]!
  return (
    <div
      class="along"
      role="slider"
      tabIndex={0}
      aria-label={`${name} through time`}
      aria-valuemin={0}
      aria-valuemax={dates.length - 1}
      aria-valuenow={at ?? dates.length - 1}
      aria-valuetext={`${period.label(dates[at ?? dates.length - 1]!)}: ${figure(main.values[at ?? dates.length - 1], unit)}`}
      onPointerMove={(event) => setAt(nearest(event.clientX, event.currentTarget.getBoundingClientRect()))}
      onPointerLeave={() => setAt(null)}
      onBlur={() => setAt(null)}
      onKeyDown={move}
    >
      <svg width={width} height={height} aria-hidden="true">
        <FigureAxis scale={y} unit={unit} left={left} right={width - right} />
        <TimeAxis
          place={(date) => x(Date.parse(date))}
          {...{ period, left, height, right: width - right, first: dates[0]!, last: dates.at(-1)! }}
        />
        {band && <path class="band" d={between(dates.map((_, i) => i)) ?? ''} />}
        {[...lines].reverse().map((one) => (
          <g key={one.name}>
            <path class={`line ${one.mark}`} d={path([...one.values]) ?? ''} />
            {one.values.filter(known).length === 1 && (
              <circle
                class={`dot ${one.mark}`}
                r={3}
                cx={x(times[one.values.findIndex(known)]!)}
                cy={y(one.values.find(known)!)}
              />
            )}
          </g>
        ))}
        {at !== null && (
          <g>
            <line class="cursor" x1={x(times[at]!)} x2={x(times[at]!)} y1={top} y2={height - bottom} />
            {lines.map((one) => {
              const value = one.values[at]
              return known(value) ? (
                <circle key={one.name} class={`dot ${one.mark}`} r={3.5} cx={x(times[at]!)} cy={y(value)} />
              ) : null
            })}
          </g>
        )}
      </svg>
    </div>
  )
}
