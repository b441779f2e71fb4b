import { LoadError } from '../lib/errors.ts'
import {
  firstLine,
  headerFields,
  type ObservationsEdition,
  type ObservationsFile,
} from '../lib/observations/file.ts'
import { loadObservations, type Reading } from '../lib/observations/load.ts'
import type { LoadContext, Loaded, Reject } from '../lib/source.ts'
import { csvMeanings, type Meaning, xmlMeaning } from './tables.ts'
import { readFeed } from './xml.ts'

const isXml = (text: string): boolean => /^\s*<(\?xml|feed|entry|m:properties)/.test(text)

/** Whether a file is one of Treasury's tables or feeds. */
export function recognise({ text }: ObservationsFile): null | 'other' | { reason: string } {
  if (isXml(text)) return /(BC|TC)_\d|ROUND_B1_/.test(text) ? null : 'other'
  const [date, ...headings] = headerFields(firstLine(text))
  if (date?.toLowerCase() !== 'date') return 'other'
  return csvMeanings(headings) ? null : 'other'
}

/** Loads a CSV of any generation, or the XML feed, of par yields, real yields or bill rates. */
export function loadTreasury(edition: ObservationsEdition, context: LoadContext): Promise<Loaded> {
  const { text, name } = edition.file
  return loadObservations(edition, isXml(text) ? readXml(name, text) : readCsv(name, text), context)
}

function readCsv(name: string, text: string): Reading {
  const [, ...headings] = headerFields(firstLine(text))
  const meanings = csvMeanings(headings)
  if (!meanings) throw new LoadError(`${name}: the header names no tenor`)
  return { ...reading(headings, meanings), span: 'year' }
}

function readXml(name: string, text: string): Reading {
  const { elements, lines } = readFeed(name, text)
  return { ...reading(elements, elements.map(xmlMeaning)), span: 'year', lines }
}

function reading(headings: readonly string[], meanings: readonly Meaning[]): Omit<Reading, 'span'> {
  const columns = headings.flatMap((heading, index) => {
    const meaning = meanings[index]!
    return typeof meaning === 'string' ? [] : [{ position: index + 2, series: meaning.series, heading }]
  })
  const rejects: Reject[] = headings
    .filter((_, index) => meanings[index] === 'new')
    .map((heading) => ({
      member: '',
      line: 1,
      reason: `the column “${heading}” is new: no series is known for it; the other columns were read`,
      text: heading,
    }))
  return { table: { columns, widths: [headings.length + 1], whole: 'decimals' }, rejects }
}
