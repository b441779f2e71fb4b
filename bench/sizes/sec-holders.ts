/** Form 13F data sets, Schedules 13D and 13G as XML, and the list of tickers. */
import { Draw } from './draw.ts'
import {
  accessionOf,
  cik10,
  type Quarter,
  quartersOf,
  type Registrant,
  registrantsOf,
  type Size,
} from './sec-registrants.ts'
import { ZipWriter } from './zip-writer.ts'

/** Managers that report, the quarters that they do, and how many of the registrants one holds: every second. */
const MANAGERS = 200
const QUARTERS = 4
const managerCik = (manager: number): number => 3_000_000 + manager
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const spelled = (day: string): string =>
  `${day.slice(8)}-${months[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`

function dataSet(path: string, quarter: Quarter, registrants: readonly Registrant[]): number {
  const submissions = ['ACCESSION_NUMBER\tFILING_DATE\tSUBMISSIONTYPE\tCIK\tPERIODOFREPORT']
  const covers = [
    'ACCESSION_NUMBER\tREPORTCALENDARORQUARTER\tISAMENDMENT\tAMENDMENTNO\tAMENDMENTTYPE\tFILINGMANAGER_NAME\tREPORTTYPE',
  ]
  const positions = [
    'ACCESSION_NUMBER\tINFOTABLE_SK\tNAMEOFISSUER\tTITLEOFCLASS\tCUSIP\tFIGI\tVALUE\tSSHPRNAMT\tSSHPRNAMTTYPE\tPUTCALL\tINVESTMENTDISCRETION\tOTHERMANAGER\tVOTING_AUTH_SOLE\tVOTING_AUTH_SHARED\tVOTING_AUTH_NONE',
  ]
  for (let manager = 0; manager < MANAGERS; manager++) {
    const accession = accessionOf(managerCik(manager), quarter, 0)
    const period = spelled(quarter.last)
    const draw = new Draw(6, manager, quarter.year * 4 + quarter.quarter)
    submissions.push(`${accession}\t${period}\t13F-HR\t${cik10(managerCik(manager))}\t${period}`)
    covers.push(`${accession}\t${period}\tN\t\t\tManager ${manager}\t13F HOLDINGS REPORT`)
    for (const { index, name, cusip } of registrants) {
      if ((index + manager) % 2) continue
      const shares = 100 + draw.below(1_000_000)
      positions.push(
        `${accession}\t${positions.length}\t${name}\tCOM\t${cusip}\t\t${shares * 20}\t${shares}\tSH\t\tSOLE\t\t${shares}\t0\t0`,
      )
    }
  }
  const zip = new ZipWriter(path)
  const tables = { SUBMISSION: submissions, COVERPAGE: covers, INFOTABLE: positions }
  for (const [name, lines] of Object.entries(tables)) zip.add(`${name}.tsv`, `${lines.join('\n')}\n`)
  zip.close()
  return positions.length - 1
}

/** @param pathOf of the file of a quarter */
export function write13f(pathOf: (year: number, quarter: number) => string, size: Size) {
  const registrants = registrantsOf(size)
  const paths: string[] = []
  let positions = 0
  for (const quarter of quartersOf(size).slice(-QUARTERS)) {
    const path = pathOf(quarter.year, quarter.quarter)
    positions += dataSet(path, quarter, registrants)
    paths.push(path)
  }
  return { paths, positions }
}

const schedule = ({ cik, name, cusip }: Registrant, owner: number, percent: number): string =>
  `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13g" xmlns:com="http://www.sec.gov/edgar/common"><headerData><submissionType>SCHEDULE 13G</submissionType></headerData><formData><coverPageHeader><securitiesClassTitle>Common Stock</securitiesClassTitle><eventDateRequiresFilingThisStatement>12/31/2025</eventDateRequiresFilingThisStatement><issuerInfo><issuerCik>${cik10(cik)}</issuerCik><issuerName>${name}</issuerName><issuerCusip>${cusip}</issuerCusip></issuerInfo></coverPageHeader><coverPageHeaderReportingPersonDetails><reportingPersonName>Adviser ${owner}</reportingPersonName><citizenshipOrOrganization>PA</citizenshipOrOrganization><reportingPersonBeneficiallyOwnedNumberOfShares><soleVotingPower>10.00</soleVotingPower><sharedVotingPower>1</sharedVotingPower><soleDispositivePower>11</soleDispositivePower><sharedDispositivePower>0</sharedDispositivePower></reportingPersonBeneficiallyOwnedNumberOfShares><reportingPersonBeneficiallyOwnedAggregateNumberOfShares>11000</reportingPersonBeneficiallyOwnedAggregateNumberOfShares><classPercent>${percent}</classPercent><typeOfReportingPerson>IA</typeOfReportingPerson></coverPageHeaderReportingPersonDetails><signatureInformation><reportingPersonName>Adviser ${owner}</reportingPersonName><signatureDetails><signature>A</signature><date>12/31/2025</date></signatureDetails></signatureInformation></formData></edgarSubmission>`

/** Three schedules on each registrant. */
export function write13dg(path: string, size: Size): number {
  const zip = new ZipWriter(path)
  const last = quartersOf(size).at(-1)!
  for (const one of registrantsOf(size))
    for (let owner = 0; owner < 3; owner++) {
      const accession = accessionOf(managerCik(MANAGERS + owner), last, 0).slice(0, 14)
      const number = `${accession}${String(one.index).padStart(6, '0')}`
      zip.add(`${number}/primary_doc.xml`, schedule(one, owner, 5 + owner))
    }
  zip.close()
  return zip.members
}

export const tickersOf = (size: Size): string =>
  JSON.stringify({
    fields: ['cik', 'name', 'ticker', 'exchange'],
    data: registrantsOf(size).map(({ cik, name, ticker }) => [cik, name, ticker, 'NYSE']),
  })
