import { readFile } from 'node:fs/promises'
import type { GuideRow } from '../../sql/derive/ubpr/guide.ts'
import { guideItems } from '../../sql/formula/index.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Reject } from '../lib/source.ts'
import { readCsv } from '../lib/table.ts'

/** How the guide is written down: two tables of the printed guide, or the data dictionary of a taxonomy version. */
export type Part = 'pages' | 'references' | 'dictionary'
export type Row = Omit<GuideRow, 'edition_date' | 'edition'>

export interface Rows {
  rows: Row[]
  rejects: Reject[]
  /** Records of the file. */
  read: number
}

/** The rows of one file. A record without a concept's code is refused and listed. */
export function rowsOf(path: string, name: string, part: Part): Promise<Rows> {
  return part === 'dictionary' ? dictionaryRows(path, name) : tableRows(path, name, part)
}

async function tableRows(path: string, name: string, part: 'pages' | 'references'): Promise<Rows> {
  const out: Rows = { rows: [], rejects: [], read: 0 }
  for await (const { line, values } of readCsv(path)) {
    out.read++
    const field = (...names: string[]) => names.map((one) => values.get(one)).find(Boolean) ?? ''
    const code = field('concept name', 'referenced concept').toUpperCase()
    if (!isCode(code)) {
      out.rejects.push(
        refuse(name, line, `${JSON.stringify(code)} is no code of a concept`, [...values.values()]),
      )
      continue
    }
    const number = field('concept id').split('.').slice(1).join('.')
    const [first, ...others] = guideItems(code, field('formula'))
    const row = {
      part,
      line,
      page: field('section', 'referencing section'),
      page_number: field('section number', 'referencing section number'),
      referenced: part === 'references',
      title: field('subsection'),
      description: field('description'),
      narrative: field('narrative'),
    }
    out.rows.push({ ...row, item_number: number, code, formula: first!.source })
    // The other concepts of the line stand in the same cell; their descriptions run into one that nothing divides.
    for (const other of others) {
      const item_number = other.number ?? number
      out.rows.push({
        ...row,
        item_number,
        code: other.code,
        formula: other.source,
        description: '',
        narrative: '',
      })
    }
  }
  return out
}

interface DictionaryEntry {
  is_referenced_concepts?: boolean
  page_name?: string
  title?: string
  item_number?: string
  mdrm?: string
  description?: string
  narrative?: string
  formula?: string
}

async function dictionaryRows(path: string, name: string): Promise<Rows> {
  const entries = await readEntries(path)
  const out: Rows = { rows: [], rejects: [], read: entries.length }
  let title = ''
  for (const [index, entry] of entries.entries()) {
    const code = (entry.mdrm ?? '').trim().toUpperCase()
    if (!isCode(code)) {
      const reason = `${JSON.stringify(code)} is no code of a concept`
      out.rejects.push(refuse(name, index + 1, reason, [JSON.stringify(entry)]))
      continue
    }
    const referenced = entry.is_referenced_concepts === true
    // A line's title stands at its first concept only, after the line's number.
    if (!referenced && entry.title) title = entry.title.replace(/^\d+\s+/, '').trim()
    const [, page = '', page_number = ''] = /^(.*?)(?:--Page\s+(\S+))?$/.exec(entry.page_name ?? '') ?? []
    for (const { code: of, source, number } of guideItems(code, entry.formula ?? '')) {
      out.rows.push({
        part: 'dictionary',
        line: index + 1,
        page,
        page_number,
        referenced,
        item_number: referenced ? '' : (number ?? entry.item_number ?? ''),
        title: referenced ? '' : title,
        code: of,
        description: of === code ? (entry.description ?? '').trim() : '',
        narrative: of === code ? (entry.narrative ?? '').trim() : '',
        formula: source,
      })
    }
  }
  return out
}

async function readEntries(path: string): Promise<DictionaryEntry[]> {
  let parsed: unknown
  try {
    parsed = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new LoadError(`${path}: not readable as JSON: ${wordsOf(error)}`)
  }
  if (!Array.isArray(parsed))
    throw new LoadError(`${path}: expected an array of concepts with "mdrm" and "formula"`)
  return parsed as DictionaryEntry[]
}

/** UBPR concepts and items that a page shows; the peer group's own number, UBPAE877, too. */
const isCode = (code: string) => /^(UBP[A-Z]|R[A-Z]{3})[A-Z0-9]{4}$/.test(code)

const refuse = (member: string, line: number, reason: string, cells: string[]): Reject => ({
  member,
  line,
  reason,
  text: cells.join(',').slice(0, 200),
})
