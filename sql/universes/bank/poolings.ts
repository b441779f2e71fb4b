import { dates, quarterBeforeSql } from '../../derive/quarters.ts'
import type { Whole } from '../../derive/shards.ts'
import { quarterly } from '../../derive/tables.ts'
import type { Preparation, Universe } from '../../derive/universe.ts'
import { renderSql } from '../../formula/index.ts'
import { predecessorBalances } from '../../formula/metrics/terms.ts'
import { quartersBefore } from '../../quarter.ts'
import { identitiesSql } from './identity.ts'

const balances = Object.keys(predecessorBalances)

/** Items that show mergers. */
export const mergerItems = ['RCFD2170', 'RCON2170', 'RCFD3210', 'RCON3210', 'RIAD4107', 'RIAD4356']

/**
 * Which banks were merged into which by a pooling, as the filings and FDIC's holding companies show it.
 *
 * FDIC counts the assets of a bank that was merged into an affiliate in the averages of the whole year, since the
 * survivor's income of the year to date includes the other's (Quarterly Banking Profile, notes to users). The Call
 * Report has no list of mergers, but it has their traces. A bank filed last in quarter L; in L it had the same
 * holding company as the survivor; from L to the next quarter N the survivor's assets grew by about its own; and,
 * unless the merger fell in the first quarter, the survivor's interest income of N holds that of the other's whole
 * year to date rather than that of one quarter at most (which a purchase would add).
 *
 * Where that is not so by FDIC's edition (or it is not known), the survivor must be in the same state and its equity
 * from business combinations (RI-A item 7) must be the other's equity, within a twentieth: poolings carry it over at
 * book. For a merger in the first quarter, whose income tells nothing, two holding companies rule it out.
 */
export const poolings: Preparation = {
  name: 'poolings',
  tables: {
    poolings: quarterly(['survivor UInt32', 'predecessor UInt32'], '(survivor, predecessor)'),
    merger_traces: quarterly(
      ['rssd_id UInt32', 'assets Float64', 'equity Float64', 'income Float64', 'combined Float64'],
      'rssd_id',
    ),
    pooling_candidates: quarterly(
      [
        ...['predecessor UInt32', 'survivor UInt32', 'last Int32', 'assets Float64', 'income Float64'],
        ...['equity Float64', 'first_equity Float64', 'jump Float64', 'excess Float64', 'combined Float64'],
        ...['affiliated Bool', 'strangers Bool'],
      ],
      '(predecessor, survivor)',
    ),
  },
  scratch: ['merger_traces', 'pooling_candidates'],
  once: tracesSql,
  each: (quarter) => [candidatesSql(quarter), chosenSql(quarter)],
}

/** The year-end before a quarter and the quarters since, itself last. */
function yearToDate(quarter: string): string[] {
  const [, month] = quarter.split('-').map(Number) as [number, number]
  return Array.from({ length: month / 3 + 1 }, (_, k) => quartersBefore(quarter, month / 3 - k))
}

/** What the statements of some quarters need of the filings: a few numbers, so that no array is read twice. */
function tracesSql({ formulas, tables }: Universe, quarters: readonly string[]): string {
  const value = (item: string) => `values[${formulas.items.indexOf(item) + 1}]`
  return `INSERT INTO merger_traces
SELECT
    report_date,
    rssd_id,
    coalesce(${value('RCFD2170')}, ${value('RCON2170')}, 0) AS assets,
    coalesce(${value('RCFD3210')}, ${value('RCON3210')}, 0) AS equity,
    coalesce(${value('RIAD4107')}, 0) AS income,
    coalesce(${value('RIAD4356')}, 0) AS combined
FROM ${tables.filings} WHERE report_date IN (${dates([...new Set(quarters.flatMap(yearToDate))])})`
}

/**
 * Every pair that might be one: each bank that is no more, with those of the same state or holding company (`shared`;
 * a pair that has both in common is taken once, by the holding company). A table of its own, as the choice looks at the pairs several times, and a common
 * table expression is planned and computed again at each.
 */
