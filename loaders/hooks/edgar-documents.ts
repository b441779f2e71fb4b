/** XML documents of EDGAR filings: by themselves, inside of a whole submission, or many at a time. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { DOCUMENT_SEPARATOR, recordOf, type WholeDocument, type WholeReading } from '../declared/whole.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import { limits } from '../lib/limits.ts'
import { textOf } from '../lib/windows-1252.ts'

// All text stays text. Entities are those of XML itself and numbers: a document type, which may declare others, is refused.
const parser = new XMLParser({
  htmlEntities: true,
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  maxNestedTags: limits.whole.depth,
})

/** A filing, as far as its documents tell. */
export interface EdgarFiling {
  /** As EDGAR writes it: `0000070858-25-000399`. */
  readonly accession: string
  /** ISO day; '' where only a whole submission tells it. */
  readonly filed: string
  /** The root elements of its XML documents, by name. */
  readonly roots: Readonly<Record<string, unknown>>
}

/** Fields of a record by their headings. */
export type Fields = Readonly<Record<string, string>>

/**
 * Reads each filing of a document. One that cannot be read is listed; where it is the only one, that is the fault of the file.
 * @param header all headings that the records of the table may have
 * @param fieldsOf the records of a filing
 * @throws LoadError where no filing can be read
 */
export function readFilings(
  document: WholeDocument,
  header: readonly string[],
  fieldsOf: (filing: EdgarFiling) => readonly Fields[],
): WholeReading {
  const pieces = piecesOf(document)
  const records: string[] = []
  const lines: number[] = []
  const rejects: { line: number; reason: string; text: string }[] = []
  for (const { place, text } of pieces)
    try {
      for (const fields of fieldsOf(filingOf(place, text))) {
        records.push(recordOf(header.map((heading) => fields[heading] ?? '')))
        lines.push(lines.length + 1)
      }
    } catch (error) {
      const reason = wordsOf(error)
      if (pieces.length === 1) throw new LoadError(reason)
      rejects.push({ line: lines.length + 1, reason, text: text.slice(0, 200) })
    }
  if (rejects.length === pieces.length) throw new LoadError(rejects[0]!.reason)
  return { header: [...header], records, lines, rejects }
}

function piecesOf({ bytes, place }: WholeDocument): { place: string; text: string }[] {
  const text = textOf(bytes)
  if (!text.startsWith(DOCUMENT_SEPARATOR)) return [{ place, text }]
  return text
    .split(DOCUMENT_SEPARATOR)
    .slice(1)
    .map((piece) => {
      const end = piece.indexOf('\n')
      return { place: piece.slice(0, end), text: piece.slice(end + 1) }
    })
}

function filingOf(place: string, text: string): EdgarFiling {
  const submission = text.includes('<SEC-HEADER>')
  const head = submission ? text.slice(0, text.indexOf('</SEC-HEADER>')) : ''
  const lines = head.split('\n')
  const said = (label: string) =>
    lines
      .find((line) => line.startsWith(`${label}:`))
      ?.slice(label.length + 1)
      .trim()
      .split(' ')[0] ?? ''
  const numbers = [...place.matchAll(/(?<!\d)(\d{10})-?(\d{2})-?(\d{6})(?!\d)/g)]
  const accession = said('ACCESSION NUMBER') || (numbers.at(-1)?.slice(1).join('-') ?? '')
  if (accession === '')
    throw new LoadError(
      `${place}: tells no accession number: expected one in the name of the file or of its folder, such as 0000070858-25-000399.xml`,
    )
  const roots: Record<string, unknown> = {}
  for (const xml of submission ? documentsIn(text) : [text]) Object.assign(roots, parsed(place, xml.trim()))
  return { accession, filed: isoDay(said('FILED AS OF DATE')), roots }
}

/** The XML documents of a whole submission. */
function documentsIn(text: string): string[] {
  const found: string[] = []
  for (let from = text.indexOf('<XML>'); from >= 0; from = text.indexOf('<XML>', from)) {
    const end = text.indexOf('</XML>', from)
    if (end < 0) break
    found.push(text.slice(from + '<XML>'.length, end))
    from = end
  }
  return found
}

function parsed(place: string, xml: string): Record<string, unknown> {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml))
    throw new LoadError(`${place}: a document type is no part of EDGAR's documents`)
  const valid = XMLValidator.validate(xml)
  if (valid !== true)
    throw new LoadError(
      `${place}: line ${valid.err.line}: not whole XML: ${valid.err.msg} The file may be cut short.`,
    )
  try {
    return parser.parse(xml)
  } catch (error) {
    const words = wordsOf(error)
    throw new LoadError(
      `${place}: ${/nested/.test(words) ? `elements lie more than ${limits.whole.depth} deep` : words}`,
    )
  }
}

/** The element that a path leads to; undefined where there is none. */
export function at(node: unknown, path: string): unknown {
  let here = node
  for (const name of path.split('.'))
    here =
      typeof here === 'object' && here !== null && Object.hasOwn(here, name)
        ? (here as Record<string, unknown>)[name]
        : undefined
  return here
}

/** Elements that may stand there once, several times or not at all. */
export function all(node: unknown, path: string): readonly unknown[] {
  const found = at(node, path)
  if (Array.isArray(found)) return found
  return found === undefined || found === '' ? [] : [found]
}

/** The text of an element, or of the `value` inside of it; '' where there is none. */
export function textAt(node: unknown, path: string): string {
  const found = at(node, path)
  if (typeof found === 'string') return found.replaceAll(/\s+/g, ' ').trim()
  return typeof found === 'object' && found !== null && 'value' in found ? textAt(found, 'value') : ''
}

/** The fields of an element whose places are told by heading. */
export const fieldsAt = (node: unknown, places: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(places).map(([heading, place]) => [heading, textAt(node, place)]))

/** `2025-10-22-05:00`, `12-31-2021`, `11/19/2025`, `20230323` as an ISO day; other text as it is. */
export function isoDay(text: string): string {
  const own = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text)
  if (own) return own.slice(1).join('-')
  const [, month, day, year] = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})$/.exec(text) ?? []
  return year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text
}

/** The newest of several days. */
export const newest = (days: readonly string[]): string => days.map(isoDay).sort().at(-1) ?? ''
