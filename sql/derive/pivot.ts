import { quotedAll } from '../quoted.ts'
import type { Formulas } from './formulas.ts'
import type { Runner } from './runner.ts'
import type { Task } from './tasks.ts'
import type { Universe } from './universe.ts'

/**
 * The filings of the quarter `{quarter:Date}` as arrays of the items that formulas need; NULL where an item was left
 * blank. A code that stands in several places of a filing has the same value in each; the first is taken, as
 * `groupArrayInsertAt` keeps the first of a place where one thread reads in the order of the primary key. NaN marks what is
 * absent while the arrays fill.
 */
function pivotSql({ id, items, code, filers, belongs }: Universe, formulas: Formulas): string {
  const list = quotedAll(formulas.items)
  const value = formulas.set.taken?.(code, 'assumeNotNull(value)') ?? 'assumeNotNull(value)'
  const form = formulas.form ? ', form' : ''
  return `INSERT INTO ${formulas.set.filings}
SELECT {quarter:Date} AS report_date, ${id}${form}, arrayMap(value -> if(isNaN(value), NULL, value), numbers)
FROM
(
    SELECT
        ${id},
        groupArrayInsertAt(nan, ${formulas.items.length})(
            ${value},
            transform(${code}, [${list}], range(${formulas.items.length}), 0)::UInt32
        ) AS numbers
    FROM ${items}
    WHERE report_date = {quarter:Date} AND value IS NOT NULL AND ${code} IN (${list})
    GROUP BY ${id}
) AS i
ANY INNER JOIN (SELECT ${id}${form} FROM ${filers} WHERE report_date = {quarter:Date} AND ${belongs}) AS f USING (${id})`
}

/** Pivots the filings of some quarters for some formulas, a task each of the name `itemsTask`. */
export function pivots(
  runner: Runner,
  universe: Universe,
  formulas: Formulas,
  quarters: readonly string[],
): Task[] {
  const { filings } = formulas.set
  return quarters.map((quarter) => ({
    name: itemsTask(formulas, quarter),
    run: async () => {
      await runner.drop(filings, [quarter])
      await runner.each(pivotSql(universe, formulas), { quarter })
    },
  }))
}

export const itemsTask = ({ set }: Formulas, quarter: string): string => `${set.filings} ${quarter}`
