/** What datasets of filings have in common. */
import { REGISTRANT_DIRECTORY } from '../../../sql/registrants/index.ts'
import { FILINGS } from '../../../sql/sources/sec-filings.ts'
import { eventItems, meaningOfItem } from '../../../sql/sources/sec-items.ts'
import { type Column, code, id, text } from '../columns.ts'
import { type Dataset, type Declaration, dataset, type Example } from '../define.ts'
import { anyOf, oneOfMany, type Parameters, timeParameters } from '../parameters.ts'
import { columnsOf, declaredTable } from '../tables.ts'
import { askedRssdId, bankOfRegistrant, registrantNote, registrantSources } from './sec-registrant.ts'

export const filings = declaredTable(FILINGS)
export const filingWindow = timeParameters(filings.time)
export const filingSources = ['sec-submissions', 'sec-index', ...registrantSources.slice(1)] as const

/** SQL of the folder of a filing at the SEC. */
export const folder = `concat('https://www.sec.gov/Archives/edgar/data/', toString(cik), '/', replaceAll(accession_number, '-', ''), '/')`

export const filingPage = text('url', 'Page', {
  sql: `concat(${folder}, accession_number, '-index.htm')`,
  doc: 'The filing at the SEC, with all its documents.',
})
export const filingDocument = text('document_url', 'Primary document', {
  sql: `if(primary_document IS NULL, NULL, concat(${folder}, assumeNotNull(primary_document)))`,
  nullable: true,
  doc: 'Its address at the SEC; null where only an index tells of the filing.',
})

export const headerColumns = columnsOf(filings, [
  ...['cik', 'accession_number', 'form', 'filed_date', 'report_date', 'accepted', 'items', 'description'],
  ...['file_number', 'act', 'size', 'xbrl'],
])

export const formParameter = anyOf('form', {
  doc: 'Form as EDGAR names it, or several by comma: `10-K`, `10-K,10-K/A`. An amendment is a form of its own.',
  pattern: /^[A-Z0-9][A-Z0-9 ./-]{0,19}$/,
  form: 'letters, digits, blanks, “-”, “.” and “/”',
  upper: true,
  example: '10-K',
})

export const itemParameter = oneOfMany('item', Object.keys(eventItems), {
  doc: 'Item of Form 8-K, or several by comma: 2.02, 5.02. Whole numbers are items until August 2004.',
})

/**
 * SQL of whom a CIK stands for, looked up in what one scalar query tells of all registrants: a join would be made for each row
 * that is counted or passed over, these are worked out for those that are answered.
 */
const known = `(SELECT (arrayPushBack(groupArray(cik), 0), arrayPushBack(groupArray(name), ''), arrayPushBack(groupArray(ifNull(institution, 0)), 0)) FROM ${REGISTRANT_DIRECTORY})`
export const registrantOf = {
  name: `transform(cik, ${known}.1, ${known}.2, '')`,
  institution: `nullIf(transform(cik, ${known}.1, ${known}.3, toUInt32(0)), 0)`,
} as const

/** The registrant of a row in a feed, of whose relation they are columns. */
export const registrantColumns: readonly Column[] = [
  text('registrant', 'Registrant'),
  id('rssd_id', 'RSSD ID', {
    nullable: true,
    doc: 'Of the bank or the holding company that the registrant is; null where that is not certain.',
  }),
]

/** The same where the relation has the CIK alone. */
export const registrantsLookedUp: readonly Column[] = registrantColumns.map((column) => ({
  ...column,
  sql: column.name === 'registrant' ? registrantOf.name : registrantOf.institution,
}))

/** 8-K items as rows. @param reports a relation of such filings */
export const eventsOf = (reports: string): string =>
  `SELECT * EXCEPT items, item FROM ${reports} ARRAY JOIN items AS item`

export const eventColumns: readonly Column[] = [
  ...columnsOf(filings, ['cik', 'accession_number', 'form']),
  code('item', 'Item', { doc: 'Of Form 8-K.' }),
  text('meaning', 'What it tells', { sql: meaningOfItem('item') }),
  ...columnsOf(filings, ['filed_date', 'report_date', 'accepted']),
  filingDocument,
  filingPage,
]

/** A dataset of filings of one kind, of the registrants behind one bank, newest first. */
export function filingsOfBank(
  { key, summary, notes }: Pick<Declaration, 'key' | 'summary' | 'notes'>,
  options: {
    from: string
    /** Columns before those of the header, and after. */
    columns?: readonly Column[]
    further?: readonly Column[]
    parameters?: Parameters
    grain?: readonly string[]
    limit?: Declaration['limit']
    examples: readonly Example[]
  },
): Dataset {
  const { from, columns = [], parameters = {}, grain = [], limit, examples } = options
  return dataset({
    ...{ key, summary, from, examples },
    notes: [notes, registrantNote].filter(Boolean).join(' '),
    time: filings.time,
    grain: ['accession_number', 'cik', ...grain],
    order: ['-filed_date'],
    parameters: { rssd_id: bankOfRegistrant(), ...filingWindow, ...parameters },
    ...(limit && { limit }),
    columns: [
      askedRssdId,
      ...columns,
      ...(options.further ?? [...headerColumns, filingDocument, filingPage]),
    ],
    sources: [...filingSources],
  })
}

/** Filings that one of the conditions holds of, with the word for the first that does. */
export const kindsOf = (kinds: readonly (readonly [kind: string, condition: string])[]): string =>
  `SELECT *, multiIf(${kinds.map(([kind, condition]) => `${condition}, '${kind}'`).join(', ')}, '') AS kind
    FROM ${FILINGS} WHERE ${kinds.map(([, condition]) => `(${condition})`).join(' OR ')}`

/** SQL: a report of events that has one of the items. */
export const reports = (...items: string[]): string =>
  `startsWith(form, '8-K') AND hasAny(items, [${items.map((item) => `'${item}'`).join(', ')}])`

export const kindColumn = (doc: string): Column => code('kind', 'Kind', { doc })
