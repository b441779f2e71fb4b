/** Short tables and links. */
import type { ComponentChildren } from 'preact'
import { type FigureRow, Figures, type Head } from '../pictures/figures.tsx'

/** What may be wider than a narrow screen: there it scrolls to the side, by the keys too. */
export function Wide({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="wide" tabIndex={0} aria-label={name}>
      {children}
    </section>
  )
}

/** A short table: a name first, then figures or words. */
export function List({
  name,
  heads,
  rows,
}: {
  name: string
  heads: readonly Head[]
  rows: readonly FigureRow[]
}) {
  return (
    <Wide name={name}>
      <Figures heads={heads} rows={rows} />
    </Wide>
  )
}

/** A link to a document that somebody else keeps: it opens beside the page, and is not told where from. */
export function Elsewhere({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
