/** The table of filings, which submissions tell in full and EDGAR's indexes in part. */
import { columnType, computed, INSTANT, type Said, type SourceColumn } from './columns.ts'
import type { TableDeclaration } from './declare.ts'
import { secFilingsDemo } from './sec-filings-demo.ts'
import { REGISTRANTS } from './sec-registrants.ts'

export const FILINGS = 'sec_filings'
/** The same in the order of time, for feeds. */
export const FILING_FEED = 'sec_filing_feed'

/** Every column, with its type as the table has it, and what it means. */
const kept = {
  cik: ['UInt32', { label: 'CIK', doc: 'Central Index Key: EDGAR’s number of the registrant.' }],
  accession_number: ['String', { label: 'Accession number', doc: 'EDGAR’s number of the filing.' }],
  form: ['LowCardinality(String)', { label: 'Form', doc: 'As EDGAR names it: 10-K, 8-K/A, 424B2.' }],
  filed_date: ['Date32', { label: 'Filed' }],
  report_date: [
    'Nullable(Date32)',
    { label: 'Report date', doc: 'Period or event that it reports; null where it has none.' },
  ],
  accepted: [
    `Nullable(${INSTANT})`,
    { label: 'Accepted', doc: 'When EDGAR accepted it, UTC; null where only an index tells of it.' },
  ],
  items: [
    'Array(String)',
    {
      label: 'Items',
      doc: 'Numbers of the items that it reports, such as 2.02: of Form 8-K and few others.',
    },
  ],
  primary_document: ['Nullable(String)', { label: 'Primary document' }],
  description: ['Nullable(String)', { label: 'Description', doc: 'Of the primary document.' }],
  file_number: ['Nullable(String)', { label: 'File number' }],
  film_number: ['Nullable(String)', { label: 'Film number' }],
  act: [
    'LowCardinality(Nullable(String))',
    { label: 'Act', doc: 'Securities act that it is filed under: 33, 34, 40.' },
  ],
  size: ['Nullable(UInt64)', { label: 'Size', unit: 'bytes' }],
  xbrl: ['Nullable(Bool)', { label: 'XBRL', doc: 'Whether it has figures as XBRL.' }],
} as const satisfies Record<string, readonly [string, Said]>

type Name = keyof typeof kept

/** The table as a source fills it. @param told the columns that it tells, and those that it reads for them alone */
export function filingsTable(
  told: Readonly<Record<string, SourceColumn>> &
    Readonly<Record<'cik' | 'accession_number' | 'form' | 'filed_date', SourceColumn>>,
): TableDeclaration {
  const columns = (Object.keys(kept) as Name[]).map((name) => {
    const [type, said] = kept[name]
    const column = told[name] ?? untold(type)
    if (columnType(column) !== type)
      throw new Error(`the column ${name} of ${FILINGS} is ${columnType(column)}, not ${type}`)
    return [name, { ...column, ...said }] as const
  })
  return {
    doc: 'A filing with the SEC of a bank or of its holder.',
    columns: { ...told, ...Object.fromEntries(columns) },
    unique: ['cik', 'accession_number'],
    order: ['cik', 'filed_date', 'accession_number'],
    also: {
      [FILING_FEED]: { order: ['filed_date', 'accession_number', 'cik'], lookup: ['accession_number'] },
    },
    edition: { replaces: 'upsert' },
    time: { kind: 'day', column: 'filed_date' },
    keep: `cik IN (SELECT cik FROM {${REGISTRANTS}} UNION ALL SELECT cik FROM ${REGISTRANTS})`,
    demo: secFilingsDemo,
  }
}

/** A column of which the source tells nothing. */
function untold(type: string): SourceColumn {
  const bare = /^LowCardinality\((.*)\)$/.exec(type)?.[1]
  const column = computed(bare ?? type, type === 'Array(String)' ? '[]' : 'NULL')
  return bare === undefined ? column : { ...column, repeated: true }
}
