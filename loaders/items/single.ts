import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { bareHeading } from '../../sql/sources/columns.ts'
import { csv } from '../../sql/sources/declare.ts'
import type { SingleReport } from '../../sql/sources/items.ts'
import { fieldsOf } from '../declared/read.ts'
import { RecordCutter, separatorOf } from '../declared/records.ts'
import { LoadError } from '../lib/errors.ts'
import type { InputFile } from '../lib/source.ts'

/** The longest report of one institution is below 300 KiB. */
const MOST_BYTES = 8 << 20

const form = csv()

/**
 * The report of one institution as the other files of its source would have it: a header, and one line.
 * @throws LoadError naming the file, and what of it is not as published
 */
export async function openSingle(
  { header, headings }: SingleReport,
  { name, place, bytes }: InputFile,
): Promise<Readable> {
  if (bytes > MOST_BYTES)
    throw new LoadError(`${place}: ${bytes} bytes are more than the report of one institution has`)
  const cutter = new RecordCutter(form, name)
  const [first, ...records] = [...cutter.push(await readFile(place)), ...cutter.finish()]
  const columns = first ? fieldsOf(first, separatorOf(form)).map(bareHeading) : []
  const [code, value] = [header.code, header.value].map((heading) => columns.indexOf(bareHeading(heading)))
  if (code === undefined || value === undefined || code < 0 || value < 0)
    throw new LoadError(`${name}: expected a header with the columns "${header.code}" and "${header.value}"`)
  const cells = new Map<string, string>()
  for (const record of records) {
    const fields = fieldsOf(record, separatorOf(form))
    if (record.fault) throw new LoadError(`${name}: line ${record.line}: ${record.fault}`)
    if (fields.length !== columns.length)
      throw new LoadError(
        `${name}: line ${record.line} has ${fields.length} cells, its header ${columns.length}`,
      )
    const own = fields[code]!
    const heading = headings[own] ?? own
    const other = cells.get(heading)
    // the report date stands in two forms
    if (other !== undefined && headings[own] !== undefined) continue
    if (other !== undefined && other !== fields[value])
      throw new LoadError(`${name}: line ${record.line}: ${heading} is “${other}” in a line above`)
    cells.set(heading, fields[value]!)
  }
  const line = (texts: Iterable<string>) =>
    [...texts].map((text) => `"${text.replaceAll('"', '""')}"`).join(',')
  return Readable.from([Buffer.from(`${line(cells.keys())}\n${line(cells.values())}\n`)])
}
