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
  // by one thread: each would begin with a part of its own
  needs: `SELECT 1 FROM ${FACTS_BY_PERIOD} WHERE concept = {concept:String} LIMIT 1 SETTINGS max_threads = 1`,
  otherwise:
    'nothing is held of this concept: no registrant that is loaded tells it, or its taxonomy spells it otherwise (`Assets`, `NetIncomeLoss`)',
  binds: {},
}

/** Quarters that a period is long, give or take a month; 0 for an instant, 255 where it is no whole number of them. */
const quartersLong = `transform(roundDown(days, [0, 1, 61, 122, 152, 213, 243, 304, 335, 396]), [0, 61, 152, 243, 335], [0, 1, 2, 3, 4], 255)`

/**
 * A concept's periods as the last filing has each; ends of durations that round to the same month are one. `told` is sorted: by
 * filing, and what one tells twice by its end and length. Its tuples have no names, as those cost more than to read the rows.
 */
const resolved = `
SELECT cik, taxonomy, unit, ${quartersLong} AS quarters, if(quarters = 0, end_date, toLastDayOfMonth(addDays(end_date, -15))) AS at,
  toRelativeMonthNum(if(quarters = 0, addDays(at, -15), at)) AS n,
  arraySort(groupArray((filed_date, accession_number, end_date, days, value, start_date, form, frame))) AS told,
  told[-1] AS last, arrayLast(one -> one.5 != last.5, told) AS other, toUInt32(length(told)) AS filings, max(fiscal_period = 'FY') AS annual
FROM ${facts.name} WHERE ${behindBank} AND concept = {concept:String} AND quarters < 255
GROUP BY cik, taxonomy, unit, quarters, at`

/**
 * Beside each period whether a quarter ends with it, the one that began with it and was a quarter shorter, and the quarters
 * filed in the nine months before its last: what a quarter that no filing tells is worked out of.
 */
const besides = `
SELECT *, countIf(quarters = 1) OVER (PARTITION BY cik, taxonomy, unit ORDER BY n RANGE BETWEEN CURRENT ROW AND CURRENT ROW) > 0 AS has_quarter,
  lagInFrame(last) OVER longer AS shorter, lagInFrame(quarters, 1, 255) OVER longer AS shorter_quarters, groupArrayIf(last, quarters = 1) OVER year AS pieces
FROM (${resolved})
WINDOW longer AS (PARTITION BY cik, taxonomy, unit, n - 3 * quarters ORDER BY quarters ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
  year AS (PARTITION BY cik, taxonomy, unit ORDER BY n RANGE BETWEEN 9 PRECEDING AND 1 PRECEDING)`

/**
 * How a quarter is come by: 1 as filed, 2 from a year to date less the one before, 3 from a year less its other quarters, 0 not at
 * all. Only money adds up over a year.
 */
const byQuarter = `multiIf(quarters < 2, 1, has_quarter, 0, NOT match(unit, '^[A-Z]{3}$'), 0, shorter_quarters = quarters - 1, 2, quarters < 4, 0, length(pieces) = 3, 3, 0)`
/** The same of a year, or the end of one. */
const byYear = `multiIf(quarters = 4, 1, quarters > 0, 0, annual, 1, 0)`

/**
 * A concept by quarter or by year: of instants their days, of durations those of that length, and the quarters derived. What is
 * derived in which way is chosen once, for start, value and filings together, and without AND and OR: to work out the statement
 * costs more than to run it, and much of that is the engine comparing all conditions of these with one another.
 */
export const trend = (scope: Scope): string => `
SELECT cik, taxonomy, unit, derived, if(derived, concat('CY', toString(toYear(middle)), 'Q', toString(toQuarter(middle))), last.8) AS period,
  chosen.1 AS start_date, last.3 AS end_date, chosen.2 AS value, last.7 AS form, last.2 AS accession_number, last.1 AS filed_date, filings,
  if(replaces, other.5, NULL) AS replaced_value, if(replaces, other.2, NULL) AS replaced_accession_number, if(replaces, other.1, NULL) AS replaced_filed_date,
  arrayDistinct(arrayConcat([last.2], chosen.3)) AS accession_numbers
FROM (
  SELECT *, ${scope.is('frequency', 'quarter') ? byQuarter : byYear} AS how, (how > 1)::Bool AS derived, if(derived, false, other.2 != '') AS replaces, addDays(last.3, -45) AS middle,
    multiIf(how = 1, (last.6, last.5, []), how = 2, (addDays(shorter.3, 1), last.5 - shorter.5, [shorter.2]),
      (addDays(arrayMax(pieces.3), 1), last.5 - arraySum(pieces.5), pieces.2)) AS chosen
  FROM (${besides})
  WHERE how > 0
)`
