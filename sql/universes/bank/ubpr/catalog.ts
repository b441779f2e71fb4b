import { createHash } from 'node:crypto'
import { dates } from '../../../derive/quarters.ts'
import type { Universe } from '../../../derive/universe.ts'
import { metrics } from '../../../formula/metrics/index.ts'
import { type Guide, type UbprConcept, version } from './guide.ts'
import { intoFigures } from './values.ts'

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
export function catalogFiguresSql({ tables, position }: Universe, quarters: readonly string[]): string {
  const figure = ({ formula }: UbprConcept) =>
    `figures[${position(formula.slice('m:'.length, -'[P0]'.length))}]`
  return intoFigures(
    quarters,
    `SELECT
        report_date, rssd_id, figures[${position('total_assets')}] AS assets,
        [${catalogFigures.concepts.map((concept) => `ifNull(${figure(concept)}, nan)`).join(', ')}] AS values
    FROM ${tables.figures} WHERE report_date IN (${dates(quarters)})`,
  )
}
