/** Insider Transactions Data Sets, a zip a quarter: half of it of registrants that are no banks, as issuers are. */
import { Draw } from './draw.ts'
import {
  accessionOf,
  cik10,
  dayOf,
  type Quarter,
  quartersOf,
  registrantsOf,
  type Size,
} from './sec-registrants.ts'
import { ZipWriter } from './zip-writer.ts'

/** Forms on an issuer in a quarter; each has two transactions in shares, and every second one of a derivative. */
const FORMS = 20

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const spelled = (day: string): string =>
  `${day.slice(8)}-${months[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`

const headers = {
  SUBMISSION:
    'ACCESSION_NUMBER FILING_DATE PERIOD_OF_REPORT DATE_OF_ORIG_SUB NO_SECURITIES_OWNED NOT_SUBJECT_SEC16 FORM3_HOLDINGS_REPORTED FORM4_TRANS_REPORTED DOCUMENT_TYPE ISSUERCIK ISSUERNAME ISSUERTRADINGSYMBOL REMARKS AFF10B5ONE',
  REPORTINGOWNER:
    'ACCESSION_NUMBER RPTOWNERCIK RPTOWNERNAME RPTOWNER_RELATIONSHIP RPTOWNER_TITLE RPTOWNER_TXT RPTOWNER_STREET1 RPTOWNER_STREET2 RPTOWNER_CITY RPTOWNER_STATE RPTOWNER_ZIPCODE RPTOWNER_STATE_DESC FILE_NUMBER',
  NONDERIV_TRANS:
    'ACCESSION_NUMBER NONDERIV_TRANS_SK SECURITY_TITLE SECURITY_TITLE_FN TRANS_DATE TRANS_DATE_FN DEEMED_EXECUTION_DATE DEEMED_EXECUTION_DATE_FN TRANS_FORM_TYPE TRANS_CODE EQUITY_SWAP_INVOLVED EQUITY_SWAP_TRANS_CD_FN TRANS_TIMELINESS TRANS_TIMELINESS_FN TRANS_SHARES TRANS_SHARES_FN TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD TRANS_ACQUIRED_DISP_CD_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN',
  NONDERIV_HOLDING:
    'ACCESSION_NUMBER NONDERIV_HOLDING_SK SECURITY_TITLE SECURITY_TITLE_FN TRANS_FORM_TYPE TRANS_FORM_TYPE_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN',
  DERIV_TRANS:
    'ACCESSION_NUMBER DERIV_TRANS_SK SECURITY_TITLE SECURITY_TITLE_FN CONV_EXERCISE_PRICE CONV_EXERCISE_PRICE_FN TRANS_DATE TRANS_DATE_FN DEEMED_EXECUTION_DATE DEEMED_EXECUTION_DATE_FN TRANS_FORM_TYPE TRANS_CODE EQUITY_SWAP_INVOLVED EQUITY_SWAP_TRANS_CD_FN TRANS_TIMELINESS TRANS_TIMELINESS_FN TRANS_SHARES TRANS_SHARES_FN TRANS_TOTAL_VALUE TRANS_TOTAL_VALUE_FN TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD TRANS_ACQUIRED_DISP_CD_FN EXCERCISE_DATE EXCERCISE_DATE_FN EXPIRATION_DATE EXPIRATION_DATE_FN UNDLYNG_SEC_TITLE UNDLYNG_SEC_TITLE_FN UNDLYNG_SEC_SHARES UNDLYNG_SEC_SHARES_FN UNDLYNG_SEC_VALUE UNDLYNG_SEC_VALUE_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN',
} as const
type Table = keyof typeof headers
type Row = Readonly<Record<string, string | number>>

class Tables {
  readonly #headings: Record<string, string[]> = {}
  readonly #lines: Record<string, string[]> = {}

  constructor() {
    for (const [table, header] of Object.entries(headers)) {
      this.#headings[table] = header.split(' ')
      this.#lines[table] = [header.replaceAll(' ', '\t')]
    }
  }

  add(table: Table, row: Row): void {
    this.#lines[table]!.push(this.#headings[table]!.map((heading) => row[heading] ?? '').join('\t'))
  }

