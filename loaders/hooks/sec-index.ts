import { recordOf, type WholeDocument, type WholeReading } from '../declared/whole.ts'
import { LoadError } from '../lib/errors.ts'
import { limits, within } from '../lib/limits.ts'
import { textOf } from '../lib/windows-1252.ts'

/**
 * EDGAR's indexes of filings: `form.idx` in columns of fixed width, which its header shows, and `master.idx` with `|` between;
 * of a day or a quarter. A line is a filing.
 */
export function read({ bytes, place }: WholeDocument): WholeReading {
  const all = textOf(bytes).split('\n')
  within(place, all.length, 'lines', limits.text.lines)
  const at = all.findIndex((line) => /^(Form Type|CIK\|)/.test(line))
  if (at < 0) throw new LoadError(`${place}: has no header with “Form Type” and “CIK”`)
  const fieldsOf = all[at]!.startsWith('CIK|') ? divided : inColumns(all[at]!)
  const records: string[] = []
  const lines: number[] = []
  for (const [index, line] of all.entries()) {
    if (index <= at || line.trim() === '' || line.startsWith('---')) continue
    records.push(recordOf(fieldsOf(line)))
    lines.push(index + 1)
  }
  return { header: ['Form Type', 'CIK', 'Date Filed', 'File Name'], records, lines }
}

const divided = (line: string): string[] => {
  const [cik = '', , form = '', day = '', file = ''] = line.trimEnd().split('|')
  return [form, cik, day, file]
}

/** Names may hold anything: the form stands before their column, the rest is told from the end. */
function inColumns(header: string): (line: string) => string[] {
  const name = header.indexOf('Company Name')
  return (line) => {
    const words = line.slice(name).trimEnd().split(' ').filter(Boolean)
    const [cik = '', day = '', file = ''] = words.slice(-3)
    return [line.slice(0, name).trimEnd(), cik, day, file]
  }
}
