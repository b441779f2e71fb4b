/** The axes of pictures: of figures, with its lines across the picture, and of time. */
import type { ScaleLinear } from 'd3-scale'
import { ticks } from '../lib/numbers.ts'
import type { Period } from '../lib/periods.ts'

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

/** Pixels of a letter, and of the mark above it. */
const [LETTER, MARK] = [6.8, 4]
/** Letters that are left free between two names. */
const FREE = 3

/** The axis of time: a mark at each day that it names. */
export function TimeAxis({
  place,
  period,
  first,
  last,
  left,
  right,
  height,
}: {
  /** From an ISO day to pixels; undefined where it has none. */
  place: (date: string) => number | undefined
  period: Period
  /** ISO days, between which days are named. */
  first: string
  last: string
  left: number
  right: number
  /** Of the picture, at whose foot the names stand. */
  height: number
}) {
  const most = Math.max(2, Math.floor((right - left) / ((period.letters + FREE) * LETTER)))
  return (
    <>
      {period.marks(first, last, most).map(({ date, text }) => {
        const x = place(date)
        if (x === undefined) return null
        // a name at the edge stays within the picture
        const end = right + 8 - (text.length * LETTER) / 2
        return (
          <g key={date}>
            <line class="mark-line" x1={x} x2={x} y1={height - 20} y2={height - 20 + MARK} />
            <text class="tick" x={Math.min(x, end)} y={height - 4} text-anchor="middle">
              {text}
            </text>
          </g>
        )
      })}
    </>
  )
}