  write(path: string): number {
    const zip = new ZipWriter(path)
    for (const [table, lines] of Object.entries(this.#lines)) zip.add(`${table}.tsv`, `${lines.join('\n')}\n`)
    zip.close()
    return zip.unpacked
  }
}

interface Issuer {
  readonly cik: number
  readonly name: string
  readonly ticker: string
}

/** Forms of a quarter on one issuer, by twelve owners. @returns how many transactions they have */
function formsOf({ cik, name, ticker }: Issuer, quarter: Quarter, tables: Tables): number {
  const draw = new Draw(5, cik, quarter.year * 4 + quarter.quarter)
  let transactions = 0
  for (let form = 0; form < FORMS; form++) {
    const owner = draw.below(12)
    const ownerCik = 1_500_000 + (cik % 400_000) * 12 + owner
    const ACCESSION_NUMBER = accessionOf(ownerCik, quarter, form)
    const TRANS_DATE = spelled(dayOf(quarter, form * 4))
    const usual = { ACCESSION_NUMBER, TRANS_DATE, TRANS_FORM_TYPE: 4, EQUITY_SWAP_INVOLVED: 0 }
    const held = { DIRECT_INDIRECT_OWNERSHIP: 'D', SHRS_OWND_FOLWNG_TRANS: 1000 + draw.below(100_000) }
    tables.add('SUBMISSION', {
      ...{ ACCESSION_NUMBER, PERIOD_OF_REPORT: TRANS_DATE, DOCUMENT_TYPE: 4, AFF10B5ONE: draw.below(2) },
      ...{ FILING_DATE: spelled(dayOf(quarter, form * 4 + 2)), ISSUERCIK: cik10(cik) },
      ...{ ISSUERNAME: name, ISSUERTRADINGSYMBOL: ticker },
    })
    tables.add('REPORTINGOWNER', {
      ...{ ACCESSION_NUMBER, RPTOWNERCIK: cik10(ownerCik), RPTOWNERNAME: `OWNER ${owner} OF ${ticker}` },
      RPTOWNER_RELATIONSHIP: owner % 2 ? 'Director' : 'Officer',
      RPTOWNER_TITLE: owner % 2 ? '' : 'Chief Officer',
    })
    for (let at = 0; at < 2; at++)
      tables.add('NONDERIV_TRANS', {
        ...{ ...usual, ...held, NONDERIV_TRANS_SK: form * 10 + at, SECURITY_TITLE: 'Common Stock' },
        ...{ TRANS_CODE: draw.of(['P', 'S', 'A', 'F', 'M', 'G']), TRANS_SHARES: 1 + draw.below(20_000) },
        TRANS_PRICEPERSHARE: (10 + draw.below(9000) / 100).toFixed(2),
        TRANS_ACQUIRED_DISP_CD: draw.of(['A', 'D']),
      })
    transactions += 2
    if (form % 2 === 0) {
      tables.add('DERIV_TRANS', {
        ...{ ...usual, ...held, DERIV_TRANS_SK: form * 10 + 5, SECURITY_TITLE: 'Option (right to buy)' },
        ...{ CONV_EXERCISE_PRICE: 20, TRANS_CODE: 'A', TRANS_SHARES: 100, TRANS_PRICEPERSHARE: 0 },
        ...{ TRANS_ACQUIRED_DISP_CD: 'A', UNDLYNG_SEC_TITLE: 'Common Stock', UNDLYNG_SEC_SHARES: 100 },
      })
      transactions += 1
    } else
      tables.add('NONDERIV_HOLDING', {
        ...{ ACCESSION_NUMBER, NONDERIV_HOLDING_SK: form * 10 + 7, SECURITY_TITLE: 'Common Stock' },
        ...{ SHRS_OWND_FOLWNG_TRANS: 500, DIRECT_INDIRECT_OWNERSHIP: 'I', NATURE_OF_OWNERSHIP: 'By trust' },
      })
  }
  return transactions
}

/** @param pathOf of the file of a quarter */
export function writeInsiders(pathOf: (year: number, quarter: number) => string, size: Size) {
  const registrants = registrantsOf(size)
  const paths: string[] = []
  let [bytes, transactions] = [0, 0]
  for (const quarter of quartersOf(size)) {
    const tables = new Tables()
    for (const one of registrants) {
      transactions += formsOf(one, quarter, tables)
      formsOf({ cik: one.cik + 1, name: `OTHER ${one.index}`, ticker: 'OTHR' }, quarter, tables)
    }
    const path = pathOf(quarter.year, quarter.quarter)
    bytes += tables.write(path)
    paths.push(path)
  }
  return { paths, bytes, transactions }
}
