import { createHash } from 'node:crypto'
import { metrics } from '../../formula/metrics/index.ts'
import { figurePosition } from '../formulas.ts'
import { identitiesSql } from '../identity.ts'
import type { Guide, UbprConcept } from './guide.ts'
import { peerGroupSql } from './peer-groups.ts'

/**
 * Metrics that are a concept of the UBPR: those whose source is its code, alone or as the second of two names of the same
 * figure. A source that says more ("UBPRPG69, not tax-equivalent") is of a figure that differs.
 */
const standFor = metrics.flatMap((metric) => {
  const [code] = metric.source
    .split(';')
    .map((one) => one.trim())
    .filter((one) => /^UBPR[A-Z0-9]{4}$/.test(one))
  return code ? [{ metric, code }] : []
})

/** The concepts that the metric catalog has, in its order: what the UBPR is made of while no guide is loaded. */
export const catalogFigures: Guide = (() => {
  const seen = new Set<string>()
  const concepts = standFor.flatMap(({ metric, code }): (UbprConcept & { metric: string })[] => {
    if (seen.has(code)) return []
    seen.add(code)
    const { label, unit, key } = metric
    const narrative = metric.description ?? ''
    return [
      { code, label, narrative, unit, formula: `m:${key}[P0]`, origin: 'catalog', edition: '', metric: key },
    ]
  })
  const hash = createHash('sha256').update(JSON.stringify(concepts)).digest('hex')
  return { concepts, formulas: [], published: 0, refused: [], lines: [], hash }
})()

/** Takes the concepts of a quarter from the figures that are derived already. */
export function catalogFiguresSql(quarter: string): string {
  const positions = standFor
    .filter(({ code, metric }) =>
      catalogFigures.concepts.some((c) => c.code === code && c.formula === `m:${metric.key}[P0]`),
    )
    .map(({ metric }) => figurePosition(metric.key))
  const assets = `f.figures[${figurePosition('total_assets')}]`
  return `INSERT INTO ubpr_figures
SELECT
    f.report_date, f.rssd_id, ${peerGroupSql(quarter, assets)} AS peer_group,
    arrayMap(position -> ifNull(f.figures[position], nan), [${positions.join(', ')}]) AS values
FROM (SELECT * FROM bank_figures WHERE report_date = '${quarter}') AS f
LEFT JOIN (${identitiesSql([quarter])}) AS i ON i.rssd_id = f.rssd_id`
}
