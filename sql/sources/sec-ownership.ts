/** Forms 3, 4 and 5: what insiders of registrants hold and trade, as documents and as the SEC's data sets. */
import {
  code,
  computed,
  day,
  decimal,
  flag,
  hidden,
  list,
  optional,
  orBlank,
  orNull,
  type SourceColumn,
  whole,
  words,
} from './columns.ts'
import { type Form, hook, source, type TableDeclaration, tsv } from './declare.ts'
import { byQuarter } from './fetch.ts'
import { edgar, sec } from './sec.ts'
import { documentsLacking, filingsLacking } from './sec-documents.ts'
import { FILINGS } from './sec-filings.ts'
import { insiderFilingsDemo, insiderLinesDemo, insiderOwnersDemo } from './sec-ownership-demo.ts'
import { ofRegistrants } from './sec-securities.ts'

/** Codes of transactions of Forms 4 and 5, as the general instructions explain them. */
export const transactionCodes = {
  P: 'Purchase in the open market or privately',
  S: 'Sale in the open market or privately',
  V: 'Transaction reported earlier than it had to be',
  A: 'Grant, award or other acquisition from the issuer',
  D: 'Disposition to the issuer',
  F: 'Payment of exercise price or tax by delivering or withholding securities',
  I: 'Discretionary transaction of a plan of the issuer',
  M: 'Exercise or conversion of a derivative security that is exempt',
  C: 'Conversion of a derivative security',
  E: 'Expiration of a short derivative position',
  H: 'Expiration or cancellation of a long derivative position with value received',
  O: 'Exercise of an out-of-the-money derivative security',
  X: 'Exercise of an in-the-money or at-the-money derivative security',
  G: 'Bona fide gift',
  L: 'Small acquisition',
  W: 'Acquisition or disposition by will or the laws of descent',
  Z: 'Deposit into or withdrawal from a voting trust',
  J: 'Other, which a footnote explains',
  K: 'Equity swap or the like',
  U: 'Disposition in a tender for control of the issuer',
} as const

const form: readonly Form[] = [
  tsv(),
  hook('sec-ownership', {
    begins: (text) =>
      /<ownershipDocument\b/.test(text.slice(0, 2000)) ||
      /^CONFORMED SUBMISSION TYPE:[ \t]*[345](\/A)?\s*$/m.test(text.slice(0, 4000)),
    expected: 'a Form 3, 4 or 5 with <ownershipDocument>',
    bundled: true,
  }),
]

const accession_number = words('ACCESSION_NUMBER', { label: 'Accession number' })
const amount = (heading: string, said: Parameters<typeof decimal>[1] = {}) => optional(decimal(heading, said))
const ofFiling = { edition: { replaces: 'upsert', same: ['accession_number'] }, form } as const
const keep = 'accession_number IN (SELECT accession_number FROM {sec_insider_filings})'

const filings: TableDeclaration = {
  ...ofFiling,
  doc: 'A Form 3, 4 or 5, or an amendment of one.',
  columns: {
    accession_number,
    filed_date: day('FILING_DATE', { label: 'Filed' }),
    period: orNull(day('PERIOD_OF_REPORT', { label: 'Period of the report' })),
    original_date: orNull(
      day('DATE_OF_ORIG_SUB', {
        label: 'Filed first',
        doc: 'Of an amendment: when what it amends was filed.',
      }),
    ),
    form: code('DOCUMENT_TYPE', { label: 'Form', doc: '3, 4 or 5, and /A behind it for an amendment.' }),
    cik: whole('ISSUERCIK', { label: 'CIK', doc: 'Of the issuer.' }),
    issuer: code('ISSUERNAME', { label: 'Issuer' }),
    ticker: orBlank(code('ISSUERTRADINGSYMBOL', { label: 'Ticker', absent: ['NONE', 'N/A'] })),
    plan_10b5_1: optional(
      flag('AFF10B5ONE', {
        label: 'Plan under Rule 10b5-1',
        doc: 'Whether a transaction was made under a plan of Rule 10b5-1(c); asked since April 2023.',
      }),
    ),
    remarks: optional(words('REMARKS')),
  },
  unique: ['accession_number'],
  time: { kind: 'day', column: 'filed_date' },
  keep: ofRegistrants,
  demo: insiderFilingsDemo,
}

const owners: TableDeclaration = {
  ...ofFiling,
  doc: 'A reporting owner of such a form.',
  columns: {
    accession_number,
    owner_cik: whole('RPTOWNERCIK', { label: 'CIK of the owner' }),
    owner: words('RPTOWNERNAME', { label: 'Owner' }),
    roles: orBlank(
      list('RPTOWNER_RELATIONSHIP', ',', {
        label: 'Roles',
        doc: 'Director, Officer, TenPercentOwner or Other.',
      }),
    ),
    title: optional(words('RPTOWNER_TITLE', { label: 'Title', doc: 'Of an officer.' })),
    other: optional(words('RPTOWNER_TXT', { label: 'Other relationship' })),
  },
  unique: ['accession_number', 'owner_cik'],
  sharesFiles: true,
  keep,
  demo: insiderOwnersDemo,
}

