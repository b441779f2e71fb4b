import { alertsHash, writeAlerts } from '../sql/alerts/index.ts'
import { entitiesHash, writeEntities } from '../sql/entities/index.ts'
import { eventsHash, writeEvents } from '../sql/events/index.ts'
import { filingsHash, writeFilings } from '../sql/filings/index.ts'
import { insidersHash, writeInsiders } from '../sql/insiders/index.ts'
import { registrantsHash, writeRegistrants } from '../sql/registrants/index.ts'
import { linkedTables } from '../sql/sources/index.ts'
import { catalogHash, changedIn, derive, universes } from '../sql/universes/index.ts'
import { watchedHash, writeWatched } from '../sql/watched/index.ts'
import { datasetsHash } from './catalog/code-hash.ts'
import { loadDatasets } from './catalog/registry.ts'
import { writeCatalogs } from './catalog/write-catalogs.ts'
import type { Build } from './engine/build.ts'

/** Quarters of which a source's filings were loaded, replaced or removed. */
export type ChangedBySource = Readonly<Record<string, readonly string[]>>

/** What turns loaded rows into what is served. */
export interface Publishing {
  /**
   * Works out what follows from the rows of a build.
   * @param changed by source, the quarters whose filings are others
   * @param progress is told each step, with the share that is done where that is known
   */
  derive(
    build: Build,
    changed: ChangedBySource,
    progress: { step(name: string, fraction?: number): void },
  ): Promise<unknown>
  hooks?: readonly ((build: Build) => Promise<unknown>)[]
  codeHashExtra?: string
  /** Of migrations and views, where they are not the project's. */
  sqlFolder?: string
}

/** How every publish of the project is made, by a load as by a start: figures and catalogs of this code. */
export const publishing: Publishing = {
  derive: (build, changed, progress) =>
    derive(build, changedIn(universes, changed), (step, done) => progress.step(step, done)),
  hooks: [
    (build) => writeEntities(build, universes, linkedTables),
    writeEvents,
    writeRegistrants,
    writeFilings,
    writeInsiders,
    writeWatched,
    (build) => writeAlerts(build, build.base?.publishedAt ?? null),
    writeCatalogs,
  ],
  codeHashExtra: `${catalogHash} ${datasetsHash(await loadDatasets())} ${entitiesHash(universes, linkedTables)} ${eventsHash} ${registrantsHash} ${filingsHash} ${insidersHash} ${watchedHash} ${alertsHash}`,
}
