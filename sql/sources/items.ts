/**
 * Sources of filings: wide files with a line a filer and a column an item, whose items become rows. One declaration
 * says who files, which columns are items, how their cells are read, what describes them and what further lists come with
 * them; from it follow the tables (filers, items, descriptions, one a list), each with a partition a report date, and the
 * loader.
 */
import { code, decimal, type Entity, optional, ref, type SourceColumn, stamped, words } from './columns.ts'
import type { DeclaredSource, SourceDeclaration, Table, TableDeclaration, TextForm } from './declare.ts'

/**
 * By the name of a kind of item, what its numbers are multiplied by: dollars become thousands with 1 / 1000. Null: the
 * item is text, whatever it looks like.
 */
export type ItemKinds = Readonly<Record<string, number | null>>

/**
 * Names of files carry what they are of in named groups: `part`, else the whole name without its ending; `date` of the
 * report; `index` and `of` where a part comes in several files.
 */
export type MemberPattern = RegExp

export interface ItemSourceDeclaration extends Omit<SourceDeclaration, 'tables'> {
  /** Whose filings: a line's institution. */
  readonly entity: Entity
  /** The column that says whose a line is: its heading, its name in the tables, and what a message calls such a number. */
  readonly id: { readonly heading: string; readonly column: string; readonly called: string }
  /** Heading of a column that states the report date, in whichever files have one. */
  readonly date?: RegExp
  /** How the files look; several: the first in which the header has the column of the id. */
  readonly form: TextForm | readonly TextForm[]
  /** The report date in the name of an archive, as the group `date`. */
  readonly archive: RegExp
  /** The most MiB that a file in an archive may unpack to, where that is more than usual. */
  readonly largestFile?: number
  /** Files that come with the others and hold no filings. */
  readonly others?: RegExp
  /** What one edition is, and what is expected instead of a file that is none of it, for messages. */
  readonly called: { readonly edition: string; readonly expected: string }
  readonly filers: {
    readonly table: string
    readonly doc: string
    readonly member: MemberPattern
    /** “the POR”, and the words for its file. */
    readonly called: string
    readonly file: string
    readonly columns: Readonly<Record<string, SourceColumn>>
    /** Time of a filing, among the columns: an edition whose newest is older than what is there is not loaded. */
    readonly submitted?: string
    /** An edition with fewer filers than this share of those that it replaces is not loaded, unless forced; default `USUAL_SHRINK`. */
    readonly shrink?: number
  }
  readonly items: {
    readonly table: string
    readonly doc: string
    /** May be the file of the filers. */
    readonly member: MemberPattern
    /** What a part is: “schedule”. */
    readonly called: string
    /** Names of the columns of code and part in the table. */
    readonly code: string
    readonly part: string
    /** Headings that are items, in capitals; any other is a fault. */
    readonly heading: RegExp
    /** What such a heading is, for messages. */
    readonly expected: string
    /** Headings that are none, in capitals. */
    readonly besides?: readonly string[]
    /** Cells that stand for an absent value, beside the blank. */
    readonly absent?: readonly string[]
    readonly kinds: ItemKinds
    /** The kind of an item, by its code and, with a file of descriptions, by what that says of it. */
    kind(code: string, described: Described | undefined): string
    /** The parts of all editions so far; a new one is loaded and said. */
    readonly known?: readonly string[]
  }
  /**
   * What describes the items: the files' own second line, or a file with a line an item, which also says which parts an
   * edition has. Its columns hold `part`, `code` and `description` under the names of the items' table.
   */
  readonly descriptions?: {
    readonly table: string
    readonly doc: string
    readonly member?: MemberPattern
    readonly columns?: Readonly<Record<string, SourceColumn>>
  }
  /** Lists that come with the filings, by the names of their tables. */
  readonly lists?: Readonly<Record<string, ItemListDeclaration>>
  readonly single?: SingleReport
}

/** A file of an edition with any number of lines a filer, such as its branches. */
export interface ItemListDeclaration extends Pick<TableDeclaration, 'doc' | 'columns' | 'unique'> {
  readonly member: MemberPattern
  /** The name of its file today, for messages. */
  readonly file: string
  /** Editions of this report date and later are not whole without it. */
  readonly since?: string
}

/**
 * Files that hold the report of one filer, a line an item: each is an edition, and replaces what is there of that report
 * of the filer, and its items wherever else they were read. `member` names the report as its group `part`.
 */
