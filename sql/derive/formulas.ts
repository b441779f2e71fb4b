import { type CompileOptions, compile, type Formula, type FormulaPlan } from '../formula/index.ts'
import { quarterOf } from '../quarter.ts'
import type { Whole } from './shards.ts'

/** Items that are not filed but computed in SQL: `report_date`, the id, and `computed`, an array in their order. */
export interface Computed {
  items: readonly string[]
  /** @param whole of tables whose rows of other institutions are read too */
  sql(quarters: readonly string[], whole: Whole): string
}

/** Formulas that are computed together for every filing. */
export interface FormulaSet {
  formulas: readonly Formula[]
  /** Keys of those that are kept, in the order of the arrays. */
  outputs: readonly string[]
  /** Which codes of items may be named. */
  known: (code: string) => boolean
  /** Table of the filings as arrays of the items that the formulas need. */
  filings: string
  computed?: Computed | undefined
  /** Items that are pivoted beside those. */
  besides?: readonly string[] | undefined
  /** SQL of an item's value where formulas take another than was filed, over SQL of the code and of the value. */
  taken?: (code: string, value: string) => string
  /** Formulas that ask for dates: a statement's plan is made for its quarters, which are then of one quarter of the year. */
  dated?: boolean
}

/** Most quarters per statement: planning is shared by as many as memory allows. */
const quartersAtOnce = { dated: 4, anyDate: 10 }

/** The items that filings are pivoted to, and the compiled formulas: made when first needed. */
export class Formulas {
  readonly set: FormulaSet
  #items: readonly string[] | undefined
  #plan: FormulaPlan | undefined

  constructor(set: FormulaSet) {
    this.set = set
  }

  /** The plan for the filings of any quarter. */
  get plan(): FormulaPlan {
    this.#plan ??= this.planOf(this.set.outputs)
    return this.#plan
  }

  /** The plan for the filings of some quarters. */
  planFor(quarters: readonly string[]): FormulaPlan {
    return this.set.dated ? this.planOf(this.set.outputs, { reportDates: quarters }) : this.plan
  }

  /** The plan of some of the formulas. */
  planOf(outputs: readonly string[], options: Pick<CompileOptions, 'reportDates'> = {}): FormulaPlan {
    const { formulas, known, computed } = this.set
    const items = (code: string) => known(code) || computed?.items.includes(code) === true
    return compile({ formulas, outputs, items, ...options })
  }

  /**
   * Items that a filing is pivoted to, in the order of `values`: those looked back on the farthest come first, so that an
   * earlier filing is needed only up to some place.
   */
  get items(): readonly string[] {
    if (this.#items) return this.#items
    const { computed, besides = [] } = this.set
    const depth = new Map<string, number>(besides.map((item) => [item, 0]))
    for (const { item, offset } of this.plan.inputs) depth.set(item, Math.max(offset, depth.get(item) ?? 0))
    this.#items = [...depth.keys()]
      .filter((item) => !computed?.items.includes(item))
      .sort((a, b) => depth.get(b)! - depth.get(a)! || (a < b ? -1 : 1))
    return this.#items
  }

  /** Order of all items as formulas find them: what was pivoted, then what is computed. */
  get dictionary(): readonly string[] {
    return [...this.items, ...(this.set.computed?.items ?? [])]
  }

  /** Quarters that a quarter's figures look back on, ascending, itself (0) first. */
  get lookBack(): readonly number[] {
    return this.plan.offsets
  }

  /** Whether formulas ask for the form of a filing. */
  get form(): boolean {
    return this.plan.formOffsets.length > 0
  }

  /** Quarters in groups that are worked out by one statement each: bounded, so that memory is, and `atOnce` at least. */
  groups(quarters: readonly string[], atOnce: number): string[][] {
    if (!this.set.dated) {
      const count = Math.min(
        quarters.length,
        atOnce * Math.ceil(quarters.length / quartersAtOnce.anyDate / atOnce),
      )
      return chunks(quarters, Math.ceil(quarters.length / count))
    }
    return [1, 2, 3, 4].flatMap((n) =>
      chunks(
        quarters.filter((quarter) => quarterOf(quarter) === n),
        quartersAtOnce.dated,
      ),
    )
  }
}

const chunks = (list: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(list.length / size) || 0 }, (_, i) => list.slice(i * size, (i + 1) * size))
