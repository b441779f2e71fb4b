import { createHash } from 'node:crypto'
import { metrics } from '../../formula/metrics/index.ts'
import { figurePosition } from '../formulas.ts'
import { identitiesSql } from '../identity.ts'
import { dates } from '../quarters.ts'
import { type Guide, type UbprConcept, version } from './guide.ts'
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
  const hash = createHash('sha256')
    .update(JSON.stringify([version, concepts]))
    .digest('hex')
  return { concepts, formulas: [], published: 0, refused: [], lines: [], hash }
})()

/**
 * Takes the concepts of some quarters from the figures that are derived already: the planning is shared. Element by
 * element, as a lambda that looks into the array would copy it for each.
 */
export function catalogFiguresSql(quarters: readonly string[]): string {
  const position = new Map(metrics.map(({ key }) => [`m:${key}[P0]`, figurePosition(key)]))
  const positions = catalogFigures.concepts.map(({ formula }) => position.get(formula)!)
  const assets = `f.figures[${figurePosition('total_assets')}]`
  return `INSERT INTO ubpr_figures
SELECT
    f.report_date, f.rssd_id, ${peerGroupSql('f.report_date', assets)} AS peer_group,
    [${positions.map((at) => `ifNull(f.figures[${at}], nan)`).join(', ')}] AS values
FROM (SELECT * FROM bank_figures WHERE report_date IN (${dates(quarters)})) AS f
LEFT JOIN (${identitiesSql(quarters)}) AS i ON i.rssd_id = f.rssd_id AND i.report_date = f.report_date`
}
