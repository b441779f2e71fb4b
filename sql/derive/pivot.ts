import { filedItems } from './formulas.ts'

const quoted = (items: readonly string[]) => items.map((item) => `'${item}'`).join(', ')

/**
 * The filings of the quarter `{quarter:Date}` as arrays in the order of `filedItems`; NULL where an item was left
 * blank. Filers with an FDIC certificate only: the others are no banks. A code that stands in several schedules has
 * the same value in each; the first schedule's is taken, as `groupArrayInsertAt` keeps the first of a place where one
 * thread reads in the order of the primary key. NaN marks what is absent while the arrays fill.
 */
export const pivotSql = `
INSERT INTO filing_values
SELECT
    {quarter:Date} AS report_date,
    rssd_id,
    arrayMap(value -> if(isNaN(value), NULL, value), numbers)
FROM
(
    SELECT
        rssd_id,
        groupArrayInsertAt(nan, ${filedItems.length})(
            assumeNotNull(value),
            transform(mdrm, [${quoted(filedItems)}], range(${filedItems.length}), 0)::UInt32
        ) AS numbers
    FROM call_report_items
    WHERE report_date = {quarter:Date} AND value IS NOT NULL AND mdrm IN (${quoted(filedItems)})
    GROUP BY rssd_id
)
WHERE rssd_id IN (SELECT rssd_id FROM filers WHERE report_date = {quarter:Date} AND cert > 0)`
