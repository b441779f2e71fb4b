import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { recordOf, type WholeDocument, type WholeReading } from '../declared/whole.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import { limits } from '../lib/limits.ts'
import { textOf } from '../lib/windows-1252.ts'

// No entities: the feed has none, and what declares them means harm. All text stays text.
const parser = new XMLParser({
  processEntities: false,
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  maxNestedTags: limits.whole.depth,
  isArray: (name) => name === 'properties' || name === 'entry',
})

/**
 * Reads Treasury's OData feed, or the bare `m:properties` of an entry: a record an entry, headed by the names of the elements,
 * blank where an entry lacks one. Lines count entries.
 * @throws LoadError when the text is not whole XML or holds no entry; whatever the parser does not like
 */
export function read({ bytes, place }: WholeDocument): WholeReading {
  const text = textOf(bytes)
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    throw new LoadError(`${place}: a document type is no part of Treasury's feed`)
  const valid = XMLValidator.validate(text)
  if (valid !== true) {
    throw new LoadError(
      `${place}: line ${valid.err.line}: not whole XML: ${valid.err.msg} The file may be cut short.`,
    )
  }
  const entries = propertiesIn(parsed(place, text))
  if (entries.length === 0) throw new LoadError(`${place}: no entry with “m:properties”`)
  const elements = [...new Set(entries.flatMap((entry) => Object.keys(entry)))].filter(
    (key) => !DATES.includes(key),
  )
  const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  return {
    header: [DATES[0]!, ...elements],
    records: entries.map((entry) => {
      const date = DATES.map((key) => wordOf(entry[key])).find((word) => word !== '') ?? ''
      return recordOf([date, ...elements.map((key) => wordOf(entry[key]))])
    }),
  }
}

function parsed(place: string, text: string): unknown {
  try {
    return parser.parse(text)
  } catch (error) {
    const words = wordsOf(error)
    throw new LoadError(
      `${place}: ${/nested/.test(words) ? `elements lie more than ${limits.whole.depth} deep` : words}`,
    )
  }
}

// Bills have both: the quote is of the index date.
const DATES = ['NEW_DATE', 'INDEX_DATE', 'QUOTE_DATE']

type Node = Record<string, unknown>

function propertiesIn(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(propertiesIn)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'properties' && Array.isArray(value) ? value.filter(isNode) : propertiesIn(value),
  )
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
