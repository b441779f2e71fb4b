/** How the institution is found that a source means by a name or a number, as SQL. */
import type { Universe } from '../derive/universe.ts'
import { quoted } from '../quoted.ts'
import { CORRECTIONS, type LinkDeclaration } from './link.ts'

/** What in which table of which source is linked. */
export interface Linked extends LinkDeclaration {
  readonly source: string
  readonly relation: string
}

/** A kind of institution, as the links know it. */
export type Named = Pick<Universe, 'entity' | 'id' | 'names'> &
  Partial<Pick<Universe, 'idLabel' | 'aliases' | 'numbers' | 'tables' | 'cohorts'>>

/** Where links are made, and what they are made of: it lies in tables, as a WITH is worked out at each use. */
export interface LinkTables {
  readonly links: string
  /** The names that institutions had, and their one spelling. */
  readonly names: string
  /** The same of the names that stand for others, such as a holding company's for its bank. */
  readonly aliases: string
  /** What a source calls institutions, while it is linked. */
  readonly owns: string
}
/** Names are alike from here on: one letter in eight may differ. Who comes second must be further off by the margin. */
const ALIKE = 0.87
const MARGIN = 0.08
/** Days after its end up to which a report of an institution may still come. */
const LAST_REPORT = 100
/** What a name of before stands behind one of today: an exact one beside those that are known elsewhere alone. */
const LATER = 4
/** Of namesakes without a place, one that is so many times as large as all others together is meant. */
const DOMINANT = 10

/**
 * From the surest method to the least: a correction, a number, name and place as they are written, the same without
 * what charters and spelling add, and names that are nearly the same in the same place. Where the source tells no place, a
 * name that only one institution has, or one beside which its namesakes are small, and likewise the name of its holding
 * company; names of before come after those of today. A method that finds several institutions has found none. Names count only
 * where numbers do not contradict them.
 */
