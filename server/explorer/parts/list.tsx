/** Short tables and links. */
import type { ComponentChildren } from 'preact'
import { type FigureRow, Figures } from '../pictures/figures.tsx'

/** A short table: a name first, then figures or words. */
export function List({ heads, rows }: { heads: readonly string[]; rows: readonly FigureRow[] }) {
  return (
    <div class="wide">
      <Figures heads={heads} rows={rows} />
    </div>
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
