import { bareHeading } from '../../sql/sources/columns.ts'
import type { Table, TextForm } from '../../sql/sources/declare.ts'
import type { ItemSource } from '../../sql/sources/items.ts'
import { type Layout, layoutOf } from '../declared/header.ts'
import { fieldsOf } from '../declared/read.ts'
import { RecordCutter, separatorOf, type TextRecord } from '../declared/records.ts'
import { LoadError } from '../lib/errors.ts'
import type { InputFile } from '../lib/source.ts'
import { hasFilers, hasItems, type MemberName } from './members.ts'

/** How a file is to be read: what stands in which column, and where its rows begin. */
export interface ItemLayout {
  member: string
  part: string
  role: MemberName['role']
  list: MemberName['list']
  /** Code of each column; '' for one that is no item. */
  codes: string[]
  /** What the second line says of each column; empty where it is a row. */
  descriptions: string[]
  /** 1-based; the date's is 0 where no column states it. */
  idColumn: number
  dateColumn: number
  width: number
  /** Line of the first row. */
  firstRow: number
  /** Divides the fields of the records. */
  separator: string
  /** Where the columns are of filers, of a list, or of a file of descriptions. */
  declared: Layout | null
}

export interface Opening {
  form: TextForm
  layout: ItemLayout
  /** Fields of the first row. */
  first: string[]
}

/** What a header, a line of descriptions and a row fit in: 2,500 headings are below 32 KiB. */
export const BEGINNING_BYTES = 1 << 18

type Member = InputFile & MemberName

/** Reads the first lines of a file. @throws LoadError naming the file and what is not as published */
export function openingOf(source: ItemSource, member: Member, beginning: Buffer): Opening {
  if (beginning.length === 0) throw new LoadError(`${member.name}: is empty`)
  const openings = source.forms.map((form) => ({ form, records: firstRecords(form, member, beginning) }))
  const fits = ({ form, records }: (typeof openings)[number]) =>
    member.role === 'descriptions' || columnOf(headerOf(form, records[0]), bareHeading(source.id.heading)) > 0
  const opening = openings.find(fits) ?? openings[0]!
  const { form, records } = opening
  if (!fits(opening)) throw new LoadError(`${member.name}: ${whyNoHeader(source, form, beginning)}`)
  if (form.onlyCrlf && !beginning.includes('\r\n') && beginning.includes('\n'))
    throw new LoadError(
      `${member.name}: its lines end in LF, expected CRLF (was it converted? narratives cannot be told from rows)`,
    )
  const separator = separatorOf(form)
  const header = headerOf(form, records[0])
  const idColumn = columnOf(header, bareHeading(source.id.heading))
  const codes = hasItems(member) ? codesOf(source, member, header, idColumn) : header.map(() => '')
  const second = records[1] ? records[1].bytes.toString('utf8').split(separator) : []
  const describes = source.descriptions !== undefined && !source.descriptions.member && hasItems(member)
  const described = describes && second[idColumn - 1] === ''
  const row = records[described ? 2 : 1]
  const layout: ItemLayout = {
    ...{ member: member.name, part: member.part, role: member.role, list: member.list },
    ...{ codes, idColumn, width: header.length, separator },
    descriptions: described ? second : [],
    dateColumn: header.findIndex((heading) => source.date?.test(heading.toUpperCase())) + 1,
    firstRow: row?.line ?? 0,
    declared: declaredLayout(source, member, header),
  }
  return { form, layout, first: row ? fieldsOf(row, separator) : [] }
}

function firstRecords(form: TextForm, { name }: Member, beginning: Buffer): TextRecord[] {
  const cutter = new RecordCutter({ ...form, endsLines: false }, name)
  const records: TextRecord[] = []
  for (const record of cutter.push(beginning)) if (records.push(record) === 3) return records
  return [...records, ...cutter.finish()]
}

const headerOf = (form: TextForm, record: TextRecord | undefined): string[] =>
  record
    ? fieldsOf(record, separatorOf(form)).map((heading) =>
        heading.replace(/^ï»¿/, '').replaceAll('"', '').trim(),
      )
    : []

/** 1-based; 0 where no heading is the same. */
const columnOf = (header: string[], bare: string): number =>
  header.findIndex((heading) => bareHeading(heading) === bare) + 1

const NAMES: Record<string, string> = { '\t': 'tabs', ',': 'commas', '|': '"|"', '^': '"^"' }

function whyNoHeader({ id: { heading } }: ItemSource, { delimiter }: TextForm, beginning: Buffer): string {
  const [first = ''] = beginning.toString('latin1').split(/\r?\n/, 1)
  const other = [',', ';', '|', '\t', '^'].find(
    (character) => first.startsWith(`"${heading}"${character}`) || first.startsWith(`${heading}${character}`),
  )
  return other && !first.includes(delimiter)
    ? `its columns are separated by "${other}", expected ${NAMES[delimiter]}`
    : `begins with ${JSON.stringify(first.slice(0, 40))}, expected a header with the column "${heading}"`
}

function codesOf({ items }: ItemSource, member: Member, header: string[], idColumn: number): string[] {
  const codes = header.map((heading, index) => {
    const code = heading.toUpperCase()
    return index === idColumn - 1 || items.besides?.includes(code) ? '' : code
  })
  codes.forEach((code, index) => {
    // the file may begin with a number of rows and end its lines with a delimiter
    const none = code === '' && (header[index] !== '' || index === 0 || index === header.length - 1)
    if (!none && !items.heading.test(code))
      throw new LoadError(
        `${member.name}: column ${index + 1} is headed ${JSON.stringify(code)}, expected ${items.expected}`,
      )
  })
  const seen = new Set<string>()
  for (const code of codes) {
    if (code !== '' && seen.has(code)) throw new LoadError(`${member.name}: two columns are headed ${code}`)
    seen.add(code)
  }
  return codes
}

function declaredLayout(source: ItemSource, member: Member, header: string[]): Layout | null {
  const table: Table | null = hasFilers(member)
    ? source.filersTable
    : member.role === 'descriptions'
      ? source.descriptionsTable
      : (member.list ?? null)
  if (!table) return null
  const layout = layoutOf(table, header)
  if ('lacking' in layout)
    throw new LoadError(
      `${member.name}: has no column ${layout.lacking.map((heading) => `"${heading}"`).join(', ')}`,
    )
  return layout
}
