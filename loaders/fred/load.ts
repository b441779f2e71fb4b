import {
  firstLine,
  headerFields,
  type ObservationsEdition,
  type ObservationsFile,
} from '../lib/observations/file.ts'
import { loadObservations } from '../lib/observations/load.ts'
import type { LoadContext, Loaded } from '../lib/source.ts'
import { fredSeriesById } from './catalog.ts'

/** FRED's identifiers of series. */
const ID = /^[A-Z][A-Z0-9_]{0,30}$/

/** Names of the date column in the three generations of header. */
const DATE = /^(observation_date|date)$/i

/**
 * The series of a file, by column: of the header (`observation_date,DGS10`, `DATE,DGS10`), or of the file's name
 * where the header says only `date,value`. Undefined: no file of FRED.
 */
export function seriesOf({ name, text }: Pick<ObservationsFile, 'name' | 'text'>): string[] | undefined {
  const [date, ...headings] = headerFields(firstLine(text))
  if (date === undefined || !DATE.test(date) || headings.length === 0) return undefined
  if (headings.length === 1 && headings[0]!.toLowerCase() === 'value') {
    const id = name
      .replace(/\.csv$/i, '')
      .replace(/ ?\(\d+\)$/, '')
      .toUpperCase()
    return ID.test(id) ? [id] : undefined
  }
  const ids = headings.map((heading) => heading.toUpperCase())
  return ids.every((id) => ID.test(id)) ? ids : undefined
}

export function recognise(file: ObservationsFile): null | 'other' | { reason: string } {
  if (seriesOf(file)) return null
  const says = headerFields(firstLine(file.text)).map((field) => field.toLowerCase())
  if (says.length === 2 && DATE.test(says[0]!) && says[1] === 'value') {
    return { reason: 'the header names no series, so name the file after it, as in DGS10.csv' }
  }
  return 'other'
}

/** Loads a CSV of one series or several. A file holds the whole history, so one that ends earlier is older. */
export function loadFred(edition: ObservationsEdition, context: LoadContext): Promise<Loaded> {
  const ids = seriesOf(edition.file)!
  const columns = ids.map((id, index) => ({ position: index + 2, series: id, heading: id }))
  const strange = ids.filter((id) => !fredSeriesById.has(id))
  return loadObservations(
    edition,
    {
      table: { columns, widths: [ids.length + 1], whole: 'line-end' },
      span: 'history',
      notes: strange.map(
        (id) => `${id} is not in the catalog of series: it is kept, but no dataset shows it`,
      ),
    },
    context,
  )
}
