/** Which files make the history of one data version, and what is read of them. */
import type { Universe } from '../../../sql/derive/universe.ts'
import type { Format } from '../../formats/names.ts'
import type { Selection } from '../../query/selection.ts'
import type { Held } from '../table.ts'
import type { Span } from './disk.ts'
import type { HeldPanel } from './panel.ts'
import { Panels } from './panels.ts'
import type { FilesOf, Look, Looking, VersionFiles } from './partitions.ts'
import { Series } from './series.ts'

export class VersionHistory implements Looking {
  readonly #files: VersionFiles
  readonly #series: readonly Series[]
  readonly #panels: readonly Panels[]

  constructor(look: Look, universes: readonly Universe[]) {
    this.#files = look.files
    this.#series = universes.map((universe) => new Series(look, universe))
    this.#panels = universes
      .filter(({ inOrderOf }) => Object.keys(inOrderOf).length > 0)
      .map((universe) => new Panels(look, universe))
  }

  /** Opens or writes its files, in place of those of other versions. */
  take(): Promise<void> {
    return this.#files.take(this)
  }

  /** The series that a selection asks for, where it is of one institution and all files are open that it needs. */
  holding = (selection: Selection): Held | undefined => first(this.#series, (one) => one.holding(selection))

  /** The panel that a selection asks for, where all files are open that it needs. */
  panel = (selection: Selection, format: Format): HeldPanel | undefined =>
    first(this.#panels, (one) => one.panel(selection, format))

  /** Finds which files there are to be, as far as there is room for them. @returns in the order in which they are made */
  async look(room: number): Promise<readonly Span[]> {
    const all: Span[] = []
    let left = room
    for (const files of [...this.#series, ...this.#panels] as readonly FilesOf[]) {
      const found = await files.look(left)
      all.push(...found.spans)
      left = found.left
    }
    return all
  }
}

function first<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}
