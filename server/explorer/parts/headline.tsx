/** An institution's headline figures, each with its place in its cohort. */
import type { ComponentChildren } from 'preact'
import { called } from '../lib/headline.ts'
import { exact, type Figure, figure, ordinal } from '../lib/numbers.ts'
import { PercentileBar } from '../pictures/columns.tsx'

export interface Tile {
  readonly key: string
  readonly label: string
  readonly unit: string
  readonly value: Figure
  /** Undefined where nothing is ranked. */
  readonly percentile?: number | null
  readonly note?: ComponentChildren
}

export function Tiles({
  tiles,
  cohort,
  onOpen,
}: {
  tiles: readonly Tile[]
  /** Those that it is ranked among, in a sentence. */
  cohort?: string
  /** Opens where a figure comes from. */
  onOpen?: (metric: string) => void
}) {
  return (
    <dl class="tiles">
      {tiles.map(({ key, label, unit, value, percentile, note }) => (
        <div key={key}>
          <dt>{called({ key, label })}</dt>
          <dd title={exact(value, unit)}>
            {onOpen ? (
              <button
                type="button"
                aria-label={`${figure(value, unit)}: where ${label} comes from`}
                onClick={() => onOpen(key)}
              >
                {figure(value, unit)}
              </button>
            ) : (
              figure(value, unit)
            )}
            {percentile !== undefined && (
              <>
                <PercentileBar percentile={percentile} of={cohort ?? 'all'} />
                {percentile !== null && <small>{ordinal(percentile)} percentile</small>}
              </>
            )}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
