import { compile, type Formula, type Plan } from '../formula/index.ts'
import { type Concept, concepts, isKnownItem, metrics } from '../formula/metrics/index.ts'
import { derivedItems } from '../formula/metrics/terms.ts'

/** What is worked out for every filing, in the order of `bank_figures.figures`: the catalog, then the concepts. */
export const figures: readonly Concept[] = [...metrics, ...concepts]

/** As the compiler takes them. */
export const formulas: readonly Formula[] = figures.map(({ key, formula }) => ({
  key: `m:${key}`,
  source: formula,
}))

/** The plan of some metrics or concepts, by key, for the filings of any quarter. */
export const planOf = (keys: readonly string[]): Plan =>
  compile({ formulas, outputs: keys.map((key) => `m:${key}`), items: isKnownItem })

/** The plan of all of them. */
export const plan: Plan = planOf(figures.map(({ key }) => key))

/** The deepest look-back at which an item is needed. */
const depth = new Map<string, number>()
for (const { item, offset } of plan.inputs) depth.set(item, Math.max(offset, depth.get(item) ?? 0))

const depthOf = (item: string) => depth.get(item) ?? 0

/** Items that show mergers, see `poolings.ts`. */
const mergerItems = ['RCFD2170', 'RCON2170', 'RCFD3210', 'RCON3210', 'RIAD4107', 'RIAD4356']

/**
 * Items that a filing is pivoted to, in the order of `filing_values.values`: those looked back on the farthest come
 * first, so that an earlier filing is needed only up to `valuesNeeded`.
 */
export const filedItems: readonly string[] = [...new Set([...plan.items, ...mergerItems])]
  .filter((item) => !derivedItems.includes(item))
  .sort((a, b) => depthOf(b) - depthOf(a) || (a < b ? -1 : 1))

/** How many of a filing's values are needed that many quarters later. */
export const valuesNeeded = (quartersLater: number): number =>
  filedItems.filter((item) => depthOf(item) >= quartersLater).length

/** Quarters that a quarter's figures look back on, ascending, itself (0) first. */
export const lookBack: readonly number[] = plan.offsets

const positions = new Map(figures.map(({ key }, index) => [key, index + 1]))

/** 1-based position in `bank_figures.figures`. */
export function figurePosition(key: string): number {
  const position = positions.get(key)
  if (position === undefined) throw new Error(`no metric or concept ${key}`)
  return position
}
