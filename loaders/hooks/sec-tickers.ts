import { recordOf, type WholeDocument, type WholeReading } from '../declared/whole.ts'
import { listOf, objectOf, parseJson, scalarOf } from '../lib/json-values.ts'

/** EDGAR's lists of tickers: an object of objects, or with exchanges fields and rows of values. */
export function read({ bytes, place }: WholeDocument): WholeReading {
  const document = objectOf(parseJson(Buffer.from(bytes).toString('utf8'), place))
  const { fields, data } = document
  if (Array.isArray(fields) && Array.isArray(data))
    return {
      header: fields.map(scalarOf),
      records: data.map((row: unknown) => recordOf(fields.map((_, at) => scalarOf(listOf(row)[at])))),
    }
  const keys = ['cik_str', 'ticker', 'title']
  return {
    header: keys,
    records: Object.values(document).map((one) => recordOf(keys.map((key) => scalarOf(objectOf(one)[key])))),
  }
}
