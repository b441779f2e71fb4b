import { XMLParser } from 'fast-xml-parser'
import { recordOf, type WholeDocument, type WholeReading } from '../declared/whole.ts'
import { LoadError } from '../lib/errors.ts'
import { limits, within } from '../lib/limits.ts'
import { textOf } from '../lib/windows-1252.ts'

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  allowBooleanAttributes: true,
  htmlEntities: true,
  parseTagValue: false,
  unpairedTags: ['br', 'hr', 'img', 'input', 'link', 'meta', 'col'],
  stopNodes: ['*.script', '*.style', '*.svg'],
  maxNestedTags: limits.whole.depth,
})

/** Elements by their name, with children in order; text stands under `#text`. */
type Node = Readonly<Record<string, unknown>>

/**
 * The table of orders on a page of NCUA: a record a row. A cell of name and relationship has both in lines; the address of an
 * order is that of the row's first link.
 * @throws LoadError where there is no such table
 */
export function read({ bytes, place }: WholeDocument): WholeReading {
  const html = textOf(bytes)
  const rows = tablesIn(html).flatMap((table) => {
    const all = elements(parser.parse(table), 'tr').map((row) => [...elements([row], 'th', 'td')])
    within(place, all.length, 'rows', limits.sheet.rows)
    const headings = (all[0] ?? []).map((cell) => lines(cell).join(' '))
    const at = (pattern: RegExp) => headings.findIndex((heading) => pattern.test(heading))
    const columns = [/docket/i, /institution|credit union/i, /^city/i, /^state/i, /^year/i, /^name/i].map(at)
    if (columns[1]! < 0 || columns[4]! < 0) return []
    return all.slice(1).map((cells) => {
      const [docket, institution, city, state, year] = columns.map((column) => lines(cells[column]).join(' '))
      const [name = '', ...relationship] = lines(cells[columns[5]!])
      return [docket!, institution!, city!, state!, year!, name, relationship.join(' '), hrefIn(cells)]
    })
  })
  if (rows.length === 0) throw new LoadError(`${place}: has no table with “Institution” and “Year”`)
  return {
    header: ['Docket Number', 'Institution', 'City', 'State', 'Year', 'Name', 'Relationship', 'URL'],
    records: rows.map(recordOf),
  }
}

/** The texts of the tables of a page; what is around them need not be whole. */
function tablesIn(html: string): string[] {
  const found: string[] = []
  const lower = html.toLowerCase()
  for (let from = lower.indexOf('<table'); from >= 0; ) {
    const end = lower.indexOf('</table>', from)
    if (end < 0) break
    found.push(html.slice(from, end + '</table>'.length))
    from = lower.indexOf('<table', end)
  }
  return found
}

const nameOf = (node: Node): string => Object.keys(node).find((key) => key !== ':@') ?? ''
const childrenOf = (node: Node): readonly Node[] => {
  const children = node[nameOf(node)]
  return Array.isArray(children) ? children : []
}

/** Elements of these names, the outermost of each branch. */
const elements = (nodes: readonly Node[], ...names: string[]): Node[] =>
  nodes.flatMap((node) =>
    names.includes(nameOf(node).toLowerCase()) ? [node] : elements(childrenOf(node), ...names),
  )

/** The text of a cell, a line for each break or block. */
function lines(cell: Node | undefined): string[] {
  const text = (node: Node): string => {
    const name = nameOf(node).toLowerCase()
    if (name === '#text') return String(node['#text'])
    const inner = childrenOf(node).map(text).join('')
    return ['br', 'p', 'div', 'li'].includes(name) ? `\n${inner}\n` : inner
  }
  const all = cell ? childrenOf(cell).map(text).join('') : ''
  return all
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

function hrefIn(cells: readonly Node[]): string {
  const [link] = elements(cells, 'a')
  const attributes = link?.[':@'] as Readonly<Record<string, string>> | undefined
  return attributes?.['@_href'] ?? ''
}
