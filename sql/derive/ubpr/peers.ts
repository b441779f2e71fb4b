import { percentileRank } from '../percentile.ts'
import { dates } from '../quarters.ts'

/** One row a quarter, group and concept: the banks of the group, and what each has (NaN where it is absent). */
const byConcept = (quarters: readonly string[]) => `
SELECT report_date, peer_group, ids, column
FROM
(
    SELECT report_date, peer_group, groupArray(rssd_id) AS ids, groupArrayForEach(values) AS columns
    FROM ubpr_figures
    WHERE report_date IN (${dates(quarters)})
    GROUP BY report_date, peer_group
)
ARRAY JOIN columns AS column`

/** With fewer values the UBPR shows `##` in place of an average (User's Guide, Computing Peer Group Averages). */
const leastValues = 5

/**
 * Averages of the peer groups as the UBPR takes them: of each concept by itself, without the banks that are above the
 * 95th or below the 5th percentile (UBPR coordinator, 26 August 2004), which are the top and bottom 5 % (the same, 16 June
 * 2003), in whole banks: fewer than 20 lose none. A group's own count is of all its banks. NaN stands for what has no
 * average, as an array does not collect NULLs.
 */
export const averagesSql = (quarters: readonly string[]): string => `INSERT INTO ubpr_peers
SELECT
    report_date,
    peer_group,
    any(length(ids)) AS banks,
    arrayMap(
        average -> if(isNaN(average), NULL, average),
        groupArray(if(length(sorted) < ${leastValues}, nan, arraySum(kept) / length(kept)))
    ) AS averages
FROM
(
    SELECT
        report_date,
        peer_group,
        ids,
        arraySort(arrayFilter(value -> NOT isNaN(value), column)) AS sorted,
        toUInt32(floor(length(sorted) * 0.05)) AS cut,
        arraySlice(sorted, cut + 1, length(sorted) - 2 * cut) AS kept
    FROM (${byConcept(quarters)})
)
WHERE peer_group != ''
GROUP BY report_date, peer_group`

/**
 * Values and percentile ranks of some quarters' banks in their peer groups. A concept's values are ranked group by group
 * as arrays: among sorted values, how many are below one is the place before the first of its equals.
 */
export const rowsSql = (quarters: readonly string[]): string => `INSERT INTO ubpr_rows
SELECT
    f.rssd_id, f.report_date, f.peer_group,
    arrayMap(value -> if(isNaN(value), NULL, value), f.values) AS values,
    if(f.peer_group = '', arrayMap(value -> NULL, f.values), arrayMap(rank -> if(isNaN(rank), NULL, rank), r.ranks)) AS ranks
FROM (SELECT * FROM ubpr_figures WHERE report_date IN (${dates(quarters)})) AS f
INNER JOIN
(
    SELECT report_date, rssd_id, ranks
    FROM
    (
        SELECT report_date, any(ids) AS banks, groupArrayForEach(ranked) AS by_bank
        FROM
        (
            SELECT
                report_date,
                peer_group,
                ids,
                arrayEnumerate(column) AS places,
                arraySort((place, value) -> value, places, column) AS sorted_places,
                arraySort(column) AS sorted,
                arrayCount(value -> NOT isNaN(value), column) AS present,
                arrayDifference(sorted) AS steps,
                arrayFill((place, step) -> step != 0, places, steps) AS firsts,
                arrayReverseFill((place, step) -> step != 0, places, arrayPushBack(arrayPopFront(steps), 1)) AS lasts,
                arrayMap(
                    (value, first, last) -> if(isNaN(value), nan, ${percentileRank('(first - 1)', '(last - first + 1)', 'present')}),
                    sorted, firsts, lasts
                ) AS percentiles,
                arraySort((percentile, place) -> place, percentiles, sorted_places) AS ranked
            FROM (${byConcept(quarters)})
        )
        GROUP BY report_date, peer_group
    )
    ARRAY JOIN banks AS rssd_id, by_bank AS ranks
) AS r ON r.rssd_id = f.rssd_id AND r.report_date = f.report_date`

/** The distribution of every concept over all banks of a quarter; quartiles as in `benchmarksSql`. */
export const distributionSql = (quarter: string): string => `INSERT INTO ubpr_distribution
SELECT
    '${quarter}'::Date AS report_date,
    arrayMap(value -> toUInt32(value), countForEach(values)) AS counts,
    arrayMap((value, present) -> if(present = 0, NULL, value), avgForEach(values), counts) AS means,
    arrayMap(
        (list, present) -> if(present = 0, arrayMap(value -> NULL, list), arrayMap(value -> toNullable(value), list)),
        quantilesExactInclusiveForEach(0, 0.25, 0.5, 0.75, 1)(values), counts
    ) AS quantiles
FROM ubpr_rows AS r
WHERE r.report_date = '${quarter}'
HAVING count() > 0`
