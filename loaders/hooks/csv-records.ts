import { csv } from '../../sql/sources/declare.ts'
import { RecordCutter, separatorOf } from '../declared/records.ts'
import type { WholeDocument } from '../declared/whole.ts'
import { LoadError } from '../lib/errors.ts'
import { limits, within } from '../lib/limits.ts'

export interface CsvRecord {
  line: number
  fields: string[]
}

/** A CSV as a whole: its header, and the trimmed fields of its records. @throws LoadError at the first that is damaged */
export function csvRecords({ bytes, place }: WholeDocument): { header: string[]; records: CsvRecord[] } {
  const form = csv()
  const cutter = new RecordCutter(form, place)
  const records: CsvRecord[] = []
  let values = 0
  for (const { line, fault, bytes: text } of [...cutter.push(Buffer.from(bytes)), ...cutter.finish()]) {
    if (fault) throw new LoadError(`${place}: line ${line}: ${fault}`)
    const fields = text.toString('utf8').split(separatorOf(form))
    if (records.length === 0) within(place, fields.length, 'columns', limits.text.columns)
    values += fields.length
    within(place, values, 'values', limits.text.values)
    records.push({ line, fields: fields.map((field) => field.trim()) })
  }
  const header = records.shift()?.fields ?? []
  return { header, records }
}
