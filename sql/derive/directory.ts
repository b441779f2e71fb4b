import { quotedAll } from '../quoted.ts'
import { dates } from './quarters.ts'
import { nameOf, type Universe } from './universe.ts'

/** One row a quarter: who filed, for how many institutions figures were derived, how many items. */
export const filedSql = ({
  tables,
  plural,
  filers,
  items,
  sources,
}: Universe): string => `INSERT INTO ${tables.filed}
SELECT f.report_date, f.filers, b.${plural}, i.items, l.loaded_at
FROM (SELECT report_date, count() AS filers FROM ${filers} GROUP BY report_date) AS f
LEFT JOIN (SELECT report_date, count() AS ${plural} FROM ${tables.figures} GROUP BY report_date) AS b
    ON b.report_date = f.report_date
LEFT JOIN (SELECT report_date, count() AS items FROM ${items} GROUP BY report_date) AS i
    ON i.report_date = f.report_date
LEFT JOIN (
    SELECT assumeNotNull(report_date) AS report_date, max(toNullable(loaded_at)) AS loaded_at
    FROM load_files
    WHERE in_force AND report_date IS NOT NULL AND source IN (${quotedAll(sources)})
    GROUP BY report_date
) AS l ON l.report_date = f.report_date`

/**
 * One row an institution that ever filed, from its newest filing; `active` where that is of the newest quarter, or of one
 * since which it need not have filed again.
 */
export function directorySql(universe: Universe, lastQuarters: readonly string[]): string {
  const { tables, id, identity, metrics, filesEvery } = universe
  const own = (columns: readonly string[] = []) => columns.map((column) => `i.${nameOf(column)},`).join(' ')
  const newest = `(SELECT max(report_date) FROM ${tables.figures})`
  const since = filesEvery === 1 ? newest : `toLastDayOfMonth(subtractQuarters(${newest}, ${filesEvery - 1}))`
  return `INSERT INTO ${tables.directory}
WITH spans AS (
    SELECT ${id}, min(report_date) AS first_quarter, max(report_date) AS last_quarter
    FROM ${tables.figures} GROUP BY ${id}
)
SELECT
    b.report_date, b.${id}, ${own(identity.columns)} b.cohort, ${own(identity.directory)}
    s.first_quarter, s.last_quarter, s.last_quarter >= ${since} AS active,
    ${metrics.map(({ key }, index) => `b.figures[${index + 1}] AS ${key}`).join(', ')}
FROM (
    SELECT * FROM ${tables.figures}
    WHERE report_date IN (${dates(lastQuarters)}) AND (${id}, report_date) IN (SELECT ${id}, last_quarter FROM spans)
) AS b
INNER JOIN spans AS s ON s.${id} = b.${id}
INNER JOIN (${universe.identitySql(lastQuarters)}) AS i ON i.${id} = b.${id} AND i.report_date = b.report_date`
}

/** The quarters in which some institution filed last. */
export const lastQuartersSql = ({ tables, id }: Universe): string => `SELECT DISTINCT last_quarter AS quarter
FROM (SELECT max(report_date) AS last_quarter FROM ${tables.figures} GROUP BY ${id}) ORDER BY quarter`
