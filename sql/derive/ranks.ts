import { percentileRank } from './percentile.ts'

/** Figures of some quarters with NaN for what is absent, as rows of `report_date`, the id, `member`, `figures`. */
export interface Ranked {
  id: string
  relation: string
}

/** One row a quarter, group and figure: the institutions of the group, and what each has. */
export const byFigure = ({ id, relation }: Ranked): string => `
SELECT report_date, member, ids, column
FROM
(
    SELECT report_date, member, groupArray(${id}) AS ids, groupArrayForEach(figures) AS columns
    FROM (${relation})
    GROUP BY report_date, member
)
ARRAY JOIN columns AS column`

const percentile = percentileRank.sql({
  below: '(first - 1)',
  equal: '(last - first + 1)',
  present: 'present',
})

/**
 * Percentile ranks in the groups, NaN where there is none: `report_date`, the id, `ranks`. The figures of a group are
 * turned into one array a figure, ranked, and turned back: arrays of numbers throughout, as rows of single figures would
 * have to be grouped by hashing each of them twice. NaN sorts last; among sorted values, how many are below one is the
 * place before the first of its equals.
 */
export const ranksSql = (ranked: Ranked): string => `
SELECT report_date, ${ranked.id}, ranks
FROM
(
    SELECT report_date, any(ids) AS all_ids, groupArrayForEach(ranked) AS by_id
    FROM
    (
        SELECT
            report_date,
            member,
            ids,
            arrayEnumerate(column) AS places,
            arraySort((place, value) -> value, places, column) AS sorted_places,
            arraySort(column) AS sorted,
            arrayCount(value -> NOT isNaN(value), column) AS present,
            arrayDifference(sorted) AS steps,
            arrayFill((place, step) -> step != 0, places, steps) AS firsts,
            arrayReverseFill((place, step) -> step != 0, places, arrayPushBack(arrayPopFront(steps), 1)) AS lasts,
            arrayMap(
                (value, first, last) -> if(isNaN(value), nan, assumeNotNull(${percentile})),
                sorted, firsts, lasts
            ) AS percentiles,
            arraySort((percentile, place) -> place, percentiles, sorted_places) AS ranked
        FROM (${byFigure(ranked)})
    )
    GROUP BY report_date, member
)
ARRAY JOIN all_ids AS ${ranked.id}, by_id AS ranks`

/** SQL of an array whose NaN become NULL. */
export const nullable = (array: string): string =>
  `arrayMap(value -> if(isNaN(value), NULL, value), ${array})`
