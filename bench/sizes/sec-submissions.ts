/** `submissions.zip`: every registrant with its filings. */
import { Draw } from './draw.ts'
import {
  accessionOf,
  cik10,
  dayOf,
  quartersOf,
  type Registrant,
  registrantsOf,
  type Size,
} from './sec-registrants.ts'
import { packed, ZipWriter } from './zip-writer.ts'

/** Filings of a registrant in a quarter, of which the first is the 10-Q or 10-K. */
const A_QUARTER = 34
/** EDGAR lists so many of the newest in the registrant's document, and the others apart. */
const RECENT = 1000

interface Filing {
  readonly accession: string
  readonly form: string
  readonly filed: string
  readonly report: string
  readonly items: string
}

const items = ['2.02,9.01', '5.02', '7.01,9.01', '8.01', '1.01,9.01', '5.07', '2.01', '4.01', '4.02', '1.01']
const rare = ['NT 10-Q', '10-K/A', '10-Q/A', '425', 'S-4', 'DEFM14A', 'SC 13G/A', 'SC 13D', 'S-8', 'DEF 14A']
const usual = ['4', '4', '4', '424B2', '424B2', 'FWP', '3', '8-K']

/** The newest first. */
function filingsOf({ cik, index }: Registrant, size: Size): Filing[] {
  const filings: Filing[] = []
  for (const [at, quarter] of quartersOf(size).entries()) {
    const draw = new Draw(2, index, at)
    for (let place = 0; place < A_QUARTER; place++) {
      const periodic = quarter.quarter === 1 ? '10-K' : '10-Q'
      const form = place === 0 ? periodic : place < 3 ? draw.of(rare) : place < 7 ? '8-K' : draw.of(usual)
      filings.push({
        ...{ accession: accessionOf(cik, quarter, place), form, report: quarter.last },
        filed: dayOf(quarter, Math.floor((place * 88) / A_QUARTER)),
        items: form === '8-K' ? draw.of(items) : '',
      })
    }
  }
  return filings.reverse()
}

/** Arrays of equal length, as EDGAR writes them. */
function listsOf(filings: readonly Filing[]): string {
  const texts = (of: (filing: Filing) => string) =>
    `[${filings.map((filing) => `"${of(filing)}"`).join(',')}]`
  const lists = {
    accessionNumber: texts(({ accession }) => accession),
    filingDate: texts(({ filed }) => filed),
    reportDate: texts(({ report }) => report),
    acceptanceDateTime: texts(({ filed }) => `${filed}T16:04:31.000Z`),
    act: texts(() => '34'),
    form: texts(({ form }) => form),
    fileNumber: texts(() => '001-36443'),
    filmNumber: texts(({ accession }) => `25${accession.slice(-6)}`),
    items: texts((filing) => filing.items),
    core_type: texts(({ form }) => form),
    size: `[${filings.map(({ accession }) => 10_000 + Number(accession.slice(-4)) * 37).join(',')}]`,
    isXBRL: `[${filings.map(({ form }) => (form.startsWith('10-') ? 1 : 0)).join(',')}]`,
    isInlineXBRL: `[${filings.map(() => 0).join(',')}]`,
    primaryDocument: texts(({ accession }) => `doc-${accession.slice(-6)}.htm`),
    primaryDocDescription: texts(({ form }) => form),
  }
  return `{${Object.entries(lists)
    .map(([name, list]) => `"${name}":${list}`)
    .join(',')}}`
}

interface Head {
  readonly cik: number
  readonly name: string
  readonly kind: string
  readonly sic: string
  readonly ticker: string | null
  readonly ein: string
  readonly state: string
  readonly city: string
}

const documentOf = (one: Head, filings: string, files: string): string =>
  `{"cik":"${cik10(one.cik)}","entityType":"${one.kind}","sic":"${one.sic}","sicDescription":"","ownerOrg":"02 Finance","insiderTransactionForOwnerExists":0,"insiderTransactionForIssuerExists":1,"name":"${one.name}","tickers":${one.ticker ? `["${one.ticker}"],"exchanges":["NYSE"]` : '[],"exchanges":[]'},"ein":"${one.ein}","lei":null,"description":"","website":"","investorWebsite":"","category":"Accelerated filer","fiscalYearEnd":"1231","stateOfIncorporation":"DE","stateOfIncorporationDescription":"DE","addresses":{"mailing":{"street1":"1 MAIN ST","street2":null,"city":"${one.city}","stateOrCountry":"${one.state}","zipCode":"10001","stateOrCountryDescription":"${one.state}"},"business":{"street1":"1 MAIN ST","street2":null,"city":"${one.city}","stateOrCountry":"${one.state}","zipCode":"10001","stateOrCountryDescription":"${one.state}"}},"phone":"2122706000","flags":"","formerNames":[],"filings":{"recent":${filings},"files":[${files}]}}`

/** Other registrants are persons, funds and companies of other industries; what they file is as long as a bank's at most. */
function others(size: Size, ciks: Iterable<number>, zip: ZipWriter): void {
  const [sample] = registrantsOf({ ...size, registrants: 1 })
  const filings = filingsOf(sample!, size)
  const kinds = Array.from({ length: 200 }, (_, at) => {
    const draw = new Draw(3, at)
    const person = at % 10 < 6
    const count = person ? 1 + draw.below(60) : Math.min(RECENT, Math.floor(20 * 1.06 ** draw.below(70)))
    const head = {
      ...{ cik: 9_000_000 + at, ein: '000000000', state: 'WA', city: 'ELSEWHERE', ticker: null },
      ...{ name: `Somebody ${at}`, kind: person ? 'other' : 'operating' },
      sic: person ? '' : draw.of(['7372', '2834', '1311', '6770', '3674', '']),
    }
    return packed(documentOf(head, listsOf(filings.slice(0, count)), ''))
  })
  for (const cik of ciks) zip.add(`CIK${cik10(cik)}.json`, kinds[cik % kinds.length]!)
}

export function writeSubmissions(path: string, size: Size): { bytes: number; filings: number } {
  const zip = new ZipWriter(path)
  let count = 0
  for (const one of registrantsOf(size)) {
    const filings = filingsOf(one, size)
    const overflow = `CIK${cik10(one.cik)}-submissions-001.json`
    const older = filings.slice(RECENT)
    const files = older.length === 0 ? '' : `{"name":"${overflow}","filingCount":${older.length}}`
    const sic = one.bank === one.rssdId ? '6021' : '6022'
    const head = { ...one, kind: 'operating', sic }
    zip.add(`CIK${cik10(one.cik)}.json`, documentOf(head, listsOf(filings.slice(0, RECENT)), files))
    if (older.length > 0) zip.add(overflow, listsOf(older))
    others(size, otherCiks(one, size), zip)
    count += filings.length
  }
  zip.close()
  return { bytes: zip.unpacked, filings: count }
}

/** CIKs of those that stand in an archive after a registrant. */
export const otherCiks = ({ index }: Registrant, { others }: Size): number[] =>
  Array.from({ length: others }, (_, at) => 5_000_000 + index * others + at)
