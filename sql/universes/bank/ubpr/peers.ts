import { dates } from '../../../derive/quarters.ts'
import { byFigure, nullable, type Ranked, ranksSql } from '../../../derive/ranks.ts'

const inGroups = (quarters: readonly string[]): Ranked => ({
  id: 'rssd_id',
  relation: `SELECT report_date, rssd_id, peer_group AS member, values AS figures
    FROM ubpr_figures WHERE report_date IN (${dates(quarters)}) AND peer_group != ''`,
})

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
    member AS peer_group,
    any(length(ids)) AS banks,
    ${nullable(`groupArray(if(length(sorted) < ${leastValues}, nan, arraySum(kept) / length(kept)))`)} AS averages
FROM
(
    SELECT
        report_date,
        member,
        ids,
        arraySort(arrayFilter(value -> NOT isNaN(value), column)) AS sorted,
        toUInt32(floor(length(sorted) * 0.05)) AS cut,
        arraySlice(sorted, cut + 1, length(sorted) - 2 * cut) AS kept
    FROM (${byFigure(inGroups(quarters))})
)
GROUP BY report_date, member`

/** Values and percentile ranks of some quarters' banks in their peer groups; a bank of no group has no ranks. */
export const rowsSql = (quarters: readonly string[]): string => `INSERT INTO ubpr_rows
SELECT
    f.rssd_id, f.report_date, f.peer_group,
    ${nullable('f.values')} AS values,
    if(empty(r.ranks), arrayMap(value -> NULL, f.values), ${nullable('r.ranks')}) AS ranks
FROM (SELECT * FROM ubpr_figures WHERE report_date IN (${dates(quarters)})) AS f
LEFT JOIN (${ranksSql(inGroups(quarters))}) AS r ON r.rssd_id = f.rssd_id AND r.report_date = f.report_date`

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
