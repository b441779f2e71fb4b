/**
 * Office Open XML workbooks (ECMA-376, SpreadsheetML) around rows of cells that ClickHouse wrote: a sheet of data, whose
 * head says label, unit and name of each column, and a sheet of what the answer says of itself.
 */
import { pipeline, type Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { declaredSources } from '../../sql/sources/index.ts'
import type { Column } from '../catalog/columns.ts'
import type { Links, Meta } from './envelope.ts'
import { envelopeWhole } from './json.ts'

/** Labels, units, names: the names stand next to the rows, where readers look for them. */
const HEAD_ROWS = 3
/** Rows of an answer that a sheet holds: 1,048,576 in all. */
export const MOST_SHEET_ROWS = 1_048_576 - HEAD_ROWS

/** Cell formats by their place in `cellXfs` below. That of text keeps it text when somebody edits the cell. */
export const style = { date: 1, instant: 2, text: 3, head: 4 } as const

/** Texts of a cell, as they must be written: XML, and `_xHHHH_` for what XML cannot hold (ECMA-376, ST_Xstring). */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4})/g, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    .replace(/[\x00-\x08\x0b-\x1f]/g, (one) => `_x${one.charCodeAt(0).toString(16).padStart(4, '0')}_`)
    .replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`)

const cell = (value: string | number | boolean | null | undefined, format: number = style.text): string =>
  value === null || value === undefined || value === ''
    ? '<c/>'
    : typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : typeof value === 'boolean'
        ? `<c t="b"><v>${value ? 1 : 0}</v></c>`
        : `<c s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`

type Cells = readonly (string | number | boolean | null | undefined)[]
const row = (cells: Cells, format?: number): string =>
  `<row>${cells.map((one) => cell(one, format)).join('')}</row>`

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts that are alike in every workbook. */
const fixedParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
}

const sheetOf = (frozen: number, widths: readonly number[]): string =>
  `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${
    frozen > 0
      ? `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/>`
      : ''
  }</sheetView></sheetViews><cols>${widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`
const END_OF_SHEET = '</sheetData></worksheet>'

/** The sheet of data before its rows. */
function head(columns: readonly Column[]): string {
  const widths = columns.map(({ name, label }) => Math.min(40, Math.max(12, name.length, label.length) + 2))
  return [
    sheetOf(HEAD_ROWS, widths),
    row(
      columns.map(({ label }) => label),
      style.head,
    ),
    row(columns.map(({ unit }) => unit)),
    row(
      columns.map(({ name }) => name),
      style.head,
    ),
  ].join('')
}

/** The second sheet: meta, links, quarters that were not whole, sources, columns, each below its heading. */
function about({ columns, sources, incomplete = [], left_out: _, ...meta }: Meta, links: Links): string {
  const told = declaredSources.filter(({ key }) => sources.includes(key))
  const part = (title: string, names: Cells, rows: readonly Cells[]): string[] => [
    row([title], style.head),
    ...(names.length > 0 ? [row(names, style.head)] : []),
    ...rows.map((cells) => row(cells)),
    row([]),
  ]
  return [
    sheetOf(0, [28, 36, 28, 14, 80]),
    ...part('meta', [], Object.entries(meta)),
    ...part('links', [], Object.entries(links)),
    ...(incomplete.length === 0
      ? []
      : part(
          'incomplete quarters',
          ['source', 'quarter', 'lacks'],
          incomplete.map(({ source, report_date, lacks }) => [source, report_date, lacks.join(', ')]),
        )),
    ...part(
      'sources',
      ['source', 'name', 'publisher', 'licence', 'address'],
      sources.map((key) => {
        const source = told.find((one) => one.key === key)
        return [key, source?.name, source?.publisher, source?.licence, source?.address]
      }),
    ),
    ...part(
      'columns',
      ['column', 'label', 'unit', 'type', 'meaning'],
      columns.map(({ name, label, unit, type, doc }) => [name, label, unit, type, doc]),
    ),
    END_OF_SHEET,
  ].join('')
}

/** The same answer has the same bytes whenever it is made, wherever: a moment of no time zone. */
const ENTRY = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true, compressionLevel: 1 } as const

/**
 * A workbook as it is made: the rows pass through and are compressed in the thread pool of libuv. A failure on either
 * side ends both.
 * @param rows `<row>` elements, one after the other
 */
export function workbook(rows: Readable, meta: Meta, links: Links): Readable {
  const zip = new ZipFile()
  const body = zip.outputStream as Readable
  for (const [name, text] of Object.entries(fixedParts)) zip.addBuffer(Buffer.from(XML + text), name, ENTRY)
  zip.addBuffer(Buffer.from(about(meta, links)), 'xl/worksheets/sheet2.xml', ENTRY)
  const sheet = pipeline(
    rows,
    envelopeWhole(() => END_OF_SHEET, Buffer.from(head(meta.columns))),
    () => {},
  )
  sheet.on('error', (error) => body.destroy(error))
  zip.on('error', (error) => body.destroy(error as Error))
  body.once('close', () => sheet.destroy())
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', ENTRY)
  zip.end()
  return body
}
