/** The frame of every picture: its name, its size, and its table one key away. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Figures } from './figures.tsx'

/** What a picture shows, in words and figures. */
export interface TableOf {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export function Picture({
  name,
  note,
  legend,
  table,
  height,
  small,
  children,
}: {
  name: string
  /** Beside the name: the figure under the cursor, or the unit. */
  note?: ComponentChildren
  legend?: ComponentChildren
  table: () => TableOf
  height: number
  small?: boolean
  /** Draws for a width in pixels. */
  children: (width: number) => ComponentChildren
}) {
  const [asTable, setAsTable] = useState(false)
  const [frame, width] = useWidth<HTMLDivElement>()
  const id = useId()
  return (
    <figure class={small ? 'picture small' : 'picture'} aria-labelledby={id}>
      <figcaption>
        <span class="name" id={id}>
          {name}
        </span>
        <button
          type="button"
          class="quiet"
          aria-pressed={asTable}
          aria-label={`Table of ${name}`}
          onClick={() => setAsTable(!asTable)}
        >
          Table
        </button>
      </figcaption>
      <div class="note-line">{note}</div>
      {asTable ? (
        <FigureTable name={name} table={table()} />
      ) : (
        <div ref={frame} class="canvas" style={{ minHeight: `${height}px` }}>
          {width > 0 && children(width)}
        </div>
      )}
      {legend}
    </figure>
  )
}

/** A table that can be read by whoever does not see the picture. */
export function FigureTable({ name, table }: { name: string; table: TableOf }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="wide short" tabIndex={0} aria-label={name}>
      <Figures heads={table.heads} rows={table.rows.map((cells, i) => ({ key: String(i), cells }))} />
    </section>
  )
}

/** The width that an element has on the page, as it changes. */
export function useWidth<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = (): void => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  })
  return [ref, width] as const
}

/** A figure that opens what it is made of, where that can be told. */
export function Opens({
  name,
  text,
  title,
  onOpen,
}: {
  /** Of what, as the picture calls it. */
  name: string
  text: string
  title?: string
  onOpen: (() => void) | undefined
}) {
  if (!onOpen) return <span title={title}>{text}</span>
  return (
    <button
      type="button"
      class="opens"
      title={title}
      aria-label={`${text}: what ${name} is made of`}
      onClick={onOpen}
    >
      {text}
    </button>
  )
}

export interface LegendEntry {
  readonly name: string
  /** Where the name is a shorter one. */
  readonly full?: string
  readonly mark: string
  /** Beside the name. */
  readonly figure?: string
  readonly onOpen?: (() => void) | undefined
}

export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <ul class="legend">
      {entries.map(({ name, full, mark, figure, onOpen }) => (
        <li key={full ?? name} title={full}>
          <span class={`mark ${mark}`} aria-hidden="true" />
          {name} {figure && <Opens {...{ name, onOpen }} text={figure} />}
        </li>
      ))}
    </ul>
  )
}
