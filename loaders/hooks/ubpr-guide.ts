import { guideItems, parse } from '../../sql/formula/index.ts'
import { bareHeading } from '../../sql/sources/columns.ts'
import { json } from '../../sql/sources/declare.ts'
import type { GuideRow } from '../../sql/universes/bank/ubpr/guide.ts'
import { jsonRecords } from '../declared/json-records.ts'
import { recordOf, UNIT_SEPARATOR, type WholeDocument, type WholeReading } from '../declared/whole.ts'
import { wordsOf } from '../lib/errors.ts'
import { csvRecords } from './csv-records.ts'

type Row = Omit<GuideRow, 'edition_date' | 'edition'>

const header = [
  ...(['part', 'line', 'page', 'page_number', 'referenced', 'item_number'] as const),
  ...(['title', 'code', 'description', 'narrative', 'formula'] as const),
]

/** A row a concept. A formula that does not parse is kept as published, and listed. */
export function read(document: WholeDocument): WholeReading {
  const rows = guideRows(document)
  return {
    header,
    records: rows.map((row) => recordOf(header.map((column) => String(row[column])))),
    lines: rows.map(({ line }) => line),
    rejects: rows.flatMap(({ line, code, formula }) => {
      const reason = formula === '' ? null : faultOf(formula, code)
      return reason === null ? [] : [{ line, reason, text: formula.slice(0, 200) }]
    }),
  }
}

function faultOf(formula: string, code: string): string | null {
  try {
    parse(formula, code)
    return null
  } catch (error) {
    return wordsOf(error)
  }
}

/** The concepts of one of the guide's two tables, or of the data dictionary of a taxonomy version. */
export function guideRows(document: WholeDocument): Row[] {
  return /^[^\w"]*\[/.test(Buffer.from(document.bytes.subarray(0, 100)).toString('latin1'))
    ? dictionaryRows(document)
    : tableRows(document)
}

function tableRows(document: WholeDocument): Row[] {
  const { header: headings, records } = csvRecords(document)
  const places = new Map(headings.map((heading, index) => [bareHeading(heading), index]))
  const referenced = !places.has('conceptname')
  return records.flatMap(({ line, fields }) => {
    const field = (...names: string[]) =>
      names.map((name) => fields[places.get(name) ?? -1]).find(Boolean) ?? ''
    const code = field('conceptname', 'referencedconcept').toUpperCase()
    const number = field('conceptid').split('.').slice(1).join('.')
    const row = {
      part: referenced ? 'references' : 'pages',
      line,
      page: field('section', 'referencingsection'),
      page_number: field('sectionnumber', 'referencingsectionnumber'),
      referenced,
      title: field('subsection'),
    }
    return guideItems(code, field('formula')).map(({ code: of, source, number: own }, index) => ({
      ...row,
      item_number: (index > 0 ? own : undefined) ?? number,
      code: of,
      // the other concepts of the line stand in the same cell; their descriptions run into one that nothing divides
      description: index === 0 ? field('description') : '',
      narrative: index === 0 ? field('narrative') : '',
      formula: source,
    }))
  })
}

const keys = [
  ...[
    'mdrm',
    'is_referenced_concepts',
    'title',
    'page_name',
    'item_number',
    'description',
    'narrative',
    'formula',
  ],
]

function dictionaryRows(document: WholeDocument): Row[] {
  const form = json('data[].data')
  const { header: found, records } = jsonRecords({ ...document, form, wanted: keys.map(bareHeading) })
  let title = ''
  return records.flatMap((record, index) => {
    const fields = record.split(UNIT_SEPARATOR)
    const field = (name: string) => fields[found.indexOf(name)]?.trim() ?? ''
    const code = field('mdrm').toUpperCase()
    const referenced = field('is_referenced_concepts') === 'true'
    // A line's title stands at its first concept only, after the line's number.
    if (!referenced && field('title')) title = field('title').replace(/^\d+\s+/, '')
    const [, page = '', page_number = ''] = /^(.*?)(?:--Page\s+(\S+))?$/.exec(field('page_name')) ?? []
    return guideItems(code, field('formula')).map(({ code: of, source, number }) => ({
      part: 'dictionary',
      line: index + 1,
      page,
      page_number,
      referenced,
      item_number: referenced ? '' : (number ?? field('item_number')),
      title: referenced ? '' : title,
      code: of,
      description: of === code ? field('description') : '',
      narrative: of === code ? field('narrative') : '',
      formula: source,
    }))
  })
}
