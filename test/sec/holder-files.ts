/** Form 13F and Schedules 13D and 13G as EDGAR writes them: what a test says, and else what is usual. */

export interface Position {
  readonly issuer: string
  readonly cusip: string
  readonly value: number
  readonly shares: number
  readonly option?: 'Put' | 'Call'
}

export interface Report {
  readonly accession: string
  readonly filed: string
  readonly period: string
  readonly manager: { readonly cik: number; readonly name: string }
  readonly amendment?: 'RESTATEMENT' | 'NEW HOLDINGS'
  readonly positions: readonly Position[]
}

const position = ({ issuer, cusip, value, shares, option }: Position) => `<ns1:infoTable>
  <ns1:nameOfIssuer>${issuer.replaceAll('&', '&amp;')}</ns1:nameOfIssuer><ns1:titleOfClass>COM</ns1:titleOfClass><ns1:cusip>${cusip}</ns1:cusip>
  <ns1:value>${value}</ns1:value><ns1:shrsOrPrnAmt><ns1:sshPrnamt>${shares}</ns1:sshPrnamt><ns1:sshPrnamtType>SH</ns1:sshPrnamtType></ns1:shrsOrPrnAmt>
  ${option ? `<ns1:putCall>${option}</ns1:putCall>` : ''}
  <ns1:investmentDiscretion>SOLE</ns1:investmentDiscretion><ns1:votingAuthority><ns1:Sole>${shares}</ns1:Sole><ns1:Shared>0</ns1:Shared><ns1:None>0</ns1:None></ns1:votingAuthority>
</ns1:infoTable>`

/** A whole submission of Form 13F. */
export const report13f = ({ accession, filed, period, manager, amendment, positions }: Report): string =>
  `<SEC-DOCUMENT>${accession}.txt : ${filed}
<SEC-HEADER>${accession}.hdr.sgml : ${filed}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t13F-HR${amendment ? '/A' : ''}
FILED AS OF DATE:\t\t${filed}
</SEC-HEADER>
<DOCUMENT><TYPE>13F-HR<TEXT>
<XML>
<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler" xmlns:com="http://www.sec.gov/edgar/common">
  <headerData><submissionType>13F-HR${amendment ? '/A' : ''}</submissionType>
    <filerInfo><filer><credentials><cik>${String(manager.cik).padStart(10, '0')}</cik></credentials></filer><periodOfReport>${period}</periodOfReport></filerInfo></headerData>
  <formData><coverPage><reportCalendarOrQuarter>${period}</reportCalendarOrQuarter>
    ${amendment ? `<isAmendment>true</isAmendment><amendmentNo>1</amendmentNo><amendmentInfo><amendmentType>${amendment}</amendmentType></amendmentInfo>` : ''}
    <filingManager><name>${manager.name}</name></filingManager><reportType>13F HOLDINGS REPORT</reportType></coverPage>
    <signatureBlock><signatureDate>${period}</signatureDate></signatureBlock></formData>
</edgarSubmission>
</XML>
</TEXT></DOCUMENT>
<DOCUMENT><TYPE>INFORMATION TABLE<TEXT>
<XML>
<ns1:informationTable xmlns:ns1="http://www.sec.gov/edgar/document/thirteenf/informationtable">
${positions.map(position).join('\n')}
</ns1:informationTable>
</XML>
</TEXT></DOCUMENT>
</SEC-DOCUMENT>
`

export const schedule13g = (cik: number, cusip: string): string => `
<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13g" xmlns:com="http://www.sec.gov/edgar/common">
<headerData><submissionType>SCHEDULE 13G/A</submissionType></headerData>
<formData>
  <coverPageHeader><amendmentNo>3</amendmentNo><securitiesClassTitle>Common Stock</securitiesClassTitle>
    <eventDateRequiresFilingThisStatement>12/31/2024</eventDateRequiresFilingThisStatement>
    <issuerInfo><issuerCik>${String(cik).padStart(10, '0')}</issuerCik><issuerName>A Bank</issuerName><issuerCusip>${cusip}</issuerCusip></issuerInfo></coverPageHeader>
  <coverPageHeaderReportingPersonDetails><reportingPersonName>Large Index Adviser</reportingPersonName><citizenshipOrOrganization>PA</citizenshipOrOrganization>
    <reportingPersonBeneficiallyOwnedNumberOfShares><soleVotingPower>10.00</soleVotingPower><sharedVotingPower>1</sharedVotingPower><soleDispositivePower>11</soleDispositivePower><sharedDispositivePower>0</sharedDispositivePower></reportingPersonBeneficiallyOwnedNumberOfShares>
    <reportingPersonBeneficiallyOwnedAggregateNumberOfShares>11.00</reportingPersonBeneficiallyOwnedAggregateNumberOfShares><classPercent>9.45</classPercent><typeOfReportingPerson>IA</typeOfReportingPerson><typeOfReportingPerson>HC</typeOfReportingPerson></coverPageHeaderReportingPersonDetails>
  <signatureInformation><reportingPersonName>Large Index Adviser</reportingPersonName><signatureDetails><signature>A</signature><date>02/12/2025</date></signatureDetails></signatureInformation>
</formData></edgarSubmission>`