function candidatesSql(quarter: string): string {
  const ends = yearToDate(quarter)
  return `INSERT INTO pooling_candidates
WITH
    filings AS (
        SELECT *, indexOf([${dates(ends)}]::Array(Date), report_date) - 1 AS k
        FROM merger_traces WHERE report_date IN (${dates(ends)})
    ),
    gone AS (
        SELECT
            f.rssd_id AS rssd_id, max(f.k) AS last, argMax(f.assets, f.k) AS assets, argMax(f.equity, f.k) AS equity,
            argMin(f.equity, f.k) AS first_equity, argMax(f.income, f.k) AS income
        FROM filings AS f GROUP BY f.rssd_id HAVING last < ${ends.length - 1}
    ),
    stayed AS (
        SELECT
            l.rssd_id AS rssd_id, l.k AS last, n.assets - l.assets AS jump,
            n.combined - if(l.k = 0, 0, l.combined) AS combined,
            if(l.k = 0, 0, (n.income - l.income) - l.income / l.k) AS excess
        FROM filings AS l
        INNER JOIN (SELECT *, k - 1 AS before FROM filings) AS n ON n.rssd_id = l.rssd_id AND n.before = l.k
        WHERE l.rssd_id IN (SELECT rssd_id FROM merger_traces WHERE report_date = '${quarter}')
    ),
    identities AS (
        SELECT
            rssd_id, ifNull(holding_company_rssd_id, 0) AS parent,
            arrayJoin(arrayConcat([toString(hq_state)], if(parent > 0, [toString(parent)], []))) AS shared,
            indexOf([${dates(ends)}]::Array(Date), report_date) - 1 AS k
        FROM (${identitiesSql(ends.slice(0, -1))})
    )
SELECT
    '${quarter}'::Date AS report_date,
    g.rssd_id AS predecessor, s.rssd_id AS survivor, g.last AS last, g.assets AS assets,
    g.income AS income, g.equity AS equity, g.first_equity AS first_equity,
    s.jump AS jump, s.excess AS excess, s.combined AS combined,
    g.parent > 0 AND s.parent = g.parent AS affiliated,
    g.parent > 0 AND s.parent > 0 AND NOT affiliated AS strangers
FROM (
    SELECT gone.*, i.parent AS parent, i.shared AS shared
    FROM gone INNER JOIN identities AS i ON i.rssd_id = gone.rssd_id AND i.k = gone.last
) AS g
INNER JOIN (
    SELECT stayed.*, i.parent AS parent, i.shared AS shared
    FROM stayed INNER JOIN identities AS i ON i.rssd_id = stayed.rssd_id AND i.k = stayed.last
) AS s ON s.last = g.last AND s.shared = g.shared
WHERE affiliated = (g.shared = toString(g.parent))`
}

/** Of the candidates those whose figures match, at most one survivor each. */
const chosenSql = (quarter: string): string => `INSERT INTO poolings
WITH
    affiliates AS (
        SELECT p.last AS last, p.survivor AS survivor, groupArray(p.predecessor) AS predecessors,
            any(p.jump) AS jump, any(p.excess) AS excess, sum(p.assets) AS assets, sum(p.income) AS income
        FROM (SELECT * FROM pooling_candidates WHERE report_date = '${quarter}' AND affiliated ORDER BY jump DESC LIMIT 1 BY predecessor) AS p
        GROUP BY p.last, p.survivor
        HAVING jump BETWEEN assets / 2 AND assets * 2
    ),
    others AS (
        SELECT last, survivor, [predecessor] AS predecessors, jump, excess, assets, income
        FROM (
            SELECT *, least(abs(combined / nullIf(equity, 0) - 1), abs(combined / nullIf(first_equity, 0) - 1)) AS miss
            FROM pooling_candidates
            WHERE report_date = '${quarter}' AND NOT affiliated AND combined > 0 AND miss <= 0.05 AND NOT (strangers AND last = 0)
                AND predecessor NOT IN (SELECT arrayJoin(predecessors) FROM affiliates)
                AND (survivor, last) NOT IN (SELECT survivor, last FROM affiliates) AND jump BETWEEN assets * 0.6 AND assets * 1.6
            ORDER BY miss LIMIT 1 BY predecessor
        )
        ORDER BY miss LIMIT 1 BY survivor, last
    )
SELECT '${quarter}'::Date AS report_date, survivor, arrayJoin(predecessors) AS predecessor
FROM (SELECT * FROM affiliates UNION ALL SELECT * FROM others)
WHERE last = 0 OR excess >= 0.8 * (1 + last) * income / last`

/**
 * Balances of the banks that were pooled into each filer in the year to date, one to four quarters earlier, in the
 * order of `derivedItems`: `report_date, rssd_id, balances`.
 */
export function predecessorBalancesSql(
  { formulas, tables }: Universe,
  quarters: readonly string[],
  whole: Whole,
): string {
  const plan = formulas.planOf(balances.map((key) => `m:${key}`))
  const earlier = [
    ...new Set(quarters.flatMap((quarter) => [1, 2, 3, 4].map((k) => quartersBefore(quarter, k)))),
  ]
  const filed = `(
    SELECT report_date, rssd_id, values AS p0 FROM ${whole(tables.filings)}
    WHERE report_date IN (${dates(earlier)})
        AND rssd_id IN (SELECT predecessor FROM poolings WHERE report_date IN (${dates(quarters)}))
)`
  const evaluated = renderSql(plan, {
    relation: filed,
    keep: ['report_date', 'rssd_id'],
    dictionary: formulas.items,
    outputs: 'array',
  })
  const sums = balances.flatMap((_, i) =>
    [1, 2, 3, 4].map(
      (k) => `sumIf(b.metrics[${i + 1}], b.report_date = ${quarterBeforeSql('p.report_date', k)})`,
    ),
  )
  return `SELECT p.report_date AS report_date, p.survivor AS rssd_id, [${sums.join(', ')}]::Array(Nullable(Float64)) AS balances
FROM (SELECT * FROM poolings WHERE report_date IN (${dates(quarters)})) AS p
INNER JOIN (${evaluated}) AS b ON b.rssd_id = p.predecessor
GROUP BY p.report_date, p.survivor`
}
