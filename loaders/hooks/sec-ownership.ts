import type { WholeDocument, WholeReading } from '../declared/whole.ts'
import { LoadError } from '../lib/errors.ts'
import {
  all,
  at,
  type EdgarFiling,
  type Fields,
  fieldsAt,
  isoDay,
  newest,
  readFilings,
  textAt,
} from './edgar-documents.ts'

/** Forms 3, 4 and 5 under the headings of the SEC's Insider Transactions Data Sets. */
export function read(document: WholeDocument): WholeReading {
  const table = tables[document.table!]!
  return readFilings(document, ['ACCESSION_NUMBER', ...table.header], (filing) => {
    const form = at(filing.roots, 'ownershipDocument')
    if (form === undefined) throw new LoadError(`${filing.accession}: holds no ownershipDocument`)
    return table.rows(form, filing).map((row) => ({ ACCESSION_NUMBER: filing.accession, ...row }))
  })
}

interface TableOf {
  readonly header: readonly string[]
  rows(form: unknown, filing: EdgarFiling): Fields[]
}

const relationships = ['Director', 'Officer', 'TenPercentOwner', 'Other']
const isYes = (text: string) => text === '1' || text.toLowerCase() === 'true'

/** Where a line has what a heading names. */
const places: Fields = {
  SECURITY_TITLE: 'securityTitle',
  CONV_EXERCISE_PRICE: 'conversionOrExercisePrice',
  TRANS_DATE: 'transactionDate',
  DEEMED_EXECUTION_DATE: 'deemedExecutionDate',
  TRANS_FORM_TYPE: 'transactionCoding.transactionFormType',
  TRANS_CODE: 'transactionCoding.transactionCode',
  EQUITY_SWAP_INVOLVED: 'transactionCoding.equitySwapInvolved',
  TRANS_TIMELINESS: 'transactionTimeliness',
  TRANS_SHARES: 'transactionAmounts.transactionShares',
  TRANS_TOTAL_VALUE: 'transactionAmounts.transactionTotalValue',
  TRANS_PRICEPERSHARE: 'transactionAmounts.transactionPricePerShare',
  TRANS_ACQUIRED_DISP_CD: 'transactionAmounts.transactionAcquiredDisposedCode',
  EXCERCISE_DATE: 'exerciseDate',
  EXPIRATION_DATE: 'expirationDate',
  UNDLYNG_SEC_TITLE: 'underlyingSecurity.underlyingSecurityTitle',
  UNDLYNG_SEC_SHARES: 'underlyingSecurity.underlyingSecurityShares',
  UNDLYNG_SEC_VALUE: 'underlyingSecurity.underlyingSecurityValue',
  SHRS_OWND_FOLWNG_TRANS: 'postTransactionAmounts.sharesOwnedFollowingTransaction',
  VALU_OWND_FOLWNG_TRANS: 'postTransactionAmounts.valueOwnedFollowingTransaction',
  DIRECT_INDIRECT_OWNERSHIP: 'ownershipNature.directOrIndirectOwnership',
  NATURE_OF_OWNERSHIP: 'ownershipNature.natureOfOwnership',
}

/** The lists of lines, each with the heading of the number of its lines. */
const lists: Fields = {
  NONDERIV_TRANS_SK: 'nonDerivativeTable.nonDerivativeTransaction',
  NONDERIV_HOLDING_SK: 'nonDerivativeTable.nonDerivativeHolding',
  DERIV_TRANS_SK: 'derivativeTable.derivativeTransaction',
  DERIV_HOLDING_SK: 'derivativeTable.derivativeHolding',
}

const filings: TableOf = {
  header: [
    ...['FILING_DATE', 'PERIOD_OF_REPORT', 'DATE_OF_ORIG_SUB', 'DOCUMENT_TYPE'],
    ...['ISSUERCIK', 'ISSUERNAME', 'ISSUERTRADINGSYMBOL', 'REMARKS', 'AFF10B5ONE'],
  ],
  rows(form, { filed }) {
    const period = isoDay(textAt(form, 'periodOfReport'))
    const signed = newest(all(form, 'ownerSignature').map((one) => textAt(one, 'signatureDate')))
    return [
      {
        FILING_DATE: filed || signed || period,
        PERIOD_OF_REPORT: period,
        DATE_OF_ORIG_SUB: isoDay(textAt(form, 'dateOfOriginalSubmission')),
        DOCUMENT_TYPE: textAt(form, 'documentType'),
        ISSUERCIK: textAt(form, 'issuer.issuerCik'),
        ISSUERNAME: textAt(form, 'issuer.issuerName'),
        ISSUERTRADINGSYMBOL: textAt(form, 'issuer.issuerTradingSymbol'),
        REMARKS: textAt(form, 'remarks'),
        AFF10B5ONE: textAt(form, 'aff10b5One'),
      },
    ]
  },
}

const owners: TableOf = {
  header: ['RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP', 'RPTOWNER_TITLE', 'RPTOWNER_TXT'],
  rows: (form) =>
    all(form, 'reportingOwner').map((owner) => {
      const is = (what: string) => textAt(owner, `reportingOwnerRelationship.${what}`)
      return {
        RPTOWNERCIK: textAt(owner, 'reportingOwnerId.rptOwnerCik'),
        RPTOWNERNAME: textAt(owner, 'reportingOwnerId.rptOwnerName'),
        RPTOWNER_RELATIONSHIP: relationships.filter((what) => isYes(is(`is${what}`))).join(','),
        RPTOWNER_TITLE: is('officerTitle'),
        RPTOWNER_TXT: is('otherText'),
      }
    }),
}

const dates = Object.keys(places).filter((heading) => heading.endsWith('_DATE'))
const withIsoDays = (fields: Fields): Fields => ({
  ...fields,
  ...Object.fromEntries(dates.map((heading) => [heading, isoDay(fields[heading]!)])),
})

const lines: TableOf = {
  header: [...Object.keys(lists), ...Object.keys(places)],
  rows: (form) =>
    Object.entries(lists).flatMap(([number, list]) =>
      all(form, list).map((line, index) => ({
        [number]: String(index + 1),
        ...withIsoDays(fieldsAt(line, places)),
      })),
    ),
}

const tables: Readonly<Record<string, TableOf>> = {
  sec_insider_filings: filings,
  sec_insider_owners: owners,
  sec_insider_lines: lines,
}
