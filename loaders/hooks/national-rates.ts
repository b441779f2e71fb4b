import { read as readBook, SSF, utils, type WorkSheet } from '@e965/xlsx'
import {
  isWorkbook,
  measureOf,
  nationalRateSeries,
  productOf,
} from '../../sql/sources/fdic-national-rates.ts'
import type { WholeDocument, WholeReading } from '../declared/whole.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import { limits, within } from '../lib/limits.ts'
import { openZip } from '../lib/zip.ts'
import { readLongTable } from './national-rates-csv.ts'
import { RateTable } from './rate-table.ts'

type Cell = string | number | Date | boolean | null | undefined

/** Reads FDIC's archive of national rates, or a CSV of the same columns. @throws LoadError where it is neither */
export async function read(document: WholeDocument): Promise<WholeReading> {
  const { bytes, name } = document
  const beginning = Buffer.from(bytes.subarray(0, 1 << 16)).toString('latin1')
  const found = new RateTable()
  if (isWorkbook(beginning, name)) await readWorkbook(document, found)
  else readLongTable(document, found)
  return found.result()
}

/** A sheet a year, a block of columns a month headed with its date, a row a product: found by its words, wherever they stand. */
async function readWorkbook(document: WholeDocument, found: RateTable): Promise<void> {
  const { place } = document
  const bytes = Buffer.from(document.bytes)
  await checkMembers(place, bytes)
  let sheets: [string, Cell[][]][]
  try {
    const book = readBook(bytes, { cellDates: false, cellFormula: false, cellHTML: false })
    sheets = book.SheetNames.map((sheet) => [sheet, rowsOf(`${place}: sheet ${sheet}`, book.Sheets[sheet]!)])
  } catch (error) {
    if (error instanceof LoadError) throw error
    throw new LoadError(`${place}: not a workbook that can be read (${wordsOf(error)})`)
  }
  for (const [sheet, rows] of sheets) readSheet(sheet, rows, found)
  if (found.empty)
    throw new LoadError(`${place}: no sheet has a row headed “National Rate” below a row of dates`)
}

/** Unpacks every member once, within the limits of a zip: the parser of workbooks has none. */
async function checkMembers(place: string, bytes: Buffer): Promise<void> {
  const { members, close } = await openZip(place, { bytes })
  try {
    for (const { open } of members) for await (const _ of await open());
  } finally {
    close()
  }
}

/** A row of the answer is as long as the sheet is wide, and one cell in the far corner makes it so. */
function rowsOf(place: string, sheet: WorkSheet): Cell[][] {
  if (!sheet['!ref']) return []
  const { e: corner } = utils.decode_range(sheet['!ref'])
  within(place, corner.r + 1, 'rows', limits.sheet.rows)
  within(place, corner.c + 1, 'columns', limits.sheet.columns)
  return utils.sheet_to_json<Cell[]>(sheet, { header: 1, raw: true, blankrows: true })
}

function readSheet(sheet: string, rows: Cell[][], found: RateTable): void {
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
  typeof cell === 'string' && /^-?(\d+(\.\d*)?|\.\d+)(\s*%)?$/.test(cell.trim())

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
