/** How probabilities came true: of banks that were given one, the share that it happened to. */
import { scaleSqrt } from 'd3-scale'
import { exact, figure, percent } from '../lib/numbers.ts'
import { FigureAxis } from './axis.tsx'
import { Picture } from './picture.tsx'

/** Banks of about one probability. Shares are of 1. */
export interface Calibrated {
  readonly predicted: number | null
  readonly observed: number | null
  readonly banks: number
  readonly failures: number
}

export function Calibration({ name, bins }: { name: string; bins: readonly Calibrated[] }) {
  const height = 260
  const points = bins.flatMap(({ predicted, observed, banks, failures }) =>
    predicted === null || observed === null
      ? []
      : [{ predicted: predicted * 100, observed: observed * 100, banks, failures }],
  )
  const table = () => ({
    heads: ['Mean probability', 'Share that failed', 'Bank quarters', 'Before a failure'],
    rows: points.map((one) => [
      exact(one.predicted, 'percent'),
      exact(one.observed, 'percent'),
      exact(one.banks, 'count'),
      exact(one.failures, 'count'),
    ]),
  })
  return (
    <Picture
      name={name}
      note={<span class="mild">share that failed, by probability given; on the line both are the same</span>}
      table={table}
      height={height}
    >
      {(width) => {
        const [top, right, bottom, left] = [8, 14, 20, 48]
        // most banks have next to none, which is drawn apart
        const most = Math.max(1, ...points.flatMap(({ predicted, observed }) => [predicted, observed]))
        const x = scaleSqrt([0, most], [left, width - right])
        const y = scaleSqrt([0, most], [height - bottom, top])
        return (
          <svg width={width} height={height} role="img" aria-label={name}>
            <FigureAxis scale={y} unit="percent" left={left} right={width - right} />
            {x.ticks(Math.max(2, Math.floor(width / 110))).map((value) => (
              <text key={value} class="tick" x={x(value)} y={height - 5} text-anchor="middle">
                {percent(value)}
              </text>
            ))}
            <line class="line median" x1={x(0)} y1={y(0)} x2={x(most)} y2={y(most)} />
            {points.map((one) => (
              <circle key={one.predicted} class="dot s0" r={4.5} cx={x(one.predicted)} cy={y(one.observed)}>
                <title>
                  {`given ${figure(one.predicted, 'percent')}, failed ${figure(one.observed, 'percent')}: ${figure(one.failures, 'count')} of ${figure(one.banks, 'count')}`}
                </title>
              </circle>
            ))}
          </svg>
        )
      }}
    </Picture>
  )
}