/** Numbers of lines of the four lists: which of them is there tells the list. */
const numbers: Readonly<Record<string, SourceColumn>> = {
  transaction_number: hidden(optional(whole('NONDERIV_TRANS_SK'))),
  holding_number: hidden(optional(whole('NONDERIV_HOLDING_SK'))),
  derivative_transaction_number: hidden(optional(whole('DERIV_TRANS_SK'))),
  derivative_holding_number: hidden(optional(whole('DERIV_HOLDING_SK'))),
}
const [, holding, derivative, derivativeHolding] = Object.keys(numbers)

const lines: TableDeclaration = {
  ...ofFiling,
  doc: 'A line of such a form: a transaction, or a holding without one.',
  columns: {
    accession_number,
    ...numbers,
    derivative: computed('Bool', `${derivative} IS NOT NULL OR ${derivativeHolding} IS NOT NULL`, {
      doc: 'Whether the line is of a derivative security, such as an option (Table II of the form).',
    }),
    holding: computed('Bool', `${holding} IS NOT NULL OR ${derivativeHolding} IS NOT NULL`, {
      doc: 'Whether it tells a holding alone.',
    }),
    line: computed('UInt32', `assumeNotNull(coalesce(${Object.keys(numbers).join(', ')}, 0))`, {
      doc: 'Number of the line among those of its kind.',
    }),
    security: words('SECURITY_TITLE', { label: 'Security' }),
    date: orNull(day('TRANS_DATE', { label: 'Transaction' })),
    deemed_date: orNull(day('DEEMED_EXECUTION_DATE', { label: 'Deemed executed' })),
    code: orBlank(code('TRANS_CODE', { label: 'Code' })),
    equity_swap: optional(flag('EQUITY_SWAP_INVOLVED', { label: 'Equity swap involved' })),
    timeliness: orBlank(code('TRANS_TIMELINESS', { label: 'Timeliness', doc: 'E early, L late.' })),
    shares: amount('TRANS_SHARES', { label: 'Shares' }),
    total_value: amount('TRANS_TOTAL_VALUE', {
      label: 'Value, where no shares are told',
      unit: 'US dollars',
    }),
    price: amount('TRANS_PRICEPERSHARE', { label: 'Price', unit: 'US dollars' }),
    direction: orBlank(
      code('TRANS_ACQUIRED_DISP_CD', { label: 'Direction', doc: 'A acquired, D disposed of.' }),
    ),
    exercise_price: amount('CONV_EXERCISE_PRICE', {
      label: 'Conversion or exercise price',
      unit: 'US dollars',
    }),
    exercise_date: orNull(day('EXCERCISE_DATE | EXERCISE_DATE', { label: 'Exercisable' })),
    expiration_date: orNull(day('EXPIRATION_DATE', { label: 'Expires' })),
    underlying: optional(words('UNDLYNG_SEC_TITLE', { label: 'Underlying security' })),
    underlying_shares: amount('UNDLYNG_SEC_SHARES', { label: 'Underlying shares' }),
    shares_after: amount('SHRS_OWND_FOLWNG_TRANS', { label: 'Shares held after it' }),
    value_after: amount('VALU_OWND_FOLWNG_TRANS', { label: 'Value held after it', unit: 'US dollars' }),
    ownership: orBlank(
      code('DIRECT_INDIRECT_OWNERSHIP', { label: 'Ownership', doc: 'D direct, I indirect.' }),
    ),
    nature: optional(words('NATURE_OF_OWNERSHIP', { label: 'Nature of indirect ownership' })),
  },
  unique: ['accession_number', 'derivative', 'holding', 'line'],
  sharesFiles: true,
  keep,
  demo: insiderLinesDemo,
}

export default source({
  key: 'sec-ownership',
  name: 'SEC Forms 3, 4 and 5',
  ...sec,
  address: 'https://www.sec.gov/data-research/sec-markets-data/insider-transactions-data-sets',
  what: 'Holdings and transactions of insiders of bank registrants since 2006, as data sets by quarter and as the documents themselves.',
  fetch: edgar({
    base: 'https://www.sec.gov/files/structureddata/data/insider-transactions-data-sets',
    note: 'A data set of each quarter, and the forms of registrants that were filed since the newest of them.',
    among: filingsLacking(
      ['3', '4', '5'],
      'sec_insider_filings',
      `(SELECT max(filed_date) FROM ${FILINGS}) - 100`,
    ),
    addresses: (asked) => {
      let after = ''
      const sets = byQuarter(asked, '2006Q1', ({ year, quarter, end }) => {
        const name = `${year}q${quarter}_form345.zip`
        if (asked.had(name) !== undefined) after = end
        return { name, path: `/${name}` }
      })
      return [...sets, ...documentsLacking(asked, after)]
    },
  }),
  tables: { sec_insider_filings: filings, sec_insider_owners: owners, sec_insider_lines: lines },
})
