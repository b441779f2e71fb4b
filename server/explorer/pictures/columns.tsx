/** Columns, one a year. */
import { scaleBand, scaleLinear } from 'd3-scale'
import { exact, figure } from '../lib/numbers.ts'
import { years } from '../lib/periods.ts'
import { FigureAxis, TimeAxis } from './axis.tsx'
import { Picture } from './picture.tsx'

export function Bars({
  name,
  unit,
  entries,
  note,
  height = 200,
}: {
  name: string
  unit: string
  /** Years, the first one first. */
  entries: readonly { readonly label: string; readonly value: number | null }[]
  note?: string
  height?: number
}) {
  const table = () => ({
    heads: [years.head, name],
    rows: entries.map(({ label, value }) => [label, exact(value, unit)]),
  })
  return (
    <Picture name={name} note={<span class="mild">{note}</span>} table={table} height={height}>
      {(width) => {
        const [top, right, bottom, left] = [6, 8, 20, 48]
        const x = scaleBand(
          entries.map(({ label }) => label),
          [left, width - right],
        ).paddingInner(entries.length > 60 ? 0 : 0.15)
        const values = entries.map(({ value }) => value ?? 0)
        const y = scaleLinear(
          [Math.min(0, ...values), Math.max(1e-9, ...values)],
          [height - bottom, top],
        ).nice(4)
        return (
          <svg width={width} height={height} role="img" aria-label={name}>
            <FigureAxis scale={y} unit={unit} left={left} right={width - right} />
            <g class="fill s0">
              {entries.map(({ label, value }) => (
                <rect
                  key={label}
                  x={x(label)!}
                  width={x.bandwidth()}
                  y={Math.min(y(0), y(value ?? 0))}
                  height={Math.abs(y(0) - y(value ?? 0))}
                >
                  <title>{`${label}: ${figure(value, unit)}`}</title>
                </rect>
              ))}
            </g>
            {entries.length > 0 && (
              <TimeAxis
                place={(date) => {
                  const from = x(years.label(date))
                  return from === undefined ? undefined : from + x.bandwidth() / 2
                }}
                period={years}
                first={`${entries[0]!.label}-12-31`}
                last={`${entries.at(-1)!.label}-12-31`}
                {...{ left, height, right: width - right }}
              />
            )}
          </svg>
        )
      }}
    </Picture>
  )
}

/** Where a value stands among a group: a mark on a line from 0 to 100. */
export function PercentileBar({ percentile, of }: { percentile: number | null; of: string }) {
  if (percentile === null) return <span class="percentile none mild">no rank</span>
  return (
    <svg
      class="percentile"
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={`percentile ${percentile.toFixed(0)} of ${of}`}
    >
      <rect class="track" x="0" y="3" width="100" height="2" />
      <rect class="track strong" x="25" y="3" width="50" height="2" />
      <rect class="pin" x={Math.min(98.5, Math.max(0, percentile - 0.75))} y="0" width="1.5" height="8" />
    </svg>
  )
}
