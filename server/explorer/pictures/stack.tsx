/** Parts of a whole through time, a column a period, and what they are now. */
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { exact, figure, percent, short } from '../lib/numbers.ts'
import { type Period, quarters } from '../lib/periods.ts'
import { FigureAxis, TimeAxis } from './axis.tsx'
import { Legend, Opens, Picture } from './picture.tsx'

export interface Part {
  /** The metric that it is; none where it is what is left. */
  readonly key?: string
  readonly name: string
  readonly values: readonly (number | null)[]
}

export function Stack({
  name,
  unit,
  dates,
  parts,
  period = quarters,
  whole,
  onOpen,
}: {
  name: string
  unit: string
  dates: readonly string[]
  parts: readonly Part[]
  /** What a day is the end of. */
  period?: Period
  /** The metric that all parts are of. */
  whole?: string
  /** Opens what a metric is made of. */
  onOpen?: (metric: string) => void
}) {
  const opening = (metric: string | undefined) => (onOpen && metric ? () => onOpen(metric) : undefined)
  const height = 240
  const last = dates.length - 1
  const total = (i: number): number => parts.reduce((sum, part) => sum + (part.values[i] ?? 0), 0)
  const table = () => ({
    heads: [period.head, ...parts.map((part) => part.name)],
    rows: dates
      .map((date, i) => [period.label(date), ...parts.map((part) => exact(part.values[i], unit))])
      .reverse(),
  })
  const share = (value: number | null | undefined): string => {
    const whole = total(last)
    return whole > 0 ? percent(((value ?? 0) / whole) * 100, 1) : '–'
  }
  const legend = (
    <Legend
      entries={parts.map((part, i) => ({
        ...{ name: part.name, mark: `s${i}` },
        ...{ figure: share(part.values[last]), onOpen: opening(part.key) },
      }))}
    />
  )
  const note = last >= 0 && (
    <>
      <b>
        <Opens
          {...{ name, onOpen: opening(whole) }}
          text={figure(total(last), unit)}
          title={exact(total(last), unit)}
        />
      </b>{' '}
      <span class="mild">{period.label(dates[last]!)}</span>
    </>
  )
  return (
    <Picture name={name} note={note} legend={legend} table={table} height={height}>
      {(width) => {
        const [top, right, bottom, left] = [6, 8, 20, 48]
        const x = scaleBand(dates, [left, width - right]).paddingInner(dates.length > 30 ? 0 : 0.15)
        const highest = Math.max(1, ...dates.map((_, i) => total(i)))
        const y = scaleLinear([0, highest], [height - bottom, top]).nice(4)
        const layers = stack<number, number>()
          .keys(parts.map((_, i) => i))
          .value((i, part) => Math.max(parts[part]!.values[i] ?? 0, 0))(dates.map((_, i) => i))
        return (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={`${name} by ${period.head.toLowerCase()}, stacked`}
          >
            <FigureAxis scale={y} unit={unit} left={left} right={width - right} />
            {layers.map((layer) => (
              <g key={layer.key} class={`fill s${layer.key}`}>
                {layer.map(([from, to], i) => (
                  <rect
                    key={dates[i]}
                    x={x(dates[i]!)!}
                    width={x.bandwidth()}
                    y={y(to)}
                    height={Math.max(0, y(from) - y(to))}
                  >
                    <title>{`${parts[layer.key]!.name}, ${period.label(dates[i]!)}: ${short(parts[layer.key]!.values[i], unit)}`}</title>
                  </rect>
                ))}
              </g>
            ))}
            <TimeAxis
              place={(date) => {
                const from = x(date)
                return from === undefined ? undefined : from + x.bandwidth() / 2
              }}
              {...{ period, left, height, right: width - right, first: dates[0]!, last: dates[last]! }}
            />
          </svg>
        )
      }}
    </Picture>
  )
}
