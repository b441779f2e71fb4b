import { parse } from 'csv-parse/sync'
import { LoadError, wordsOf } from '../lib/errors.ts'
import { measureOf, nationalRateSeries, plainHeading, productOf } from './products.ts'
import { Collector, type NationalRates } from './workbook.ts'

const isDate = (heading: string): boolean =>
  /^(date|as of date|effective date|month)$/.test(plainHeading(heading))
const isProduct = (heading: string): boolean => /^(deposit )?products?$/.test(plainHeading(heading))

/** Whether a header is of the table with a row a date and product. */
export const isLongTable = (headings: readonly string[]): boolean =>
  headings.some(isDate) &&
  headings.some(isProduct) &&
  headings.some((heading) => measureOf(heading) === 'RATE')

/**
 * Reads FDIC's columns in a CSV with a row a date and product.
 * @throws LoadError for text that is no CSV, a line that is cut short, or a date and product told twice otherwise
 */
export function readCsv(name: string, text: string): NationalRates {
  let rows: string[][]
  try {
    rows = parse(text, { bom: true, trim: true, skip_empty_lines: true })
  } catch (error) {
    throw new LoadError(`${name}: ${wordsOf(error)}`)
  }
  const [header = [], ...records] = rows
  const date = header.findIndex(isDate)
  const product = header.findIndex(isProduct)
  const found = new Collector()
  const seen = new Map<string, string>()
  for (const [index, record] of records.entries()) {
    const of = productOf(record[product]!)
    const values = JSON.stringify(record.slice(2))
    const twin = seen.get(`${record[date]} ${of}`)
    if (twin !== undefined && twin !== values) {
      throw new LoadError(
        `${name}: record ${index + 2}: ${record[product]} of ${record[date]} is given twice with other values`,
      )
    }
    seen.set(`${record[date]} ${of}`, values)
    if (of === undefined) found.strange.add(`product “${record[product]}”`)
    for (const [column, heading] of header.entries()) {
      if (column === date || column === product) continue
      const measure = measureOf(heading)
      if (measure === undefined) found.strange.add(`column “${heading}”`)
      else if (of !== undefined) found.add(record[date]!, nationalRateSeries(measure, of), record[column]!)
    }
  }
  if (found.empty) throw new LoadError(`${name}: no record below the header`)
  return found.result()
}