export interface SingleReport {
  readonly member: MemberPattern
  /** What `part` may be: an edition of the whole quarter need not have them. */
  readonly parts: readonly string[]
  /** Headings of the columns of code and value. */
  readonly header: { readonly code: string; readonly value: string }
  /** What the other files call the lines that have no code. */
  readonly headings: Readonly<Record<string, string>>
}

/** A row of a file of descriptions, by the names of its columns. */
export type Described = Readonly<Record<string, unknown>>

/** A list as a table: what makes a row unique is so within a filer and a report date. */
export type ItemList = Table & ItemListDeclaration

export interface ItemSource extends Omit<ItemSourceDeclaration, 'form'>, DeclaredSource {
  readonly forms: readonly TextForm[]
  readonly filersTable: Table
  readonly itemsTable: Table
  readonly descriptionsTable: Table | null
  readonly listTables: readonly ItemList[]
}

const reportDate = stamped('Date', '', { label: 'Report date' })

/** Checks a declaration of filings and makes its tables. A fault names the source and the place. */
export function itemSource(declaration: ItemSourceDeclaration): ItemSource {
  const { key, id, entity, filers, items, descriptions, form } = declaration
  const fail = (message: string): never => {
    throw new Error(`source ${key}: ${message}`)
  }
  const { submitted } = filers
  if (submitted !== undefined && !(submitted in filers.columns)) fail(`there is no column ${submitted}`)
  const coded = {
    [items.part]: { ...code(''), headings: [] },
    [items.code]: { ...code(''), headings: [] },
  }
  const described = descriptions?.columns
  if (descriptions?.member) {
    for (const column of [items.part, items.code, 'description'])
      if (!described?.[column]) fail(`the descriptions have no column ${column}`)
  }
  const table = (
    declared: { table: string; doc: string },
    unique: string[],
    columns: Readonly<Record<string, SourceColumn>>,
  ): Table => {
    const made: TableDeclaration = {
      doc: declared.doc,
      columns: { report_date: reportDate, ...columns },
      unique: ['report_date', ...unique],
      partition: 'report_date',
      edition: { replaces: 'partition' },
      time: { kind: 'quarter', column: 'report_date' },
    }
    return { ...made, name: declared.table, order: unique, forms, time: made.time! }
  }
  const forms = Array.isArray(form) ? form : [form as TextForm]
  const filer = { [id.column]: ref(entity, id.heading, { label: id.called }) }
  const filersTable = table(filers, [id.column], { ...filer, ...filers.columns })
  const itemsTable = table(items, [id.column, items.code, items.part], {
    ...filer,
    [items.code]: coded[items.code]!,
    [items.part]: coded[items.part]!,
    value: optional(decimal('')),
    text: optional(words('')),
  })
  const descriptionsTable =
    descriptions === undefined
      ? null
      : table(descriptions, [items.part, 'position'], {
          ...coded,
          position: stamped('UInt16', ''),
          description: words(''),
          ...described,
        })
  const lists = Object.entries(declaration.lists ?? {}).map(([name, list]): ItemList => {
    for (const column of list.unique) if (!(column in list.columns)) fail(`${name} has no column ${column}`)
    const { doc, columns, unique } = list
    return { ...list, ...table({ table: name, doc }, [id.column, ...unique], { ...filer, ...columns }) }
  })
  const tables = [filersTable, itemsTable, ...(descriptionsTable ? [descriptionsTable] : []), ...lists]
  return { ...declaration, forms, tables, filersTable, itemsTable, descriptionsTable, listTables: lists }
}

/** Whether a declared source is one of filings. */
export const isItemSource = (source: DeclaredSource): source is ItemSource => 'itemsTable' in source

/** `12312018`, `20181231`, `2018-12`, `12/31/2018 0:00:00` → `2018-12-31`; null for what is no end of a quarter. */
export function quarterEnd(text: string): string | null {
  const [, year, month, day] =
    /^(?<year>(?:19|20|21|22)\d\d)-?(?<month>\d\d)(?:-?(?<day>\d\d))?(?:$|[ T])/.exec(text) ?? []
  if (year) return endOfQuarter(year, month!, day)
  const american = /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:$|[ T])/.exec(text)
  return american
    ? endOfQuarter(american[3]!, american[1]!.padStart(2, '0'), american[2]!.padStart(2, '0'))
    : null
}

function endOfQuarter(year: string, month: string, day: string | undefined): string | null {
  const last = { '03': '31', '06': '30', '09': '30', 12: '31' }[month]
  return last !== undefined && (day ?? last) === last ? `${year}-${month}-${last}` : null
}
