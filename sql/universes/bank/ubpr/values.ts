import { evaluatedSql } from '../../../derive/evaluate.ts'
import { Formulas } from '../../../derive/formulas.ts'
import type { Universe } from '../../../derive/universe.ts'
import { officesItem } from '../../../formula/metrics/terms.ts'
import { quotedAll } from '../../../quoted.ts'
import { identitiesSql } from '../identity.ts'
import { type Guide, isItem } from './guide.ts'
import { facts, peerGroupSql } from './peer-groups.ts'
import { fractionItems } from './units.ts'

const fractions = quotedAll(fractionItems)

/**
 * A guide's formulas as they are worked out. They are those of XBRL, where a ratio that filers report is a fraction: we keep
 * percent, and give them the fraction.
 */
export const formulasOf = ({ formulas, concepts }: Guide): Formulas =>
  new Formulas({
    formulas,
    outputs: concepts.map(({ code }) => `uc:${code}`),
    known: isItem,
    filings: 'ubpr_filings',
    computed: {
      items: [officesItem],
      sql: (quarters) =>
        `SELECT report_date, rssd_id, [CAST(offices AS Nullable(Float64))] AS computed FROM (${identitiesSql(quarters)})`,
    },
    taken: (code, value) => `if(substring(${code}, 5) IN (${fractions}), ${value} / 100, ${value})`,
    dated: true,
  })

/** Works out every concept of the filings of some quarters, and the peer group of each. */
export function valuesSql(
  banks: Universe,
  { concepts }: Guide,
  formulas: Formulas,
  quarters: readonly string[],
): string {
  const assets = concepts.findIndex(({ code }) => code === 'UBPR2170') + 1
  return intoFigures(
    quarters,
    `SELECT
        report_date, rssd_id, ${assets === 0 ? 'CAST(NULL AS Nullable(Float64))' : `metrics[${assets}]`} AS assets,
        arrayMap(value -> ifNull(value, nan), metrics) AS values
    FROM (${evaluatedSql(banks, formulas, quarters)})`,
  )
}

/** Rows of `report_date, rssd_id, assets, values` into the figures, each with its group. */
export const intoFigures = (
  quarters: readonly string[],
  relation: string,
): string => `INSERT INTO ubpr_figures
SELECT report_date, rssd_id, ${peerGroupSql} AS peer_group, values
FROM
(
    SELECT v.report_date AS report_date, v.rssd_id AS rssd_id, v.values AS values, ${facts('v.report_date', 'v.assets')}
    FROM (${relation}) AS v
    LEFT JOIN (${identitiesSql(quarters)}) AS i ON i.rssd_id = v.rssd_id AND i.report_date = v.report_date
)`
