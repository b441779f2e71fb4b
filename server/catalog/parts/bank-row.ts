/** The row of one bank at the quarter that is asked for, as parts of its answer read it. */
import { quarterBeforeSql } from '../../../sql/derive/quarters.ts'
import { banks } from '../../../sql/universes/bank/index.ts'

/** Places of metrics in the arrays of `bank_rows`, as an array of SQL. */
export const places = (keys: readonly string[]): string => `[${keys.map(banks.position).join(', ')}]`

/**
 * The row of the bank `rssd_id` some quarters before `as_of`, both typed parameters, as a subquery of `rssd_id`, `cohort`,
 * `metrics` and `ranks`; no row where it did not file then.
 */
export const bankRow = (quartersBack = 0): string => {
  const quarter = quartersBack === 0 ? '{as_of:Date}' : quarterBeforeSql('{as_of:Date}', quartersBack)
  return `(SELECT rssd_id, cohort, metrics, ranks FROM bank_rows WHERE rssd_id = {rssd_id:UInt32} AND report_date = ${quarter})`
}
