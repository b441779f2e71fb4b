import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { LoadError } from '../lib/errors.ts'
import type { Line } from '../lib/observations/stage.ts'

export interface Feed {
  /** Names of the elements below `properties`, the date's aside. */
  elements: string[]
  /** One an entry: the date, then the elements in that order, '' where an entry lacks one. `line` counts entries. */
  lines: Line[]
}

// No entities: the feed has none, and what declares them means harm. All text stays text.
const parser = new XMLParser({
  processEntities: false,
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => name === 'properties' || name === 'entry',
})

/**
 * Reads Treasury's OData feed, or the bare `m:properties` of an entry.
 * @throws LoadError when the text is not whole XML or holds no entry
 */
export function readFeed(name: string, text: string): Feed {
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    throw new LoadError(`${name}: a document type is no part of Treasury's feed`)
  const valid = XMLValidator.validate(text)
  if (valid !== true) {
    throw new LoadError(
      `${name}: line ${valid.err.line}: not whole XML: ${valid.err.msg} The file may be cut short.`,
    )
  }
  const entries = propertiesIn(parser.parse(text))
  if (entries.length === 0) throw new LoadError(`${name}: no entry with “m:properties”`)
  const elements = [...new Set(entries.flatMap((entry) => Object.keys(entry)))].filter(
    (key) => !DATES.includes(key),
  )
  return {
    elements,
    lines: entries.map((entry, index) => {
      const date = DATES.map((key) => entry[key]).find((value) => typeof value === 'string' && value !== '')
      const fields = [date, ...elements.map((key) => entry[key])].map((value) =>
        typeof value === 'string' ? value : '',
      )
      return { line: index + 1, text: JSON.stringify(entry), fields }
    }),
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
