/** A table of many rows of which only those in sight are on the page. */
import { elementScroll, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import { observeOffset } from './offset.ts'

const ROW_PIXELS = 34
/** Of three lines, where the screen is narrow. */
const TALL_ROW_PIXELS = 62
const NARROW = '(max-width: 40rem)'
/** Letters of a head that takes a wider column to be read. */
const LONG = 40
/** Of the rows on paper, some forty pages. */
const MOST_PRINTED = 2_000

export interface GridColumn {
  readonly key: string
  readonly label: string
  readonly title?: string
  readonly number: boolean
  /** On a narrow screen it stands below the first column, which leaves room for figures. */
  readonly below?: boolean
  /** The cell of a row of the data. */
  readonly cell: (row: number) => ComponentChildren
}

export function Grid({
  name,
  columns,
  rows,
  sort,
  onSort,
}: {
  name: string
  columns: readonly GridColumn[]
  /** Rows of the data, in the order shown. */
  rows: ArrayLike<number>
  /** A column, with `-` before it where the largest is first. */
  sort: string
  onSort: (sort: string) => void
}) {
  const frame = useRef<HTMLElement>(null)
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const holder = useRef<Virtualizer<HTMLElement, HTMLElement> | null>(null)
  const small = useMedia(NARROW)
  const narrow = small && columns.some(({ below }) => below)
  const printed = useMedia('print')
  const options = {
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (narrow ? TALL_ROW_PIXELS : ROW_PIXELS),
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset: observeOffset,
    onChange: () => redraw(0),
  }
  holder.current ??= new Virtualizer<HTMLElement, HTMLElement>(options)
  const virtualizer = holder.current
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [])
  useLayoutEffect(() => virtualizer._willUpdate())
  useLayoutEffect(() => virtualizer.measure(), [narrow])
  const [first, ...others] = arranged(columns, sort, narrow)
  useSorted(frame, narrow, sort)
  useAdded(frame, columns.length)
  const items = virtualizer.getVirtualItems()
  const seen = printed
    ? Array.from({ length: Math.min(rows.length, MOST_PRINTED) }, (_, index) => index)
    : items.map(({ index }) => index)
  const above = printed ? 0 : (items[0]?.start ?? 0)
  const below = printed ? 0 : virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class={narrow ? 'rows narrow' : 'rows'} ref={frame} tabIndex={0} aria-label={name}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {[first!, ...others].map((stack) => (
              <th
                scope="col"
                key={stack[0]!.key}
                class={stack[0]!.number ? 'number' : undefined}
                aria-sort={directionOf(stack, sort)}
              >
                {stack.map((column) => (
                  <SortButton key={column.key} {...{ column, sort, onSort }} />
                ))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr class="gap" style={{ height: `${above}px` }} />}
          {seen.map((index) => {
            const row = rows[index]!
            return (
              <tr key={row} aria-rowindex={index + 2}>
                <th scope="row">
                  {first!.map((column) => (
                    <div key={column.key}>{column.cell(row)}</div>
                  ))}
                </th>
                {others.map(([column]) => (
                  <td key={column!.key} class={column!.number ? 'number' : undefined}>
                    {column!.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          {below > 0 && <tr class="gap" style={{ height: `${below}px` }} />}
        </tbody>
      </table>
      {printed && rows.length > MOST_PRINTED && (
        <p class="mild">
          The first {MOST_PRINTED.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')} rows.
        </p>
      )}
    </section>
  )
}

/** Columns as they stand beside each other; what stands in one, the upper one first. */
type Stack = readonly GridColumn[]

/** On a narrow screen the first has what stands below it, and what the rows are sorted by is next. */
function arranged(columns: readonly GridColumn[], sort: string, narrow: boolean): Stack[] {
  if (!narrow) return columns.map((column) => [column])
  const [first, ...others] = columns.filter(({ below }) => !below)
  const sorted = others.filter(({ key }) => key === sort.replace('-', ''))
  return [
    [first!, ...columns.filter(({ below }) => below)],
    ...[...new Set([...sorted, ...others])].map((column) => [column]),
  ]
}

function directionOf(stack: Stack, sort: string): 'descending' | 'ascending' | 'none' {
  if (stack.some(({ key }) => sort === `-${key}`)) return 'descending'
  return stack.some(({ key }) => sort === key) ? 'ascending' : 'none'
}

function SortButton({
  column: { key, label, title, number },
  sort,
  onSort,
}: {
  column: GridColumn
  sort: string
  onSort: (sort: string) => void
}) {
  const [down, up] = [sort === `-${key}`, sort === key]
  // figures begin with the largest, words with A
  const next = number ? (down ? key : `-${key}`) : up ? `-${key}` : key
  return (
    <button
      type="button"
      class={`${down || up ? 'sorted' : ''} ${label.length > LONG ? 'long' : ''}`}
      title={title}
      onClick={() => onSort(next)}
    >
      <span>
        {label}
        <span class="arrow" aria-hidden="true">
          {down ? '\u00a0↓' : up ? '\u00a0↑' : ''}
        </span>
      </span>
    </button>
  )
}

/** What the rows are sorted by is brought into sight; where it moved beside the first column, its button keeps the focus. */
function useSorted(frame: { current: HTMLElement | null }, narrow: boolean, sort: string): void {
  const focused = useRef<Element | null>(null)
  const held = frame.current?.querySelector('thead button:focus')
  if (held) focused.current = held
  useLayoutEffect(() => {
    const { current: grid } = frame
    const head = grid?.querySelector<HTMLElement>('th[aria-sort$=ending]')
    if (!grid || !head) return
    if (!narrow) {
      const beyond = head.offsetLeft + head.offsetWidth - (grid.scrollLeft + grid.clientWidth)
      if (beyond > 0) grid.scrollLeft += beyond
      return
    }
    grid.scrollLeft = 0
    if (document.activeElement === document.body && focused.current instanceof HTMLElement)
      focused.current.focus({ preventScroll: true })
    focused.current = null
  }, [sort, narrow])
}

/** What is added stands last: it is brought into sight. */
function useAdded(frame: { current: HTMLElement | null }, count: number): void {
  const before = useRef(count)
  useLayoutEffect(() => {
    if (count > before.current) frame.current!.scrollLeft = frame.current!.scrollWidth
    before.current = count
  }, [count])
}

/** Whether a media query holds, as it changes: a narrow screen, or paper, where nothing scrolls. */
function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const change = (): void => setHolds(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [query])
  return holds
}
