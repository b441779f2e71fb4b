/** How a metric is distributed, behind two handles that bound it. */
import { scaleLinear, scaleLog } from 'd3-scale'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { exact, figure, readFigure, short, THOUSANDS } from '../lib/numbers.ts'
import { useWidth } from './picture.tsx'

/** Places of the handles, and twice the columns behind them. */
const STEPS = 120
const BINS = 60

export interface Bounds {
  readonly min: number | null
  readonly max: number | null
}

interface Shape {
  /** From a place of a handle to a figure, and back. */
  readonly figureAt: (step: number) => number
  readonly stepOf: (value: number) => number
  readonly counts: readonly number[]
}

export function Distribution({
  label,
  unit,
  values,
  bounds,
  noun,
  onBounds,
}: {
  label: string
  unit: string
  /** Of whom the values are. */
  noun: string
  values: readonly (number | null)[]
  bounds: Bounds
  onBounds: (bounds: Bounds) => void
}) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const shape = useMemo(() => shapeOf(values, unit), [values, unit])
  const height = 56
  if (!shape) return <p class="mild">No {noun} has a value.</p>
  const low = bounds.min === null ? 0 : shape.stepOf(bounds.min)
  const high = bounds.max === null ? STEPS : shape.stepOf(bounds.max)
  const y = scaleLinear([0, Math.sqrt(Math.max(...shape.counts))], [0, height])
  const column = width / BINS
  const slide = (end: 'min' | 'max', step: number): void => {
    if (end === 'min') onBounds({ ...bounds, min: step <= 0 ? null : shape.figureAt(Math.min(step, high)) })
    else onBounds({ ...bounds, max: step >= STEPS ? null : shape.figureAt(Math.max(step, low)) })
  }
  const handle = (end: 'min' | 'max', at: number) => (
    <input
      type="range"
      min={0}
      max={STEPS}
      step={1}
      value={at}
      aria-label={`${label}: ${end === 'min' ? 'at least' : 'at most'}`}
      aria-valuetext={bounds[end] === null ? 'any' : figure(bounds[end], unit)}
      onInput={(event) => slide(end, Number(event.currentTarget.value))}
    />
  )
  return (
    <div class="distribution">
      <div ref={frame} class="behind">
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            {shape.counts.map((count, i) => (
              <rect
                key={i}
                class={i * 2 >= low - 1 && i * 2 < high ? 'bin in' : 'bin'}
                x={i * column}
                width={Math.max(1, column - 0.5)}
                y={height - y(Math.sqrt(count))}
                height={y(Math.sqrt(count))}
              />
            ))}
          </svg>
        )}
        {handle('min', low)}
        {handle('max', high)}
      </div>
      <div class="bounds">
        <BoundField
          label={`${label}, least`}
          unit={unit}
          value={bounds.min}
          onValue={(min) => onBounds({ ...bounds, min })}
        />
        <span class="mild">to</span>
        <BoundField
          label={`${label}, most`}
          unit={unit}
          value={bounds.max}
          onValue={(max) => onBounds({ ...bounds, max })}
        />
      </div>
    </div>
  )
}

function BoundField({
  label,
  unit,
  value,
  onValue,
}: {
  label: string
  unit: string
  value: number | null
  onValue: (value: number | null) => void
}) {
  const [wrong, setWrong] = useState(false)
  // as it is written, which what is read meanwhile must not undo
  const [written, setWritten] = useState<string | null>(null)
  useEffect(() => {
    setWritten(null)
    setWrong(false)
  }, [value])
  return (
    <input
      type="text"
      aria-label={label}
      aria-invalid={wrong}
      title={
        wrong ? 'A number, such as 500 million or 12.5' : value === null ? undefined : exact(value, unit)
      }
      placeholder="any"
      value={written ?? (value === null ? '' : short(value, unit))}
      onInput={(event) => setWritten(event.currentTarget.value)}
      onBlur={() => wrong || setWritten(null)}
      onChange={(event) => {
        const { value: text } = event.currentTarget
        const read = text.trim() === '' ? null : readFigure(text, unit)
        setWrong(Number.isNaN(read))
        if (Number.isNaN(read)) return
        setWritten(null)
        onValue(read)
      }}
    />
  )
}

/** Amounts by their order of size; ratios between their hundredths, beyond which lie few. */
function shapeOf(values: readonly (number | null)[], unit: string): Shape | null {
  const logarithmic = unit === THOUSANDS
  const present = values.filter((value): value is number => value !== null && (!logarithmic || value > 0))
  if (present.length === 0) return null
  const sorted = Float64Array.from(present).sort()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  let [from, to] = logarithmic ? [sorted[0]!, sorted.at(-1)!] : [at(0.01), at(0.99)]
  if (from === to) [from, to] = logarithmic ? [from / 2, to * 2] : [from - 1, to + 1]
  const scale = logarithmic ? scaleLog([from, to], [0, STEPS]) : scaleLinear([from, to], [0, STEPS])
  const counts = new Array<number>(BINS).fill(0)
  for (const value of sorted) {
    const bin = Math.floor((scale(value) / STEPS) * BINS)
    counts[Math.min(BINS - 1, Math.max(0, bin))]!++
  }
  return {
    counts,
    figureAt: (step) => round(scale.invert(step)),
    stepOf: (value) =>
      logarithmic && value <= 0 ? 0 : Math.round(Math.min(STEPS, Math.max(0, scale(value)))),
  }
}

/** To three digits, which is what a handle can mean. */
const round = (value: number): number => Number(value.toPrecision(3))
