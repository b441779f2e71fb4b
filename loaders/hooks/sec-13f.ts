import type { WholeDocument, WholeReading } from '../declared/whole.ts'
import {
  all,
  at,
  type EdgarFiling,
  type Fields,
  fieldsAt,
  isoDay,
  readFilings,
  textAt,
} from './edgar-documents.ts'

/** Primary documents and information tables of Form 13F under the headings of the SEC's Form 13F data sets. */
export function read(document: WholeDocument): WholeReading {
  const { header, rows } = tables[document.table!]!
  return readFilings(document, ['ACCESSION_NUMBER', ...header], (filing) =>
    rows(filing).map((row) => ({ ACCESSION_NUMBER: filing.accession, ...row })),
  )
}

interface TableOf {
  readonly header: readonly string[]
  rows(filing: EdgarFiling): Fields[]
}

const reports: TableOf = {
  header: ['FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'],
  rows: ({ filed, roots }) =>
    all(roots, 'edgarSubmission').map((document) => ({
      FILING_DATE: filed || isoDay(textAt(document, 'formData.signatureBlock.signatureDate')),
      SUBMISSIONTYPE: textAt(document, 'headerData.submissionType'),
      CIK: textAt(document, 'headerData.filerInfo.filer.credentials.cik'),
      PERIODOFREPORT: isoDay(textAt(document, 'headerData.filerInfo.periodOfReport')),
    })),
}

const covers: TableOf = {
  header: ['FILINGMANAGER_NAME', 'REPORTTYPE', 'AMENDMENTNO', 'AMENDMENTTYPE'],
  rows: ({ roots }) =>
    all(roots, 'edgarSubmission.formData.coverPage').map((cover) => ({
      FILINGMANAGER_NAME: textAt(cover, 'filingManager.name'),
      REPORTTYPE: textAt(cover, 'reportType'),
      AMENDMENTNO: textAt(cover, 'amendmentNo'),
      AMENDMENTTYPE: textAt(cover, 'amendmentInfo.amendmentType') || textAt(cover, 'amendmentType'),
    })),
}

/** Where a line of the information table has what a heading names. */
const places: Fields = {
  NAMEOFISSUER: 'nameOfIssuer',
  TITLEOFCLASS: 'titleOfClass',
  CUSIP: 'cusip',
  FIGI: 'figi',
  VALUE: 'value',
  SSHPRNAMT: 'shrsOrPrnAmt.sshPrnamt',
  SSHPRNAMTTYPE: 'shrsOrPrnAmt.sshPrnamtType',
  PUTCALL: 'putCall',
  INVESTMENTDISCRETION: 'investmentDiscretion',
  VOTING_AUTH_SOLE: 'votingAuthority.Sole',
  VOTING_AUTH_SHARED: 'votingAuthority.Shared',
  VOTING_AUTH_NONE: 'votingAuthority.None',
}

const positions: TableOf = {
  header: ['INFOTABLE_SK', ...Object.keys(places)],
  rows: ({ roots }) =>
    all(at(roots, 'informationTable'), 'infoTable').map((line, index) => ({
      INFOTABLE_SK: String(index + 1),
      ...fieldsAt(line, places),
    })),
}

const tables: Readonly<Record<string, TableOf>> = {
  sec_13f_reports: reports,
  sec_13f_covers: covers,
  sec_13f_securities: positions,
  sec_13f_positions: positions,
}
