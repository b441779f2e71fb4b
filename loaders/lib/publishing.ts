import { datasetsHash } from '../../server/datasets/code-hash.ts'
import { loadDatasets } from '../../server/datasets/registry.ts'
import { writeCatalogs } from '../../server/datasets/write-catalogs.ts'
import { catalogHash, derive } from '../../sql/derive/index.ts'
import type { Publishing } from './run.ts'

/** How every publish of the project is made, by a load as by a start: figures and catalogs of this code. */
export const publishing: Publishing = {
  derive: (build, changed, progress) => derive(build, changed, (step, done) => progress.step(step, done)),
  hooks: [writeCatalogs],
  codeHashExtra: `${catalogHash} ${datasetsHash(await loadDatasets())}`,
}
