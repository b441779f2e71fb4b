/** Formal enforcement actions in force against banks, as the scorecard counts them: docs/scorecard.md says which and why. */
import { dates } from '../../derive/quarters.ts'
import type { Universe } from '../../derive/universe.ts'
import { draftStep, LINK_DRAFT, linkedSql } from '../../entities/links.ts'
import { quotedList } from '../../quoted.ts'
import { ENFORCEMENT } from '../../sources/enforcement.ts'
import { linkedTables } from '../../sources/index.ts'
import { type Making, makeSteps } from '../../steps/steps.ts'

/** Of the vocabulary of types, those that bind the bank itself to mend how it is run. */
export const formalTypes = [
  'prompt_corrective_action',
  'capital_directive',
  'safety_and_soundness_order',
  'cease_and_desist',
  'formal_agreement',
] as const

/** A notice only charges; a memorandum of understanding is informal; what names persons is against them. */
const formal = `hasAny(types, ${quotedList([...formalTypes])}) AND NOT has(types, 'notice')
    AND NOT match(lower(agency_type), 'memorandum|understanding') AND empty(persons)`

const table = 'bank_orders'
const links = linkedTables.filter(({ relation, entity }) => relation === ENFORCEMENT && entity === 'bank')

/**
 * Makes the table of those actions with the banks that they are against, before figures are derived. Links to all sources are
 * made when figures are there; these need none of them: without a size, of namesakes whose place is not told nobody is meant.
 */
export async function writeOrders(making: Making, banks: Universe): Promise<void> {
  const { entity, id, idLabel, names, numbers } = banks
  const kinds = [{ entity, id, idLabel, ...(names && { names }), ...(numbers && { numbers }) }]
  const step = {
    name: table,
    makes: {
      [table]:
        '(rssd_id UInt32, start_date Date32, end_date Nullable(Date32)) ENGINE = MergeTree ORDER BY rssd_id',
    },
    needs: [ENFORCEMENT],
    fill: [
      `INSERT INTO ${table} SELECT DISTINCT assumeNotNull(rssd_id), start_date, end_date
FROM (${linkedSql(links, kinds, LINK_DRAFT)}) WHERE rssd_id IS NOT NULL AND ${formal}`,
    ],
  }
  await makeSteps(making, [draftStep(step, links, kinds)])
}

/** Those in force at the end of a quarter: begun by then, and not ended by then. `report_date, rssd_id, orders`. */
const inForce = (quarters: string): string => `
SELECT q.report_date AS report_date, o.rssd_id AS rssd_id, count() AS orders FROM (${quarters}) AS q CROSS JOIN ${table} AS o
WHERE o.start_date <= q.report_date AND (o.end_date IS NULL OR o.end_date > q.report_date) GROUP BY report_date, rssd_id`

/** How many of them each bank has at some quarters; banks without any have no row. */
export const ordersSql = (quarters: readonly string[]): string =>
  inForce(`SELECT arrayJoin([${dates(quarters)}]::Array(Date)) AS report_date`)

/** Of each quarter that has any, a hash of who is under one: `report_date, orders_hash`. */
export const ordersHashSql = `
SELECT report_date, toString(sum(cityHash64(rssd_id))) AS orders_hash
FROM (${inForce('SELECT DISTINCT report_date FROM filers')}) GROUP BY report_date`
