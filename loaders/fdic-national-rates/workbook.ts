import { read, SSF, utils } from '@e965/xlsx'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Line } from '../lib/observations/stage.ts'
import { measureOf, nationalRateSeries, productOf } from './products.ts'

/** One line a date, with a field a series; what is not published is ''. */
export interface NationalRates {
  series: string[]
  lines: Line[]
  /** Products and measures that nobody knows. */
  strange: string[]
}

type Cell = string | number | Date | boolean | null | undefined

/**
 * Reads FDIC's archive of national rates: a sheet a year, a block of columns a month headed with its date, a row a
 * product. The layout is found by its words, so that rows and columns may move.
 * @throws LoadError when it is no workbook or no sheet has such a table
 */
export function readWorkbook(name: string, bytes: Buffer): NationalRates {
  const found = new Collector()
  let sheets: [string, Cell[][]][]
  try {
    const book = read(bytes, { cellDates: false, cellFormula: false, cellHTML: false })
    sheets = book.SheetNames.map((sheet) => [
      sheet,
      utils.sheet_to_json<Cell[]>(book.Sheets[sheet]!, { header: 1, raw: true, blankrows: true }),
    ])
  } catch (error) {
    throw new LoadError(`${name}: not a workbook that can be read (${wordsOf(error)})`)
  }
  for (const [sheet, rows] of sheets) readSheet(sheet, rows, found)
  if (found.empty)
    throw new LoadError(`${name}: no sheet has a row headed “National Rate” below a row of dates`)
  return found.result()
}

function readSheet(sheet: string, rows: Cell[][], found: Collector): void {
  const header = rows.findIndex((row) => row.some((cell) => measureOf(String(cell ?? '')) === 'RATE'))
  if (header < 1) return
  const dates = rows[header - 1]!
  let date = ''
  const blocks = Array.from(rows[header]!, (cell, column) => {
    // The date stands over the first column of its block.
    if (isGiven(dates[column])) date = dayOf(dates[column])
    const heading = String(cell ?? '').trim()
    return { column, date, measure: heading === '' ? undefined : measureOf(heading), heading }
  }).filter(({ column, heading }) => column > 0 && heading !== '')
  for (const [index, row] of rows.entries()) {
    if (index <= header || !isGiven(row[0])) continue
    const product = productOf(String(row[0]))
    const values = blocks.filter(({ column }) => typeof row[column] === 'number' || isNumber(row[column]))
    // Footnotes have no numbers beside them.
    if (values.length === 0) continue
    if (product === undefined) found.strange.add(`product “${String(row[0]).trim()}” in sheet ${sheet}`)
    for (const { column, date: day, measure, heading } of values) {
      if (measure === undefined) found.strange.add(`column “${heading}” in sheet ${sheet}`)
      else if (product !== undefined && day !== '')
        found.add(day, nationalRateSeries(measure, product), String(row[column]))
    }
  }
}

const isGiven = (cell: Cell): boolean => cell !== null && cell !== undefined && String(cell).trim() !== ''
const isNumber = (cell: Cell): boolean =>
  typeof cell === 'string' && /^\s*-?(\d+\.?\d*|\.\d+)\s*%?\s*$/.test(cell)

/** A date cell: Excel's day number, or text, which the stage reads. */
function dayOf(cell: Cell): string {
  if (typeof cell === 'number') {
    const { y, m, d } = SSF.parse_date_code(cell)
    return `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
  }
  const text = String(cell).trim()
  const spelled = /([A-Z][a-z]+)\s+(\d{1,2}),?\s+(\d{4})/.exec(text)
  return spelled ? `${spelled[2]}-${spelled[1]!.slice(0, 3)}-${spelled[3]}` : text.replace(/[^\d/-]+/g, '')
}

/** Gathers values by date and series. */
export class Collector {
  readonly strange = new Set<string>()
  readonly #values = new Map<string, Map<string, string>>()

  get empty(): boolean {
    return this.#values.size === 0
  }

  add(date: string, series: string, value: string): void {
    const day = this.#values.get(date) ?? new Map<string, string>()
    day.set(series, value.replace('%', '').trim())
    this.#values.set(date, day)
  }

  result(): NationalRates {
    const series = [...new Set([...this.#values.values()].flatMap((day) => [...day.keys()]))].sort()
    const lines = [...this.#values]
      .sort(([a], [b]) => (sortable(a) < sortable(b) ? -1 : 1))
      .map(([date, day], index) => ({
        line: index + 1,
        text: date,
        fields: [date, ...series.map((id) => day.get(id) ?? '')],
      }))
    return { series, lines, strange: [...this.strange] }
  }
}

/** ISO of a month/day/year, so that sheets may come in any order. */
function sortable(date: string): string {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(date)
  return us ? `${us[3]!.padStart(4, '20')}-${us[1]!.padStart(2, '0')}-${us[2]!.padStart(2, '0')}` : date
}
