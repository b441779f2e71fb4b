/** Forms 3, 4 and 5 as EDGAR writes them, and the members of the SEC's data sets: what a test says, and else what is usual. */

export interface Line {
  readonly security?: string
  readonly date?: string
  readonly code?: string
  readonly shares?: string
  readonly price?: string
  readonly direction?: 'A' | 'D'
  readonly after?: string
  readonly ownership?: 'D' | 'I'
  readonly nature?: string
  /** Of the derivative table. */
  readonly exercisePrice?: string
  readonly underlyingShares?: string
}

export interface Form {
  readonly type?: string
  readonly period?: string
  readonly original?: string
  readonly issuer?: number
  readonly owners?: readonly { cik: number; name: string; is?: readonly string[]; title?: string }[]
  readonly plan?: string
  readonly transactions?: readonly Line[]
  readonly holdings?: readonly Line[]
  readonly options?: readonly Line[]
  readonly signed?: string
}

const value = (name: string, text: string | undefined) =>
  text === undefined
    ? `<${name}><footnoteId id="F1"/></${name}>`
    : `<${name}><value>${text}</value></${name}>`

const line = (name: string, of: Line): string => `<${name}>
  ${value('securityTitle', of.security ?? 'Common Stock')}
  ${of.exercisePrice === undefined ? '' : value('conversionOrExercisePrice', of.exercisePrice)}
  ${of.date === undefined ? '' : value('transactionDate', of.date)}
  ${of.code === undefined ? '' : `<transactionCoding><transactionFormType>4</transactionFormType><transactionCode>${of.code}</transactionCode><equitySwapInvolved>0</equitySwapInvolved></transactionCoding>`}
  ${of.shares === undefined ? '' : `<transactionAmounts>${value('transactionShares', of.shares)}${value('transactionPricePerShare', of.price)}${value('transactionAcquiredDisposedCode', of.direction ?? 'A')}</transactionAmounts>`}
  ${of.underlyingShares === undefined ? '' : `<underlyingSecurity>${value('underlyingSecurityTitle', 'Common Stock')}${value('underlyingSecurityShares', of.underlyingShares)}</underlyingSecurity>`}
  <postTransactionAmounts>${value('sharesOwnedFollowingTransaction', of.after ?? '0')}</postTransactionAmounts>
  <ownershipNature>${value('directOrIndirectOwnership', of.ownership ?? 'D')}${of.nature === undefined ? '' : value('natureOfOwnership', of.nature)}</ownershipNature>
</${name}>`

/** Begins with an empty line, as some do. */
export const ownershipForm = ({ type = '4', period = '2025-05-01', ...form }: Form): string => `
<?xml version="1.0"?>
<ownershipDocument>
  <documentType>${type}</documentType>
  <periodOfReport>${period}</periodOfReport>
  ${form.original === undefined ? '' : `<dateOfOriginalSubmission>${form.original}</dateOfOriginalSubmission>`}
  <issuer><issuerCik>${String(form.issuer ?? 19617).padStart(10, '0')}</issuerCik><issuerName>Some &amp; Co</issuerName><issuerTradingSymbol>SOME</issuerTradingSymbol></issuer>
  ${(form.owners ?? [{ cik: 77, name: 'DOE JANE', is: ['Director'] }])
    .map(
      ({ cik, name, is = [], title }) => `<reportingOwner>
    <reportingOwnerId><rptOwnerCik>${String(cik).padStart(10, '0')}</rptOwnerCik><rptOwnerName>${name}</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship>${is.map((role) => `<is${role}>true</is${role}>`).join('')}${title === undefined ? '' : `<officerTitle>${title}</officerTitle>`}</reportingOwnerRelationship>
  </reportingOwner>`,
    )
    .join('\n')}
  <aff10b5One>${form.plan ?? '0'}</aff10b5One>
  <nonDerivativeTable>
    ${(form.transactions ?? []).map((one) => line('nonDerivativeTransaction', { date: period, ...one })).join('\n')}
    ${(form.holdings ?? []).map((one) => line('nonDerivativeHolding', one)).join('\n')}
  </nonDerivativeTable>
  <derivativeTable>${(form.options ?? []).map((one) => line('derivativeTransaction', { date: period, ...one })).join('\n')}</derivativeTable>
  <footnotes><footnote id="F1">The price is told elsewhere.</footnote></footnotes>
  <ownerSignature><signatureName>/s/ Jane Doe</signatureName><signatureDate>${form.signed ?? period}</signatureDate></ownerSignature>
</ownershipDocument>`

