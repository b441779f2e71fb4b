/** A yield curve: a point a tenor, the short ones apart from each other. */
import { scaleLinear, scalePow } from 'd3-scale'
import { line } from 'd3-shape'
import { exact, figure } from '../lib/numbers.ts'
import { FigureAxis } from './axis.tsx'
import { Legend, Picture } from './picture.tsx'

export interface Curve {
  readonly name: string
  readonly points: readonly { readonly tenor: string; readonly months: number; readonly yield: number }[]
}

/** Tenors that have room to be named. */
const named = new Set(['3M', '1Y', '2Y', '5Y', '7Y', '10Y', '20Y', '30Y'])

export function YieldCurve({ name, curves }: { name: string; curves: readonly Curve[] }) {
  const height = 240
  const all = curves.flatMap(({ points }) => points)
  const tenors = [...new Map(all.map((point) => [point.tenor, point.months]))].sort((a, b) => a[1] - b[1])
  const table = () => ({
    heads: ['Tenor', ...curves.map((one) => one.name)],
    rows: tenors.map(([tenor]) => [
      tenor,
      ...curves.map(({ points }) => exact(points.find((point) => point.tenor === tenor)?.yield, 'percent')),
    ]),
  })
  return (
    <Picture
      name={name}
      note={<span class="mild">percent, by time to maturity</span>}
      legend={
        curves.length > 1 && <Legend entries={curves.map((one, i) => ({ name: one.name, mark: `s${i}` }))} />
      }
      table={table}
      height={height}
    >
      {(width) => {
        const [top, right, bottom, left] = [6, 14, 20, 40]
        const x = scalePow(
          [0, Math.max(...tenors.map(([, months]) => months))],
          [left, width - right],
        ).exponent(0.45)
        const yields = all.map((point) => point.yield)
        const y = scaleLinear([Math.min(...yields), Math.max(...yields)], [height - bottom, top]).nice(4)
        const path = line<Curve['points'][number]>()
          .x((point) => x(point.months))
          .y((point) => y(point.yield))
        return (
          <svg width={width} height={height} role="img" aria-label={name}>
            <FigureAxis scale={y} unit="percent" left={left} right={width - right} />
            {tenors
              .filter(([tenor]) => named.has(tenor))
              .map(([tenor, months]) => (
                <text key={tenor} class="tick" x={x(months)} y={height - 5} text-anchor="middle">
                  {tenor}
                </text>
              ))}
            {[...curves].reverse().map((curve) => {
              const mark = `s${curves.indexOf(curve)}`
              return (
                <g key={curve.name}>
                  <path class={`line ${mark}`} d={path([...curve.points]) ?? ''} />
                  {curve.points.map((point) => (
                    <circle
                      key={point.tenor}
                      class={`dot ${mark}`}
                      r={3}
                      cx={x(point.months)}
                      cy={y(point.yield)}
                    >
                      <title>{`${point.tenor}: ${figure(point.yield, 'percent')}`}</title>
                    </circle>
                  ))}
                </g>
              )
            })}
          </svg>
        )
      }}
    </Picture>
  )
}
