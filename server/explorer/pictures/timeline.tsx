/** What happened, along the years: a mark an event, those of about the same time upon each other. */
import { scaleUtc } from 'd3-scale'
import { day, iso } from '../lib/numbers.ts'
import { days } from '../lib/periods.ts'
import { TimeAxis } from './axis.tsx'
import { Legend, Picture } from './picture.tsx'

/** Pixels of a mark, with what is left free beside it. */
const [WIDE, HIGH, FREE] = [6, 9, 2]

export interface Happening {
  readonly key: string
  /** An ISO day. */
  readonly date: string
  /** In words, as the table and the tooltip have it. */
  readonly text: string
  /** One of `groups`. */
  readonly group: string
}

export function Timeline({
  name,
  groups,
  happenings,
}: {
  name: string
  /** In the order of their colours. */
  groups: readonly string[]
  happenings: readonly Happening[]
}) {
  const height = 110
  const newestFirst = [...happenings].sort((a, b) => b.date.localeCompare(a.date))
  const present = groups.filter((group) => happenings.some((one) => one.group === group))
  const table = () => ({
    heads: ['Event', 'Day', 'Kind'],
    rows: newestFirst.map(({ text, date, group }) => [text, day(date), group]),
  })
  return (
    <Picture
      name={name}
      note={<span class="mild">a mark an event</span>}
      legend={
        <Legend entries={present.map((group) => ({ name: group, mark: `s${groups.indexOf(group)}` }))} />
      }
      table={table}
      height={height}
    >
      {(width) => {
        const times = newestFirst.map(({ date }) => Date.parse(date))
        const [left, right, bottom] = [8, width - 14, height - 20]
        // a single day is no span
        const [from, to] = [Math.min(...times), Math.max(...times, Math.min(...times) + 365 * 86_400_000)]
        const x = scaleUtc([from, to], [left, right])
        const columns = new Map<number, Happening[]>()
        for (const one of newestFirst) {
          const column = Math.round(x(Date.parse(one.date)) / (WIDE + FREE))
          columns.set(column, [...(columns.get(column) ?? []), one])
        }
        const most = Math.max(...[...columns.values()].map(({ length }) => length))
        const step = Math.min(HIGH + FREE, (bottom - 6) / most)
        return (
          <svg width={width} height={height} role="img" aria-label={name}>
            <line class="grid" x1={0} x2={width} y1={bottom} y2={bottom} />
            <TimeAxis
              place={(date) => x(Date.parse(date))}
              period={days}
              first={iso(from)}
              last={iso(to)}
              {...{ left, right, height }}
            />
            {[...columns].flatMap(([column, of]) =>
              of.map((one, i) => (
                <rect
                  key={one.key}
                  class={`fill s${groups.indexOf(one.group)}`}
                  x={column * (WIDE + FREE) - WIDE / 2}
                  width={WIDE}
                  y={bottom - (i + 1) * step}
                  height={Math.max(1, step - FREE)}
                >
                  <title>{`${day(one.date)}: ${one.text}`}</title>
                </rect>
              )),
            )}
          </svg>
        )
      }}
    </Picture>
  )
}
