/** What a composite leaves out for a plan: each part of it stands under the tier of its own dataset. */
import { type ClientPlan, mayRead, planFor } from '../access/plans.ts'
import { type CatalogKey, catalogEntry } from '../catalog/catalog.ts'
import type { Dataset } from '../catalog/define.ts'

/** A part that is null for who asks, as `meta.left_out` tells it. */
export interface LeftOut {
  readonly part: string
  readonly dataset: CatalogKey
  readonly reason: string
}

const nothing: readonly LeftOut[] = []

export const leftOutFor = ({ parts }: Dataset, plan: ClientPlan): readonly LeftOut[] =>
  parts === undefined
    ? nothing
    : Object.entries(parts).flatMap(([part, { dataset }]) => {
        const { tier } = catalogEntry(dataset)!
        return mayRead(plan, tier)
          ? []
          : [{ part, dataset, reason: `is of the tier ${tier}: for ${planFor(tier)} keys` }]
      })

/** Whether its answers differ by plan: then a URL alone does not identify one. */
export const differsByPlan = (dataset: Dataset): boolean =>
  leftOutFor(dataset, planFor(dataset.tier)).length > 0
