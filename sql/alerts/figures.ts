/** Alerts of what was filed: figures of the newest quarters beside those of the report before. */
import { quarterBeforeSql } from '../derive/quarters.ts'
import type { Universe } from '../derive/universe.ts'
import { gradeOf } from '../formula/metrics/scorecard.ts'
import { quoted, quotedList } from '../quoted.ts'
import { tierOf } from '../risk/model.ts'
import { universes } from '../universes/index.ts'
import { JUMP, levels, moves } from './thresholds.ts'
import { type AlertKind, RECENT_QUARTERS } from './types.ts'

/** What is looked at, a row an institution, quarter and metric, while alerts are made. */
export const FIGURES = 'alert_figures'

export const figuresTable = `CREATE OR REPLACE TABLE ${FIGURES} (
  entity LowCardinality(String), entity_id UInt32, date Date, metric LowCardinality(String), label LowCardinality(String), unit LowCardinality(String),
  value Float64, before Float64, change Float64, usual Float64, least Float64,
  percentile Nullable(Float64), percentile_before Nullable(Float64)
) ENGINE = Memory`

/** Metrics that no threshold is declared for are looked at for their levels and categories. */
const besides = [
  ...levels.map(({ metric }) => metric),
  'pca_category',
  'overall_score',
  'failure_probability',
]
const watched = [...new Set([...Object.keys(moves), ...besides])]
const MONEY = 'thousands of US dollars'
/** No move is as large. */
const NEVER = 1e300

/** The figures of a universe. One that files each half-year is compared with its report before, not with the quarter before. */
export function figuresSql({ entity, id, tables, metric, position, filesEvery }: Universe): string {
  const metrics = watched.flatMap((key) => metric(key) ?? [])
  const newest = `(SELECT max(report_date) FROM ${tables.figures})`
  const since = quarterBeforeSql(newest, RECENT_QUARTERS - 1)
  const looked = `report_date >= ${quarterBeforeSql(newest, RECENT_QUARTERS - 1 + filesEvery)}`
  const numbers = (of: (key: string) => number) =>
    `[${metrics.map(({ key }) => of(key)).join(', ')}]::Array(Float64)`
  // a lambda over the places would copy all figures for each
  const at = (array: string) => `[${metrics.map(({ key }) => `${array}[${position(key)}]`).join(', ')}]`
  return `INSERT INTO ${FIGURES}
SELECT ${quoted(entity)}, ${id}, report_date, metric, label, unit, assumeNotNull(value) AS now, assumeNotNull(former) AS earlier,
  if(unit = ${quoted(MONEY)}, 100 * (now - earlier) / abs(earlier), now - earlier) AS change, usual, least,
  percentile, if(cohort = cohort_before, percentile_before, NULL)
FROM (
  SELECT ${id}, report_date, cohort, figures, ranks, previous.2 AS cohort_before, previous.3 AS figures_before, previous.4 AS ranks_before
  FROM (
    SELECT *, lagInFrame((report_date, cohort, figures, ranks)) OVER (PARTITION BY ${id} ORDER BY report_date ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS previous
    FROM (
      SELECT ${id}, report_date, toString(cohort) AS cohort, ${at('figures')} AS figures FROM ${tables.figures} WHERE ${looked}
    ) AS f
    LEFT JOIN (
      SELECT ${id}, report_date, ${at('ranks')} AS ranks FROM ${tables.percentiles} WHERE ${looked}
    ) AS p USING (report_date, ${id})
  )
  WHERE report_date >= ${since} AND previous.1 >= ${quarterBeforeSql('report_date', filesEvery)}
)
ARRAY JOIN
  ${quotedList(metrics.map(({ key }) => key))} AS metric, ${quotedList(metrics.map(({ label }) => label))} AS label,
  ${quotedList(metrics.map(({ unit }) => unit))} AS unit, ${numbers((key) => moves[key]?.usual ?? NEVER)} AS usual,
  ${numbers((key) => moves[key]?.least ?? NEVER)} AS least,
  figures AS value, figures_before AS former,
  arrayResize(ranks, ${metrics.length}) AS percentile, arrayResize(ranks_before, ${metrics.length}) AS percentile_before
WHERE value IS NOT NULL AND former IS NOT NULL AND value != former AND (unit != ${quoted(MONEY)} OR former != 0)`
}

const quarter = `concat(toString(toYear(f.date)), 'Q', toString(toQuarter(f.date)))`
const short = (sql: string) => `toString(round(${sql}, 2))`
/** As one says it: \`9.8 %\`, \`$1.23 billion\`. */
const amount = `if(f.unit = ${quoted(MONEY)},
  multiIf(abs(f.value) >= 1e9, concat('$', ${short('f.value / 1e9')}, ' trillion'), abs(f.value) >= 1e6, concat('$', ${short('f.value / 1e6')}, ' billion'),
    abs(f.value) >= 1e3, concat('$', ${short('f.value / 1e3')}, ' million'), concat('$', ${short('f.value')}, ' thousand')),
  concat(${short('f.value')}, ' %'))`
const ordinal = (sql: string) =>
  `concat(toString(toUInt8(round(${sql}))), multiIf(toUInt8(round(${sql})) IN (11, 12, 13), 'th', toUInt8(round(${sql})) % 10 = 1, 'st', toUInt8(round(${sql})) % 10 = 2, 'nd', toUInt8(round(${sql})) % 10 = 3, 'rd', 'th'))`
