/** A figure of a universe with its lineage, as SQL of a request. */
import { tracedIn } from '../../../sql/derive/lineage.ts'
import type { Traced } from '../../../sql/derive/traced.ts'
import type { Universe } from '../../../sql/derive/universe.ts'
import type { Scope } from '../scope.ts'

/** What an institution filed, and what was derived for it, at any of the quarters that the lineage looks at. */
function valuesOf({ id, items, code }: Universe, figures: readonly Traced[]): string {
  const its = `${id} IN {${id}:Array(UInt32)}`
  const derived = figures.map(
    ({ kind, catalog, rows, values }) => `
    SELECT '${kind}' AS kind, c.code AS code, r.report_date AS report_date, r.${values}[c.position] AS value
    FROM (SELECT * FROM ${rows} WHERE ${its} AND report_date IN (SELECT at FROM steps)) AS r
    CROSS JOIN (SELECT code, position FROM (${catalog}) WHERE position > 0 AND code IN (SELECT code FROM steps)) AS c`,
  )
  return `
    SELECT 'item' AS kind, toString(i.${code}) AS code, i.report_date AS report_date, any(i.value) AS value
    FROM ${items} AS i
    WHERE ${its} AND report_date IN (SELECT at FROM steps) AND ${code} IN (SELECT code FROM steps WHERE kind = 'item')
    GROUP BY i.${code}, i.report_date
    ${derived.map((one) => `UNION ALL ${one}`).join('\n    ')}`
}

const noValues = `SELECT '' AS kind, '' AS code, toDate(0) AS report_date, CAST(NULL AS Nullable(Float64)) AS value WHERE false`

/** The definition with its lineage: each step with its name, and its value where an institution is asked for. */
export const lineageOf =
  (universe: Universe) =>
  (scope: Scope): string => {
    const figures = tracedIn(universe)
    const together = (sql: (one: Traced) => string) => figures.map(sql).join('\n      UNION ALL ')
    const items = universe.itemNames
      ? `UNION ALL SELECT 'item', toString(code), argMax(name, at) FROM (${universe.itemNames})
      WHERE code IN (SELECT code FROM steps) GROUP BY code`
      : ''
    return `
WITH
  steps AS (
    SELECT depth, kind, code, quarters_back, used_by, toLastDayOfMonth(subtractQuarters({as_of:Date}, quarters_back)) AS at
    FROM (
      SELECT tupleElement(step, 1) AS depth, tupleElement(step, 2) AS kind, tupleElement(step, 3) AS code,
        tupleElement(step, 4) AS quarters_back, tupleElement(step, 5) AS used_by
      FROM (${together(({ lineage }) => `SELECT steps FROM (${lineage}) WHERE figure = {metric:String}`)}) ARRAY JOIN steps AS step
      UNION ALL ${together(({ kind, catalog }) => `SELECT 0, '${kind}', code, 0, '' FROM (${catalog}) WHERE code = {metric:String}`)}
    )
  ),
  named AS (
    ${together(({ kind, catalog }) => `SELECT '${kind}' AS kind, code, label FROM (${catalog}) WHERE code IN (SELECT code FROM steps)`)}
    ${items}
  ),
  valued AS (
    SELECT s.depth AS depth, s.kind AS kind, s.code AS code, nullIf(n.label, '') AS label, s.quarters_back AS quarters_back,
      s.at AS at, s.used_by AS used_by, v.value AS value
    FROM steps AS s
    LEFT JOIN named AS n ON n.kind = s.kind AND n.code = s.code
    LEFT JOIN (${scope.has(universe.id) ? valuesOf(universe, figures) : noValues}) AS v
      ON v.kind = s.kind AND v.code = s.code AND v.report_date = s.at
  )
SELECT m.*, t.own AS value, t.lineage AS lineage
FROM (${together(({ details }) => `SELECT * FROM (${details}) WHERE key = {metric:String}`)}) AS m
CROSS JOIN (
  SELECT
    anyIf(value, depth = 0) AS own,
    CAST(arraySort(step -> (step.1, step.7, step.5, step.2, step.3), groupArrayIf(
      (depth, kind, code, label, quarters_back, at, used_by, value), depth > 0
    )), 'Array(Tuple(depth UInt8, kind String, code String, label Nullable(String), quarters_back UInt8, report_date Date, used_by String, value Nullable(Float64)))') AS lineage
  FROM valued
) AS t`
  }
