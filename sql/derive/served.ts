import { metrics } from '../formula/metrics/index.ts'
import { identitiesSql } from './identity.ts'
import { percentileRank } from './percentile.ts'
import { dates } from './quarters.ts'
import { rowSpan, stateSpan } from './tables.ts'

const metricColumns = metrics.map(({ key }, index) => `b.figures[${index + 1}] AS ${key}`)

/** The figures of some quarters as columns beside the bank's identity: planning so many columns is shared. */
export const bankQuartersSql = (quarters: readonly string[]): string => `INSERT INTO bank_quarters
SELECT
    b.report_date, b.rssd_id, i.cert, i.legal_name, i.city, i.hq_state, i.charter, i.regulator, i.form,
    i.holding_company_rssd_id, i.holding_company_name, i.cbsa_code, b.cohort,
    ${metricColumns.join(',\n    ')}
FROM (SELECT * FROM bank_figures WHERE report_date IN (${dates(quarters)})) AS b
INNER JOIN (${identitiesSql(quarters)}) AS i ON i.rssd_id = b.rssd_id AND i.report_date = b.report_date`

/**
 * Percentile ranks of a quarter in the asset-size cohort, as arrays in catalog order. The figures of a cohort are
 * turned into one array a metric (NaN where a bank has none, which sorts last), ranked, and turned back: arrays of
 * numbers throughout, as rows of single figures would have to be grouped by hashing each of them twice. Among sorted
 * values, how many are below one is the place before the first of its equals.
 */
export const percentilesSql = (quarter: string): string => `INSERT INTO bank_percentiles
SELECT '${quarter}'::Date AS report_date, rssd_id, arrayMap(rank -> if(isNaN(rank), NULL, rank), ranks)
FROM
(
    SELECT any(ids) AS banks, groupArrayForEach(ranked) AS by_bank
    FROM
    (
        SELECT
            cohort,
            ids,
            arrayEnumerate(values) AS places,
            arraySort((place, value) -> value, places, values) AS sorted_places,
            arraySort(values) AS sorted,
            arrayCount(value -> NOT isNaN(value), values) AS present,
            arrayDifference(sorted) AS steps,
            arrayFill((place, step) -> step != 0, places, steps) AS firsts,
            arrayReverseFill((place, step) -> step != 0, places, arrayPushBack(arrayPopFront(steps), 1)) AS lasts,
            arrayMap(
                (value, first, last) -> if(isNaN(value), nan, ${percentileRank('(first - 1)', '(last - first + 1)', 'present')}),
                sorted, firsts, lasts
            ) AS percentiles,
            arraySort((percentile, place) -> place, percentiles, sorted_places) AS ranked
        FROM
        (
            SELECT
                cohort,
                groupArray(rssd_id) AS ids,
                groupArrayForEach(arrayMap(figure -> ifNull(figure, nan), arraySlice(figures, 1, ${metrics.length}))) AS columns
            FROM bank_figures
            WHERE report_date = '${quarter}' AND cohort != ''
            GROUP BY cohort
        )
        ARRAY JOIN columns AS values
    )
    GROUP BY cohort
)
ARRAY JOIN banks AS rssd_id, by_bank AS ranks`

/** `bank_quarters` of some years in the order of states. */
export const stateQuartersSql = (span: number): string =>
  `INSERT INTO state_quarters SELECT * FROM bank_quarters WHERE ${stateSpan.sql} = ${span}`

/** The rows of some years for one-bank reads. */
export const bankRowsSql = (span: number): string => `INSERT INTO bank_rows
SELECT
    b.rssd_id,
    b.report_date,
    b.cohort,
    c.banks AS cohort_count,
    arrayResize(b.figures, ${metrics.length}) AS metrics,
    if(empty(p.ranks), arrayResize(CAST([], 'Array(Nullable(Float64))'), ${metrics.length}), p.ranks) AS ranks
FROM (SELECT * FROM bank_figures WHERE ${rowSpan.sql} = ${span}) AS b
LEFT JOIN (SELECT * FROM bank_percentiles WHERE ${rowSpan.sql} = ${span}) AS p
    ON p.report_date = b.report_date AND p.rssd_id = b.rssd_id
INNER JOIN (
    SELECT report_date, cohort, count() AS banks FROM bank_figures WHERE ${rowSpan.sql} = ${span}
    GROUP BY report_date, cohort
) AS c ON c.report_date = b.report_date AND c.cohort = b.cohort`
