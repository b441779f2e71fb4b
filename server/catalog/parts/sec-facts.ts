/** XBRL facts: what their datasets have in common, and how periods are resolved. */
import { FACTS, FACTS_BY_PERIOD } from '../../../sql/sources/sec-fact-table.ts'
import { word } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import type { Step } from '../step.ts'
import { declaredTable } from '../tables.ts'
import { behindBank, registrantSources } from './sec-registrant.ts'

export const facts = declaredTable(FACTS)

export const factSources = ['sec-facts', 'sec-statements', ...registrantSources] as const

/** Names of concepts are spelled as their taxonomy does. */
export const conceptNames = {
  pattern: /^[A-Za-z][A-Za-z0-9_.-]{0,254}$/,
  form: 'a name such as NetIncomeLoss',
}

export const concept = (where?: string) =>
  word({
    doc: 'Name of the concept in its taxonomy, such as `Assets`; upper and lower case count.',
    pattern: conceptNames.pattern,
    noun: 'concept',
    example: 'Assets',
    ...(where !== undefined && { where }),
  })

/** A concept that no registrant tells is not found; one that this registrant does not tell has no rows. */
export const knownConcept: Step = {
  needs: `SELECT 1 FROM ${FACTS_BY_PERIOD} WHERE concept = {concept:String} LIMIT 1`,
  otherwise:
    'nothing is held of this concept: no registrant that is loaded tells it, or its taxonomy spells it otherwise (`Assets`, `NetIncomeLoss`)',
  binds: {},
}

/** Quarters that a period is long, give or take a month; 0 for an instant, NULL where it is no whole number of them. */
const quartersLong = `multiIf(days = 0, 0, days BETWEEN 61 AND 121, 1, days BETWEEN 152 AND 212, 2, days BETWEEN 243 AND 303, 3, days BETWEEN 335 AND 395, 4, NULL)`

/** A concept's periods as the last filing has each; ends of durations that round to the same month are one. */
const resolved = `
SELECT cik, taxonomy, unit, assumeNotNull(${quartersLong}) AS quarters,
  toLastDayOfMonth(addDays(end_date, -15)) AS month, if(quarters = 0, end_date, month) AS at, toYear(month) * 12 + toMonth(month) AS n,
  arraySort(one -> (one.1, one.2), groupArray((filed_date, accession_number, value, start_date, end_date, form, frame))) AS told,
  told[-1] AS last, arrayLast(one -> one.3 != last.3, told) AS other, toUInt32(length(told)) AS filings, max(fiscal_period = 'FY') AS annual
FROM ${facts.name} WHERE ${behindBank} AND concept = {concept:String} AND ${quartersLong} IS NOT NULL
GROUP BY cik, taxonomy, unit, quarters, month, at, n`

/**
 * Beside each period the one that began with it and was a quarter shorter, and the quarters filed in the nine months before
 * its last: what a quarter that no filing tells is worked out of.
 */
const besides = `
SELECT *, max(quarters = 1) OVER (PARTITION BY cik, taxonomy, unit, n) AS has_quarter,
  lagInFrame(last) OVER longer AS shorter, lagInFrame(quarters, 1, 255) OVER longer AS shorter_quarters,
  countIf(quarters = 1) OVER year AS pieces, sumIf(last.3, quarters = 1) OVER year AS sum_of_pieces,
  groupArrayIf((last.1, last.2, last.5), quarters = 1) OVER year AS list_of_pieces
FROM (${resolved})
WINDOW longer AS (PARTITION BY cik, taxonomy, unit, n - 3 * quarters ORDER BY quarters ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
  year AS (PARTITION BY cik, taxonomy, unit ORDER BY n RANGE BETWEEN 9 PRECEDING AND 1 PRECEDING)`

/** From a year to date less the one before, else from a year less its other quarters. Only money adds up over a year. */
const steps = `quarters > 1 AND shorter_quarters = quarters - 1`
const fromPieces = `quarters = 4 AND pieces = 3`
const derivable = `quarters > 1 AND NOT has_quarter AND match(unit, '^[A-Z]{3}$') AND ((${steps}) OR (${fromPieces}))`

/**
 * A concept by quarter or by year: of instants their days, of durations those of that length, and the quarters derived. What is
 * derived in which way is chosen once, for start, value and filings together: to work out the statement costs more than to run it.
 */
export const trend = (scope: Scope): string => `
SELECT cik, taxonomy, unit, derived, if(derived, concat('CY', toString(toYear(middle)), 'Q', toString(toQuarter(middle))), last.7) AS period,
  chosen.1 AS start_date, last.5 AS end_date, chosen.2 AS value, last.6 AS form, last.2 AS accession_number, last.1 AS filed_date, filings,
  if(replaces, other.3, NULL) AS replaced_value, if(replaces, other.2, NULL) AS replaced_accession_number, if(replaces, other.1, NULL) AS replaced_filed_date,
  arrayDistinct(arrayConcat([last.2], chosen.3)) AS accession_numbers
FROM (
  SELECT *, ${scope.is('frequency', 'quarter') ? '(quarters > 1)::Bool' : 'false'} AS derived, NOT derived AND other.2 != '' AS replaces, addDays(last.5, -45) AS middle,
    multiIf(NOT derived, (last.4, last.3, []), ${steps}, (addDays(shorter.5, 1), last.3 - shorter.3, [shorter.2]),
      (addDays(arrayMax(list_of_pieces.3), 1), last.3 - sum_of_pieces, list_of_pieces.2)) AS chosen
  FROM (${besides})
  WHERE ${scope.is('frequency', 'year') ? 'quarters = 4 OR (quarters = 0 AND annual)' : `quarters < 2 OR (${derivable})`}
)`
