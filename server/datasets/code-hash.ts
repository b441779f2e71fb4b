import { createHash } from 'node:crypto'
import type { CatalogKey } from './catalog.ts'
import { catalog } from './catalog.ts'
import type { Dataset } from './define.ts'

/** sha256 over what the catalog of datasets says: when it changes, `dataset_catalog` must be written anew. */
export function datasetsHash(served: ReadonlyMap<CatalogKey, Dataset>): string {
  const told = catalog.map((entry) => {
    const dataset = served.get(entry.key)
    if (!dataset) return entry
    const { summary, notes, sources, examples, parameters, allColumns, columns } = dataset
    const described = Object.entries(parameters).map(([name, { doc, default: fallback }]) => [
      name,
      doc,
      fallback,
    ])
    return [entry, summary, notes, sources, examples, described, columns, [...allColumns.values()]]
  })
  return createHash('sha256').update(JSON.stringify(told)).digest('hex')
}
