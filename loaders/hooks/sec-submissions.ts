/** Documents of EDGAR's submissions: a registrant with its filings (`CIK##########.json`), and filings that did not fit in it. */
import { batchesOf } from '../declared/document-batch.ts'
import type { DocumentReader } from '../declared/document-reader.ts'
import { listOf, objectOf, scalarOf } from '../lib/json-values.ts'

/** What a registrant's submissions say of it. */
const own = [
  ...['cik', 'name', 'entityType', 'sic', 'sicDescription', 'ownerOrg', 'ein', 'lei', 'category'],
  ...['fiscalYearEnd', 'stateOfIncorporation', 'phone', 'website'],
]
const address = ['street1', 'street2', 'city', 'stateOrCountry', 'zipCode']

/** Arrays of equal length, of which each has a value a filing. */
const ofFilings = [
  ...['accessionNumber', 'form', 'filingDate', 'reportDate', 'acceptanceDateTime', 'act', 'fileNumber'],
  ...['filmNumber', 'items', 'size', 'isXBRL', 'isInlineXBRL', 'primaryDocument', 'primaryDocDescription'],
]

const registrants: DocumentReader = {
  expected: 'a registrant’s submissions',
  header: [...own, ...address.map((part) => `business ${part}`), 'tickers', 'exchanges', 'formerNames'],
  until: ',"filings":',
  // persons and funds have no industry, and are most of EDGAR
  wants: (beginning) => /"sic":"\d/.test(beginning),
  *records(document) {
    const registrant = objectOf(document)
    if (registrant.cik === undefined) throw new Error('there is no “cik”')
    const business = objectOf(objectOf(registrant.addresses).business)
    const former = listOf(registrant.formerNames).map((one) => {
      const { name, from, to } = objectOf(one)
      return [name, from, to].map((value) => scalarOf(value).replaceAll('\t', ' ')).join('\t')
    })
    yield [
      ...own.map((key) => scalarOf(registrant[key])),
      ...address.map((key) => scalarOf(business[key])),
      linesOf(listOf(registrant.tickers)),
      linesOf(listOf(registrant.exchanges)),
      linesOf(former),
    ]
  },
}

const filings: DocumentReader = {
  expected: 'a registrant’s filings',
  header: ['cik', ...ofFilings],
  *records(document, { number }) {
    const whole = objectOf(document)
    // what did not fit into the registrant's document has no wrapper, and only its name says whose it is
    const wrapped = whole.filings !== undefined
    const cik = String(whole.cik ?? number)
    if (!(Number(cik) > 0)) throw new Error('neither it nor its name says whose filings they are')
    const lists = objectOf(wrapped ? objectOf(whole.filings).recent : whole)
    const columns = ofFilings.map((key) => listOf(lists[key]))
    const count = columns[0]!.length
    for (const [at, column] of columns.entries())
      if (column.length !== count && column.length > 0)
        throw new Error(`“${ofFilings[at]}” has ${column.length} values, “${ofFilings[0]}” ${count}`)
    for (let at = 0; at < count; at += 1) yield [cik, ...columns.map((column) => scalarOf(column[at]))]
  },
}

export const { headerOf, readBatch } = batchesOf({ registrants, filings })

const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => scalarOf(value).replaceAll('\n', ' ').trim() || 'none').join('\n')
