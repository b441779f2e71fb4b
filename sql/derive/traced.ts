/** Type of the column of a figure's steps: `Step` of sql/formula/lineage.ts. */
export const stepsType =
  'Array(Tuple(depth UInt8, kind String, code String, quarters_back UInt8, used_by String))'

/** Figures of a kind that are followed down to what was filed. */
export interface Traced {
  /** What a step of a lineage calls them. */
  kind: string
  /** SELECT of `code, label, position`: the place of the value in its array, 0 where none is shown. */
  catalog: string
  /** Table with a row an institution and quarter, and its column of values in the order of the positions. */
  rows: string
  values: string
  /** SELECT of `figure, steps`. */
  lineage: string
  /** SELECT of the definition of each, with its distribution in the latest quarter. */
  details: string
}
