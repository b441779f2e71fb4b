/** The axis of figures, with its lines across the picture. */
import type { ScaleLinear, ScaleTime } from 'd3-scale'
import { ticks } from '../lib/numbers.ts'

export function FigureAxis({
  scale,
  unit,
  left,
  right,
}: {
  scale: ScaleLinear<number, number>
  unit: string | undefined
  left: number
  right: number
}) {
  const values = scale.ticks(4)
  const texts = ticks(values, unit)
  return (
    <>
      {values.map((value, i) => (
        <g key={value} transform={`translate(0,${scale(value)})`}>
          <line class="grid" x1={left} x2={right} />
          <text class="tick" x={left - 6} dy="0.32em" text-anchor="end">
            {texts[i]}
          </text>
        </g>
      ))}
    </>
  )
}

const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** Years, or months with their year: of ticks within one month the first is named. */
export function TimeAxis({
  scale,
  width,
  height,
}: {
  scale: ScaleTime<number, number>
  width: number
  height: number
}) {
  const ticks = scale.ticks(Math.max(2, Math.floor(width / 90))).map((date) => {
    const year = date.getUTCFullYear()
    const text = date.getUTCMonth() === 0 ? String(year) : `${months.format(date)} ’${String(year).slice(2)}`
    return { text, x: scale(date) }
  })
  return (
    <>
      {ticks
        .filter(({ text }, i) => text !== ticks[i - 1]?.text)
        .map(({ text, x }) => (
          <text key={text} class="tick" x={x} y={height - 5} text-anchor="middle">
            {text}
          </text>
        ))}
    </>
  )
}
