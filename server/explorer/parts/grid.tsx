/** A table of many rows of which only those in sight are on the page. */
import { elementScroll, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import { observeOffset } from './offset.ts'

const ROW_PIXELS = 34
/** Of the rows on paper, some forty pages. */
const MOST_PRINTED = 2_000

export interface GridColumn {
  readonly key: string
  readonly label: string
  readonly title?: string
  readonly number: boolean
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
  const options = {
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PIXELS,
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
  const printed = usePrinting()
  const items = virtualizer.getVirtualItems()
  const seen = printed
    ? Array.from({ length: Math.min(rows.length, MOST_PRINTED) }, (_, index) => index)
    : items.map(({ index }) => index)
  const above = printed ? 0 : (items[0]?.start ?? 0)
  const below = printed ? 0 : virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="rows" ref={frame} tabIndex={0} aria-label={name}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => {
              const down = sort === `-${column.key}`
              const up = sort === column.key
              return (
                <th
                  scope="col"
                  key={column.key}
                  class={column.number ? 'number' : undefined}
                  aria-sort={down ? 'descending' : up ? 'ascending' : 'none'}
                >
                  <button
                    type="button"
                    title={column.title}
                    onClick={() =>
                      onSort(
                        column.number
                          ? down
                            ? column.key
                            : `-${column.key}`
                          : up
                            ? `-${column.key}`
                            : column.key,
                      )
                    }
                  >
                    {column.label}
                    <span class="arrow" aria-hidden="true">
                      {down ? ' ↓' : up ? ' ↑' : ''}
                    </span>
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr class="gap" style={{ height: `${above}px` }} />}
          {seen.map((index) => {
            const row = rows[index]!
            return (
              <tr key={row} aria-rowindex={index + 2}>
                {columns.map((column, i) =>
                  i === 0 ? (
                    <th scope="row" key={column.key}>
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={column.key} class={column.number ? 'number' : undefined}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
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

/** Whether the page is on its way to paper, where nothing scrolls. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const paper = matchMedia('print')
    const change = (): void => setPrinting(paper.matches)
    paper.addEventListener('change', change)
    return () => paper.removeEventListener('change', change)
  }, [])
  return printing
}
