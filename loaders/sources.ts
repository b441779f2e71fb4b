import { declaredSources } from '../sql/sources/index.ts'
import { isItemSource } from '../sql/sources/items.ts'
import { declaredSource } from './declared/load.ts'
import { itemLoader } from './items/load.ts'
import type { Source } from './lib/source.ts'

/** All sources, in the order in which a reader should meet them. */
export const sources = declaredSources.map((source) =>
  isItemSource(source) ? itemLoader(source) : declaredSource(source),
) as unknown as readonly Source[]

/** The declaration of a source by its key. */
export function findSource(key: string): Source | undefined {
  return sources.find((source) => source.key === key)
}
