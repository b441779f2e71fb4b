/** A short table: a name first, then figures or words. */
import { type FigureRow, Figures } from '../pictures/figures.tsx'

export function List({ heads, rows }: { heads: readonly string[]; rows: readonly FigureRow[] }) {
  return (
    <div class="wide">
      <Figures heads={heads} rows={rows} />
    </div>
  )
}