/** A TSV under these headings, as a member of a data set. */
export const tsvOf = (header: readonly string[], rows: readonly Readonly<Record<string, string>>[]): string =>
  [header, ...rows.map((row) => header.map((heading) => row[heading] ?? ''))]
    .map((fields) => fields.join('\t'))
    .join('\n')
    .concat('\n')

export const insiderHeaders = {
  'SUBMISSION.tsv':
    'ACCESSION_NUMBER FILING_DATE PERIOD_OF_REPORT DATE_OF_ORIG_SUB NO_SECURITIES_OWNED NOT_SUBJECT_SEC16 FORM3_HOLDINGS_REPORTED FORM4_TRANS_REPORTED DOCUMENT_TYPE ISSUERCIK ISSUERNAME ISSUERTRADINGSYMBOL REMARKS AFF10B5ONE',
  'REPORTINGOWNER.tsv':
    'ACCESSION_NUMBER RPTOWNERCIK RPTOWNERNAME RPTOWNER_RELATIONSHIP RPTOWNER_TITLE RPTOWNER_TXT RPTOWNER_STREET1 RPTOWNER_STREET2 RPTOWNER_CITY RPTOWNER_STATE RPTOWNER_ZIPCODE RPTOWNER_STATE_DESC FILE_NUMBER',
  'NONDERIV_TRANS.tsv':
    'ACCESSION_NUMBER NONDERIV_TRANS_SK SECURITY_TITLE SECURITY_TITLE_FN TRANS_DATE TRANS_DATE_FN DEEMED_EXECUTION_DATE DEEMED_EXECUTION_DATE_FN TRANS_FORM_TYPE TRANS_CODE EQUITY_SWAP_INVOLVED EQUITY_SWAP_TRANS_CD_FN TRANS_TIMELINESS TRANS_TIMELINESS_FN TRANS_SHARES TRANS_SHARES_FN TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD TRANS_ACQUIRED_DISP_CD_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN',
  'NONDERIV_HOLDING.tsv':
    'ACCESSION_NUMBER NONDERIV_HOLDING_SK SECURITY_TITLE SECURITY_TITLE_FN TRANS_FORM_TYPE TRANS_FORM_TYPE_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN',
  'DERIV_TRANS.tsv':
    'ACCESSION_NUMBER DERIV_TRANS_SK SECURITY_TITLE SECURITY_TITLE_FN CONV_EXERCISE_PRICE CONV_EXERCISE_PRICE_FN TRANS_DATE TRANS_DATE_FN DEEMED_EXECUTION_DATE DEEMED_EXECUTION_DATE_FN TRANS_FORM_TYPE TRANS_CODE EQUITY_SWAP_INVOLVED EQUITY_SWAP_TRANS_CD_FN TRANS_TIMELINESS TRANS_TIMELINESS_FN TRANS_SHARES TRANS_SHARES_FN TRANS_TOTAL_VALUE TRANS_TOTAL_VALUE_FN TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD TRANS_ACQUIRED_DISP_CD_FN EXCERCISE_DATE EXCERCISE_DATE_FN EXPIRATION_DATE EXPIRATION_DATE_FN UNDLYNG_SEC_TITLE UNDLYNG_SEC_TITLE_FN UNDLYNG_SEC_SHARES UNDLYNG_SEC_SHARES_FN UNDLYNG_SEC_VALUE UNDLYNG_SEC_VALUE_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN',
  'FOOTNOTES.tsv': 'ACCESSION_NUMBER FOOTNOTE_ID FOOTNOTE_TXT',
} as const

/** The members of a data set, each with all of its headings. */
export const insiderTsvs = (
  rows: Partial<Record<keyof typeof insiderHeaders, readonly Readonly<Record<string, string>>[]>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(insiderHeaders).flatMap(([name, header]) => {
      const of = rows[name as keyof typeof insiderHeaders]
      return of ? [[name, tsvOf(header.split(' '), of)]] : []
    }),
  )
