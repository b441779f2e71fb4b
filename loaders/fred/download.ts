import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { downloadAll } from '../lib/download-all.ts'
import type { Progress } from '../lib/progress.ts'
import type { Refusal } from '../lib/source.ts'
import { fetchedSeries, restrictedSeries } from './catalog.ts'

/** Fetches the catalog's series whose publishers let others hand them on; names the others. */
export function downloadFred(
  folder: string,
  progress: Progress,
  refuse?: (refusal: Refusal) => void,
): Promise<string[]> {
  const { fredUrl } = readConfig(process.env)
  const left = restrictedSeries.map(({ id, publisher }) => `${id} (${publisher})`).join(', ')
  progress.note(`left to you to load, as their publishers forbid handing them on: ${left}`)
  const wanted = fetchedSeries.map(({ id }) => ({
    url: `${fredUrl}/graph/fredgraph.csv?id=${id}`,
    path: join(folder, `${id}.csv`),
  }))
  return downloadAll(wanted, progress, refuse)
}
