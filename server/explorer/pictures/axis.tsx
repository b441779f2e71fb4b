/** The axis of figures, with its lines across the picture. */
import type { ScaleLinear } from 'd3-scale'
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