export function linkSql(
  { source, relation, entity, aliases = false, anywhere = false }: Linked,
  { id, idLabel = id }: Named,
  { owns, names, aliases: aliasTable }: LinkTables,
): string {
  const kind = `k.kind = ${quoted(entity)}`
  const anyName = aliases ? `(SELECT * FROM ${names} UNION ALL SELECT * FROM ${aliasTable})` : names
  const later = ` + if(o.former, ${LATER}, 0)`
  const further = anywhere ? "k.alias OR o.state != '' AND k.state != o.state" : 'k.alias'
  const ofKind = `(one -> replaceRegexpOne(one, ' [^ ]+$', ''))`
  const contradicted = `arrayExists(one -> has(arrayMap(${ofKind}, k.numbers), replaceRegexpOne(one, ' [^ ]+$', '')) AND NOT has(k.numbers, one), o.numbers)`
  return `
WITH
  found AS (
    SELECT o.own AS own, k.id AS id, 'id' AS method, 1 AS tier, 1. AS score, o.bare = k.bare AND o.state = k.state AS same_name,
      k.size AS size, o.number AS evidence
    FROM (SELECT own, bare, state, arrayJoin(numbers) AS number FROM ${owns} WHERE NOT former) AS o
    INNER JOIN (SELECT *, arrayJoin(numbers) AS number FROM ${names} AS k WHERE ${kind}) AS k ON k.number = o.number
    -- a number that was mistyped is of an institution elsewhere with another name; its own one is looked up, not typed
    WHERE startsWith(o.number, ${quoted(`${idLabel} `)}) OR o.state = k.state OR o.state = '' OR k.state = ''
      OR ${likeness('o.bare', 'k.bare')} >= 0.5
    UNION ALL
    SELECT o.own AS own, k.id AS id,
      multiIf(lower(o.name) = lower(k.name) AND lower(o.city) = lower(k.city), 'exact', o.bare = k.bare, 'normalised', 'similar') AS method,
      multiIf(method = 'exact', 2, method = 'normalised', 3, 4)${later} AS tier,
      multiIf(method = 'exact', 1., method = 'normalised', 0.95, ${likeness('o.bare', 'k.bare')}) AS score,
      o.bare = k.bare AS same_name, k.size AS size, concat(k.name, ', ', k.city, ' ', k.state) AS evidence
    FROM ${owns} AS o INNER JOIN ${names} AS k ON ${kind} AND k.state = o.state AND k.place = o.place
    WHERE o.state != '' AND NOT ${contradicted} AND (o.ended IS NULL OR k.until IS NULL OR k.until <= addDays(o.ended, ${LAST_REPORT}))
      AND score >= ${ALIKE - MARGIN}
    UNION ALL
    -- it may have moved, or be another: nobody is linked by that alone
    SELECT o.own AS own, k.id AS id, 'similar' AS method, 6${later} AS tier, 0.5 AS score, true AS same_name, k.size AS size,
      concat('elsewhere: ', k.name, ', ', k.city, ' ', k.state) AS evidence
    FROM ${owns} AS o INNER JOIN ${names} AS k ON ${kind} AND k.state = o.state AND k.bare = o.bare
    WHERE o.state != '' AND k.place != o.place AND NOT ${contradicted}
    UNION ALL
    SELECT o.own AS own, k.id AS id, if(k.alias, 'holding company', 'name') AS method, if(${further}, 5, 4)${later} AS tier, 0.9 AS score,
      true AS same_name, k.size AS size, concat(k.name, if(k.alias, ', its holding company', concat(', ', k.city, ' ', k.state))) AS evidence
    FROM ${owns} AS o INNER JOIN ${anyName} AS k ON ${kind} AND k.bare = o.bare
    WHERE ${anywhere ? 'true' : "o.state = ''"} AND o.bare != '' AND (o.seen IS NULL OR k.until IS NULL
      OR k.until >= addDays(least(o.seen, (SELECT max(until) FROM ${names} AS k WHERE ${kind})), -${LAST_REPORT})) AND NOT ${contradicted}
  ),
  -- an institution is known by several names: the best of them counts
  scored AS (
    SELECT own, id, min((f.tier, -f.score, f.method, f.evidence)) AS best, best.1 AS tier, -best.2 AS score, best.3 AS method,
      best.4 AS evidence, max(f.same_name) AS same_name, max(f.size) AS size
    FROM found AS f GROUP BY own, id
  ),
  ranked AS (
    SELECT own, arraySort(one -> (one.1, -one.2, one.3), groupArray((tier, score, id, method, evidence, same_name, size))) AS all,
      arrayFilter(one -> one.1 = all[1].1 AND one.2 > all[1].2 - ${MARGIN}, all) AS best,
      arrayReverseSort(one -> one.7, best) AS by_size,
      -- a certificate may have been of several institutions: then name and state tell
      multiIf(length(best) < 2, best, arrayCount(one -> one.6, best) = 1, arrayFilter(one -> one.6, best),
        best[1].1 IN (4, 5, ${4 + LATER}, ${5 + LATER}) AND best[1].4 != 'similar' AND by_size[1].7 >= ${DOMINANT} * greatest(1, arraySum(one -> one.7, by_size) - by_size[1].7),
        arraySlice(by_size, 1, 1), best) AS chosen
    FROM scored GROUP BY own
  )
SELECT
  ${quoted(source)} AS source, ${quoted(relation)} AS relation, o.own AS own, ${quoted(entity)} AS entity,
  multiIf(c.own != '', c.entity_id, length(r.chosen) = 1 AND r.chosen[1].2 >= ${ALIKE}, r.chosen[1].3, NULL) AS entity_id,
  multiIf(c.own != '', 'correction', empty(r.all), 'none', r.chosen[1].4) AS method,
  multiIf(c.own != '', 1., empty(r.all), 0., r.chosen[1].2) AS score,
  multiIf(c.own != '', c.why, empty(r.all), 'nobody of this name and place is known',
    length(r.chosen) > 1, concat('several: ', arrayStringConcat(arrayMap(one -> one.5, arraySlice(r.chosen, 1, 5)), '; ')),
    r.chosen[1].5) AS evidence,
  if(c.own != '', [], arrayMap(one -> one.3, arraySlice(r.all, 1, 10))) AS candidates
FROM (SELECT DISTINCT own FROM ${owns}) AS o
LEFT JOIN ranked AS r ON r.own = o.own
LEFT JOIN (
  SELECT own, any(entity_id) AS entity_id, any(why) AS why FROM ${CORRECTIONS}
  WHERE relation = ${quoted(relation)} AND entity = ${quoted(entity)} GROUP BY own
) AS c ON c.own = o.own`
}

/** From 0 to 1: the share of letters that need no edit. */
const likeness = (a: string, b: string): string =>
  `(1 - damerauLevenshteinDistance(${a}, ${b}) / greatest(lengthUTF8(${a}), lengthUTF8(${b}), 1))`
