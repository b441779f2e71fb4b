import { compile, type Plan, renderSql } from '../../formula/index.ts'
import { officesItem } from '../../formula/metrics/terms.ts'
import { identitiesSql } from '../identity.ts'
import { dates, quarterBefore } from '../quarters.ts'
import { type Guide, isItem } from './guide.ts'
import { peerGroupSql } from './peer-groups.ts'
import { fractionItems } from './units.ts'

const quoted = (items: readonly string[]) => items.map((item) => `'${item}'`).join(', ')

/** What the filings of any quarter must be pivoted to for a guide's formulas. */
export interface Needs {
  /** Items in the order of `ubpr_filings.values`: those looked back on the farthest come first. */
  items: readonly string[]
  /** Quarters looked back on, ascending, with 0. */
  offsets: readonly number[]
}

export function needsOf(guide: Guide): Needs {
  const { formulas, outputs } = compilation(guide)
  // Without a report date every branch of every year is in the plan.
  const { inputs, offsets } = compile({ formulas, outputs, items: isItem })
  const depth = new Map<string, number>()
  for (const { item, offset } of inputs) depth.set(item, Math.max(offset, depth.get(item) ?? 0))
  const items = [...depth.keys()]
    .filter((item) => item !== officesItem)
    .sort((a, b) => depth.get(b)! - depth.get(a)! || (a < b ? -1 : 1))
  return { items, offsets }
}

const compilation = ({ formulas, concepts }: Guide) => ({
  formulas,
  outputs: concepts.map(({ code }) => `uc:${code}`),
})

/**
 * The filings of the quarter `{quarter:Date}` as arrays in the order of the needed items. The guide's formulas are those
 * of XBRL, where a ratio that filers report is a fraction: we keep percent, and give them the fraction.
 */
export const pivotSql = ({ items }: Needs): string => `INSERT INTO ubpr_filings
SELECT {quarter:Date} AS report_date, rssd_id, f.form AS form, arrayMap(value -> if(isNaN(value), NULL, value), numbers)
FROM
(
    SELECT
        rssd_id,
        groupArrayInsertAt(nan, ${items.length})(
            if(substring(mdrm, 5) IN (${quoted(fractionItems)}), assumeNotNull(value) / 100, assumeNotNull(value)),
            transform(mdrm, [${quoted(items)}], range(${items.length}), 0)::UInt32
        ) AS numbers
    FROM call_report_items
    WHERE report_date = {quarter:Date} AND value IS NOT NULL AND mdrm IN (${quoted(items)})
    GROUP BY rssd_id
) AS i
INNER JOIN (SELECT rssd_id, form FROM filers WHERE report_date = {quarter:Date} AND cert > 0) AS f ON f.rssd_id = i.rssd_id`

/** The plan of one quarter: its date folds branches of other years away. */
export const planOf = (guide: Guide, quarter: string): Plan =>
  compile({ ...compilation(guide), items: isItem, reportDate: quarter })

/** Works out every concept of a quarter's filings, and the peer group of each. */
export function valuesSql(guide: Guide, needs: Needs, quarter: string): string {
  const plan = planOf(guide, quarter)
  const evaluated = renderSql(plan, {
    relation: `(${filingsSql(plan, needs, quarter)})`,
    keep: ['report_date', 'rssd_id'],
    dictionary: [...needs.items, officesItem],
    outputs: 'array',
  })
  const assets = guide.concepts.findIndex(({ code }) => code === 'UBPR2170') + 1
  return `INSERT INTO ubpr_figures
SELECT
    v.report_date, v.rssd_id, ${peerGroupSql('v.report_date', assets === 0 ? 'NULL' : `v.metrics[${assets}]`)} AS peer_group,
    arrayMap(value -> ifNull(value, nan), v.metrics) AS values
FROM (${evaluated}) AS v
LEFT JOIN (${identitiesSql([quarter])}) AS i ON i.rssd_id = v.rssd_id`
}

/** One row a filing, with what the plan needs of the quarters that it looks back on as `p0`, `p1` … */
function filingsSql(plan: Plan, { items }: Needs, quarter: string): string {
  const position = new Map(items.map((item, index) => [item, index + 1]))
  const deepest = (k: number) =>
    Math.max(
      0,
      ...plan.inputs.filter(({ offset }) => offset === k).map(({ item }) => position.get(item) ?? 0),
    )
  const earlier = plan.offsets.filter((k) => k > 0)
  const withForm = new Set(plan.formOffsets)
  const joins = earlier.map(
    (k) => `LEFT JOIN (
    SELECT rssd_id, arraySlice(values, 1, ${deepest(k)}) AS values, toNullable(toString(form)) AS form
    FROM ubpr_filings WHERE report_date IN (${dates([quarterBefore(quarter, k)])})
) AS f${k} ON f${k}.rssd_id = f0.rssd_id`,
  )
  const columns = plan.offsets.flatMap((k) => [
    k === 0
      ? 'arrayPushBack(f0.values, CAST(i.offices AS Nullable(Float64))) AS p0'
      : `f${k}.values AS p${k}`,
    ...(withForm.has(k)
      ? [k === 0 ? 'toNullable(toString(f0.form)) AS form0' : `f${k}.form AS form${k}`]
      : []),
  ])
  return `SELECT f0.report_date AS report_date, f0.rssd_id AS rssd_id, ${columns.join(', ')}
FROM (SELECT * FROM ubpr_filings WHERE report_date IN (${dates([quarter])})) AS f0
LEFT JOIN (${identitiesSql([quarter])}) AS i ON i.rssd_id = f0.rssd_id
${joins.join('\n')}`
}
