/** What datasets of the SEC's filings have in common. */
import { BANK_REGISTRANTS } from '../../../sql/registrants/index.ts'
import { REGISTRANTS } from '../../../sql/sources/sec-registrants.ts'
import { code, id, rssdId } from '../columns.ts'
import { bank } from '../parameters.ts'
import { declaredTable } from '../tables.ts'

export const registrants = declaredTable(REGISTRANTS)

/** Who a registrant is and whom it stands for rests on these, beside what a dataset reads itself. */
export const registrantSources = [
  'sec-submissions',
  'nic-attributes',
  'nic-relationships',
  'fdic-institutions',
] as const

/** SQL condition on a relation with a CIK: rows of the registrants behind the bank of the path. */
export const behindBank = `cik IN (SELECT cik FROM ${BANK_REGISTRANTS} WHERE rssd_id = {rssd_id:UInt32})`

/** The bank of a path `/banks/{rssd_id}/sec/…`: it chooses the rows of its registrants. */
export const bankOfRegistrant = () => ({ ...bank(), where: behindBank })

/** The bank that was asked for, beside rows of its registrant. */
export const askedRssdId = { ...rssdId, sql: '{rssd_id:UInt32}' }

export const cik = id('cik', 'CIK', { doc: 'Central Index Key: EDGAR’s number of the registrant.' })

export const via = code('via', 'By way of', {
  doc: 'Whether the registrant is the bank itself, or the highest of its holders that is one.',
})

/** What to know of every dataset under a bank. */
export const registrantNote =
  'Banks seldom register securities themselves: the registrant is the bank where it is one, else the highest of its holders that is. A bank without either has no rows.'
