import { hashOf } from '../../sql/hash.ts'
import type { CatalogKey } from './catalog.ts'
import { catalog } from './catalog.ts'
import type { Dataset } from './define.ts'
import { describe } from './describe.ts'

/** sha256 over what the catalog of datasets says: when it changes, `dataset_catalog` must be written anew. */
export function datasetsHash(served: ReadonlyMap<CatalogKey, Dataset>): string {
  const told = catalog.map((entry) => {
    const dataset = served.get(entry.key)
    return dataset ? [entry, describe(dataset)] : entry
  })
  return hashOf(told)
}
