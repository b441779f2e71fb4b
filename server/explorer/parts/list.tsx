/** Short tables and links. */
import type { ComponentChildren } from 'preact'
import { type FigureRow, Figures, type Head } from '../pictures/figures.tsx'

/** A short table: a name first, then figures or words. On a narrow screen it scrolls to the side. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="wide" tabIndex={0} aria-label={name}>
      <Figures heads={heads} rows={rows} />
    </section>
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
