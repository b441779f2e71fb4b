import { longTable, measureOf, nationalRateSeries, productOf } from '../../sql/sources/fdic-national-rates.ts'
import type { WholeDocument } from '../declared/whole.ts'
import { LoadError } from '../lib/errors.ts'
import { csvRecords } from './csv-records.ts'
import type { RateTable } from './rate-table.ts'

/**
 * Reads FDIC's columns in a CSV with a row a date and product.
 * @throws LoadError for a line that is cut short or damaged, or a date and product told twice otherwise
 */
export function readLongTable(document: WholeDocument, found: RateTable): void {
  const { place } = document
  const { header, records } = csvRecords(document)
  const { date, product } = longTable(header)!
  const seen = new Map<string, string>()
  for (const { line, fields } of records) {
    if (fields.length !== header.length)
      throw new LoadError(
        `${place}: line ${line}: ${fields.length} fields where ${header.length} are expected`,
      )
    const of = productOf(fields[product]!)
    const values = JSON.stringify(fields)
    const twin = seen.get(`${fields[date]} ${of}`)
    if (twin !== undefined && twin !== values)
      throw new LoadError(
        `${place}: line ${line}: ${fields[product]} of ${fields[date]} is given twice with other values`,
      )
    seen.set(`${fields[date]} ${of}`, values)
    if (of === undefined) found.strange.add(`product “${fields[product]}”`)
    for (const [column, heading] of header.entries()) {
      if (column === date || column === product) continue
      const measure = measureOf(heading)
      if (measure === undefined) found.strange.add(`column “${heading}”`)
      else if (of !== undefined) found.add(fields[date]!, nationalRateSeries(measure, of), fields[column]!)
    }
  }
  if (found.empty) throw new LoadError(`${place}: no record below the header`)
}
