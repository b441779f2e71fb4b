/** Form 13F: what institutional managers hold of the securities of bank registrants. */
import { issuerName } from '../entities/names.ts'
import {
  code,
  computed,
  day,
  decimal,
  hidden,
  optional,
  orBlank,
  orNull,
  upper,
  whole,
  words,
} from './columns.ts'
import { type Form, hook, source, type TableDeclaration, tsv } from './declare.ts'
import { type Address, byQuarter, type Period } from './fetch.ts'
import { edgar, sec } from './sec.ts'
import { demo13fCovers, demo13fPositions, demo13fReports, demo13fSecurities } from './sec-13f-demo.ts'
import { cusipNumber, registrantNames } from './sec-securities.ts'

export const SECURITIES = 'sec_13f_securities'

const documents = (root: RegExp, expected: string): readonly Form[] => [
  tsv(),
  hook('sec-13f', {
    begins: (text) =>
      root.test(text.slice(0, 2000)) || /^CONFORMED SUBMISSION TYPE:[ \t]*13F-/m.test(text.slice(0, 4000)),
    expected,
    bundled: true,
  }),
]
const cover = documents(/<(\w+:)?edgarSubmission\b[^<>]*thirteenffiler/, 'the primary document of a Form 13F')
const table = documents(/<(\w+:)?informationTable\b/, 'an information table of Form 13F')

const accession_number = words('ACCESSION_NUMBER', { label: 'Accession number' })
const cusip = upper(
  words('CUSIP', {
    label: 'CUSIP',
    doc: 'Nine characters; the first six are the issuer’s.',
    take: (text) => `if(length(${text}) < 9, leftPad(${text}, 9, '0'), ${text})`,
  }),
)

const reports: TableDeclaration = {
  doc: 'A report of a manager, or an amendment of one.',
  columns: {
    accession_number,
    filed_date: day('FILING_DATE', { label: 'Filed' }),
    form: code('SUBMISSIONTYPE', { label: 'Form' }),
    manager_cik: whole('CIK', { label: 'CIK of the manager' }),
    period: day('PERIODOFREPORT', { label: 'Period' }),
  },
  unique: ['accession_number'],
  edition: { replaces: 'upsert' },
  time: { kind: 'quarter', column: 'period' },
  form: cover,
  demo: demo13fReports,
}

const covers: TableDeclaration = {
  doc: 'The cover page of such a report.',
  columns: {
    accession_number,
    manager: words('FILINGMANAGER_NAME', { label: 'Manager' }),
    report_type: orBlank(code('REPORTTYPE', { label: 'Kind of report' })),
    amendment: orNull(whole('AMENDMENTNO', { label: 'Amendment' })),
    amendment_type: orBlank(
      upper(
        code('AMENDMENTTYPE', {
          label: 'Kind of amendment',
          doc: 'RESTATEMENT replaces the report, NEW HOLDINGS adds to it.',
        }),
      ),
    ),
  },
  unique: ['accession_number'],
  edition: { replaces: 'upsert' },
  form: cover,
  sharesFiles: true,
  demo: demo13fCovers,
}

const securities: TableDeclaration = {
  doc: 'A security by CUSIP, and a name that managers give its issuer.',
  columns: {
    cusip,
    issuer: upper(words('NAMEOFISSUER', { label: 'Issuer' })),
    positions: computed('UInt64', 'toUInt64(1)', { doc: 'Positions under that name.', unit: 'count' }),
  },
  unique: ['cusip', 'issuer'],
  adds: ['positions'],
  edition: { replaces: 'upsert' },
  form: table,
  sharesFiles: true,
  link: {
    entity: 'sec_registrant',
    own: 'cusip',
    numbers: `[${cusipNumber('cusip')}]`,
    name: issuerName('issuer'),
    weight: 'positions',
  },
  demo: demo13fSecurities,
}

/** Of the securities that managers name like a registrant, or that its 13D and 13G documents name. */
const keep = `(SELECT count() FROM sec_registrants) = 0
  OR cusip IN (SELECT s.cusip FROM (SELECT cusip, issuer FROM {${SECURITIES}} UNION DISTINCT SELECT cusip, issuer FROM ${SECURITIES}) AS s
    WHERE ${registrantNames(issuerName('s.issuer'))})
  OR substring(cusip, 1, 6) IN (SELECT substring(cusip, 1, 6) FROM sec_beneficial_owners)
  OR cusip IN (SELECT own FROM link_corrections WHERE relation = '${SECURITIES}')`

const voting = (heading: string, label: string) => optional(decimal(heading, { label }))

const positions: TableDeclaration = {
  doc: 'A position of such a report.',
  columns: {
    accession_number,
    line: whole('INFOTABLE_SK', { label: 'Line' }),
    cusip,
    issuer: hidden(words('NAMEOFISSUER')),
    class: code('TITLEOFCLASS', { label: 'Class' }),
    value: decimal('VALUE', {
      label: 'Value as filed',
      doc: 'Thousands of dollars in what was filed before 2023, dollars since.',
    }),
    amount: decimal('SSHPRNAMT', { label: 'Shares or principal' }),
    amount_type: code('SSHPRNAMTTYPE', { label: 'Kind of amount', doc: 'SH shares, PRN principal.' }),
    option: orBlank(upper(code('PUTCALL', { label: 'Option', doc: 'PUT or CALL.' }))),
    discretion: orBlank(code('INVESTMENTDISCRETION', { label: 'Investment discretion' })),
    voting_sole: voting('VOTING_AUTH_SOLE', 'Sole voting authority'),
    voting_shared: voting('VOTING_AUTH_SHARED', 'Shared voting authority'),
    voting_none: voting('VOTING_AUTH_NONE', 'No voting authority'),
  },
  unique: ['accession_number', 'line'],
  edition: { replaces: 'upsert', same: ['accession_number'] },
  form: table,
  sharesFiles: true,
  keep,
  demo: demo13fPositions,
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Data sets hold what was filed in a quarter, since 2024 in three months that begin with December, March, June or September. */
function dataSet({ year, quarter }: Period): Address {
  if (year < 2024) return named(`${year}q${quarter}`)
  const [from, to] = [quarter * 3 - 4, quarter * 3 - 2]
  const last = new Date(Date.UTC(year, to + 1, 0)).getUTCDate()
  // the first one begins in January, as the quarters before it end in December
  if (year === 2024 && quarter === 1) return named(`01jan2024-${last}feb2024`)
  const begin = from < 0 ? `01dec${year - 1}` : `01${months[from]}${year}`
  return named(`${begin}-${last}${months[to]}${year}`)
}

const named = (period: string): Address => ({ name: `${period}_form13f.zip`, path: `/${period}_form13f.zip` })

export default source({
  key: 'sec-13f',
  name: 'SEC Form 13F',
  ...sec,
  address: 'https://www.sec.gov/data-research/sec-markets-data/form-13f-data-sets',
  what: 'Positions of institutional managers in securities of bank registrants since 2013, as data sets by quarter and as the documents themselves.',
  fetch: edgar({
    base: 'https://www.sec.gov/files/structureddata/data/form-13f-data-sets',
    addresses: (asked) => byQuarter(asked, '2013Q2', dataSet),
  }),
  tables: {
    sec_13f_reports: reports,
    sec_13f_covers: covers,
    [SECURITIES]: securities,
    sec_13f_positions: positions,
  },
})
