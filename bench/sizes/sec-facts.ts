/** `companyfacts.zip`: what every registrant filed in XBRL. */
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
import { otherCiks } from './sec-submissions.ts'
import { packed, ZipWriter } from './zip-writer.ts'

/** Concepts of which each filing tells two ends of quarters, and of which it tells three durations. */
const INSTANTS = 105
const DURATIONS = 72

const instants = ['Assets', 'Liabilities', 'StockholdersEquity', 'Deposits']
const durations = ['NetIncomeLoss', 'InterestExpense', 'NoninterestIncome', 'IncomeTaxExpenseBenefit']
const named = (known: readonly string[], count: number, rest: string): string[] =>
  Array.from({ length: count }, (_, at) => known[at] ?? `${rest}${String(at).padStart(3, '0')}`)

interface Telling {
  readonly start?: string
  readonly end: string
}

/** Quarters of one registrant: of each the filing, and the ends and durations that it tells. */
function filingsOf(cik: number, size: Size) {
  const all = quartersOf(size)
  return all.slice(1).map((filed, at) => {
    const of = all[at]!
    const year = of.quarter === 4
    const instants: Telling[] = [{ end: of.last }, { end: `${of.year - 1}-12-31` }]
    const told: Telling[] = year
      ? [0, 1, 2].map((back) => ({ start: `${of.year - back}-01-01`, end: `${of.year - back}-12-31` }))
      : [
          { start: of.first, end: of.last },
          { start: of.lastYear.first, end: of.lastYear.last },
          of.quarter === 1
            ? { start: `${of.year - 1}-10-01`, end: `${of.year - 1}-12-31` }
            : { start: `${of.year}-01-01`, end: of.last },
        ]
    const tail = `"accn":"${accessionOf(cik, filed, 0)}","fy":${of.year},"fp":"${year ? 'FY' : `Q${of.quarter}`}","form":"${year ? '10-K' : '10-Q'}","filed":"${dayOf(filed, 40)}"}`
    return { instants, told, tail }
  })
}

function documentOf({ cik, name, index }: Pick<Registrant, 'cik' | 'name' | 'index'>, size: Size) {
  const filings = filingsOf(cik, size)
  let count = 0
  const concept = (key: string, unit: string, number: number, of: 'instants' | 'told') => {
    const draw = new Draw(4, index, number)
    const facts = filings.flatMap((filing) =>
      filing[of].map(
        ({ start, end }) =>
          `{${start ? `"start":"${start}",` : ''}"end":"${end}","val":${draw.below(2 ** 30) * 1000},${filing.tail}`,
      ),
    )
    count += facts.length
    return `"${key}":{"label":"${key}","description":"What the registrant tells of ${key} in its statements, as the taxonomy defines it.","units":{"${unit}":[${facts.join(',')}]}}`
  }
  const concepts = [
    ...named(instants, INSTANTS, 'BalanceItem').map((key, at) => concept(key, 'USD', at, 'instants')),
    ...named(durations, DURATIONS, 'IncomeItem').map((key, at) => concept(key, 'USD', 1000 + at, 'told')),
  ]
  const text = `{"cik":${cik},"entityName":"${name}","facts":{"us-gaap":{${concepts.join(',')}}}}`
  return { text, count }
}

export function writeFacts(path: string, size: Size): { bytes: number; facts: number } {
  const zip = new ZipWriter(path)
  // others have filed for a year or for longer, half as long as a bank on average
  const kinds = Array.from({ length: 20 }, (_, at) => {
    const other = { cik: 9_000_000 + at, name: `Somebody ${at}`, index: -1 - at }
    return packed(documentOf(other, { ...size, years: 1 + (at % (size.years - 1)) }).text)
  })
  let facts = 0
  for (const one of registrantsOf(size)) {
    const { text, count } = documentOf(one, size)
    zip.add(`CIK${cik10(one.cik)}.json`, text)
    for (const cik of otherCiks(one, size)) zip.add(`CIK${cik10(cik)}.json`, kinds[cik % kinds.length]!)
    facts += count
  }
  zip.close()
  return { bytes: zip.unpacked, facts }
}