const rose = `if(f.value > f.before, ' rose', ' fell')`
const inCohort = `if(f.percentile IS NULL, '', concat(', the ', ${ordinal('assumeNotNull(f.percentile)')}, ' percentile of its cohort'))`
const categories = quotedList(
  ['well', 'adequately', 'under', 'significantly under', 'critically under'].map((how) =>
    how.endsWith('under') ? `${how}capitalised` : `${how} capitalised`,
  ),
)
const category = (sql: string) => `${categories}[toUInt8(${sql})]`

const snapshots: Readonly<Record<string, string>> = {
  bank: '/banks/{id}/',
  credit_union: '/cus/{id}/',
  holding_company: '/holding-companies/{id}/',
}

/** What kinds of figures have in common; those of each universe lead to its own dataset. */
const filed = (
  kind: Omit<AlertKind, 'reads' | 'from' | 'entity' | 'entityId' | 'period' | 'date'>,
  from = FIGURES,
) => ({
  ...{
    reads: [FIGURES],
    from: `${from} AS f`,
    entity: 'f.entity',
    entityId: 'f.entity_id',
    period: quarter,
    date: 'f.date',
  },
  ...{ value: 'f.value', before: 'f.before', percentile: 'f.percentile', unit: 'f.unit' },
  ...kind,
})
const ofEach = (kind: Parameters<typeof filed>[0], from?: string): AlertKind[] =>
  universes.map(({ entity }) =>
    filed(
      {
        ...kind,
        where: `f.entity = ${quoted(entity)} AND ${kind.where}`,
        path: snapshots[entity]! + kind.path,
      },
      from,
    ),
  )

const levelsTable = `(SELECT * FROM ${FIGURES} AS figures INNER JOIN (
  SELECT level_entity, level_metric, level, rule FROM system.one
  ARRAY JOIN ${quotedList(levels.map(({ entity }) => entity))} AS level_entity, ${quotedList(levels.map(({ metric }) => metric))} AS level_metric,
    [${levels.map(({ level }) => level).join(', ')}]::Array(Float64) AS level, ${quotedList(levels.map(({ rule }) => rule))} AS rule
) AS l ON l.level_entity = figures.entity AND l.level_metric = figures.metric)`

export const figureKinds: readonly AlertKind[] = [
  ...ofEach({
    type: 'metric_move',
    where: 'abs(f.change) >= f.least',
    ...{ subject: 'f.metric', change: 'f.change', threshold: 'f.usual' },
    sentence: `concat(f.label, ${rose}, ' ', ${short('abs(f.change)')}, if(f.unit = ${quoted(MONEY)}, ' %', ' points'), ' to ', ${amount}, ' in ', ${quarter}, ${inCohort})`,
    path: '',
  }),
  ...ofEach(
    {
      type: 'level_crossed',
      where: '(f.value >= f.level) != (f.before >= f.level)',
      ...{ subject: `concat(f.metric, ' ', toString(f.level))`, change: 'f.change', threshold: 'f.level' },
      sentence: `concat(f.label, ${rose}, ' to ', ${amount}, ' in ', ${quarter}, ', crossing the ', toString(f.level), ' % of ', f.rule)`,
      path: '',
    },
    levelsTable,
  ),
  ...ofEach({
    type: 'capital_category',
    where: `f.metric = 'pca_category'`,
    subject: 'f.metric',
    sentence: `concat('By its ratios it went from ', ${category('f.before')}, ' to ', ${category('f.value')}, ' in ', ${quarter}, ' (prompt corrective action)')`,
    path: '',
  }),
  ...ofEach({
    type: 'percentile_jump',
    where: `f.least < ${NEVER} AND ifNull(abs(f.percentile - f.percentile_before), 0) >= ${JUMP}`,
    ...{ subject: 'f.metric', value: 'f.percentile', before: 'f.percentile_before', unit: `'percent'` },
    ...{ change: 'f.percentile - f.percentile_before', threshold: String(JUMP) },
    sentence: `concat(f.label, ' went from the ', ${ordinal('assumeNotNull(f.percentile_before)')}, ' to the ', ${ordinal('assumeNotNull(f.percentile)')}, ' percentile of its cohort in ', ${quarter})`,
    path: '',
  }),
  filed({
    type: 'grade_change',
    where: `f.entity = 'bank' AND f.metric = 'overall_score' AND ${gradeOf('f.value')} != ${gradeOf('f.before')}`,
    ...{ subject: 'f.metric', change: 'f.change' },
    sentence: `concat('Scorecard grade', ${rose}, ' from ', ${gradeOf('f.before')}, ' to ', ${gradeOf('f.value')}, ' in ', ${quarter}, ': ', ${short('f.value')}, ' points after ', ${short('f.before')})`,
    path: '/banks/{id}/scorecard/',
  }),
  // the probability itself is of premium keys
  filed({
    type: 'risk_tier',
    where: `f.entity = 'bank' AND f.metric = 'failure_probability' AND ${tierOf('f.value')} != ${tierOf('f.before')}`,
    ...{ subject: `'risk_tier'`, value: 'NULL', before: 'NULL', percentile: 'NULL', unit: 'NULL' },
    sentence: `concat('Risk tier', ${rose}, ' from ', ${tierOf('f.before')}, ' to ', ${tierOf('f.value')}, ' in ', ${quarter}, ', by the failure model')`,
    path: '/banks/{id}/scorecard/composite/',
  }),
]
