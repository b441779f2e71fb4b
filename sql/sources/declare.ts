/**
 * A source as one declaration: what the publisher offers, and the tables that its files become. From it follow the
 * tables, the readers of the files, their validation, editions, the manifest, the demo's rows and the reference datasets.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { LinkDeclaration } from '../entities/link.ts'
import { columnType, type SourceColumn } from './columns.ts'
import type { FetchDeclaration } from './fetch.ts'

/** Text in lines with a header. */
export interface TextForm {
  readonly kind: 'text'
  readonly delimiter: ',' | '\t' | '|' | '^'
  /** Whether `"` quotes; in a TSV that was never quoted it is a character. */
  readonly quoted: boolean
  /** The publisher ends every line, so a last line without an end was cut. */
  readonly endsLines: boolean
  /** Nothing but CR LF ends a line: a bare LF is a character. For forms without quotes. */
  readonly onlyCrlf: boolean
  /** Headings where the publisher writes none: a file is one by their number, and by how its first field begins. */
  readonly header?: readonly string[]
  /** Characters of each field where nothing stands between them; it has no header of its own. */
  readonly widths?: readonly number[]
  readonly begins?: RegExp
}

/** An array of objects in a JSON document: `path` leads to it, `record` from an element of it to the object. */
export interface JsonForm {
  readonly kind: 'json'
  readonly path: readonly string[]
  readonly record: readonly string[]
}

/**
 * A document that ClickHouse cannot read, such as XML or a workbook: `loaders/hooks/<hook>.ts` makes a header and records
 * of the whole of it, in a thread with limits.
 */
export interface HookForm {
  readonly kind: 'hook'
  readonly hook: string
  /** Whether a file is one, by the text that it begins with (bytes as Latin-1) and its name. */
  begins(text: string, name: string): boolean
  /** What such a file is, for messages. */
  readonly expected: string
  /**
   * A file is one of many small documents: those of an archive are read many at a time, each behind U+001C and a line with
   * its place. One may have no record of a table.
   */
  readonly bundled?: true
}

/**
 * JSON documents, each with records of its own, mostly as the members of an archive of hundreds of thousands.
 * `loaders/hooks/<hook>.ts` has a `DocumentReader` of the name `reader`, which makes the records of one. Several tables may be
 * read from the same documents, one after the other.
 */
export interface DocumentsForm {
  readonly kind: 'documents'
  readonly hook: string
  readonly reader: string
  /** Names of the members of an archive; its first group is the number of whom the document tells. */
  readonly member: RegExp
  /** Whether a file that lies by itself is such a document, by the text that it begins with and its name. */
  begins(text: string, name: string): boolean
  readonly expected: string
  /**
   * SQL of the numbers that are wanted: documents of others are not unpacked. `{table}` is what the same files hold of an
   * earlier table.
   */
  readonly among?: string
}

export type Form = TextForm | JsonForm | HookForm | DocumentsForm

/** Of what a file replaces it has this share at least, where its declaration says no other. */
export const USUAL_SHRINK = 0.5

export const csv = (options: Partial<Omit<TextForm, 'kind'>> = {}): TextForm => ({
  ...{ kind: 'text', delimiter: ',', quoted: true, endsLines: false, onlyCrlf: false },
  ...options,
})
export const tsv = (options: Partial<Omit<TextForm, 'kind'>> = {}): TextForm =>
  csv({ delimiter: '\t', quoted: false, ...options })
export const hook = (name: string, form: Omit<HookForm, 'kind' | 'hook'>): HookForm => ({
  ...{ kind: 'hook', hook: name },
  ...form,
})
export const documents = (form: Omit<DocumentsForm, 'kind'>): DocumentsForm => ({
  kind: 'documents',
  ...form,
})
/** `json('data[].data')`: the objects `data` of the elements of the array `data`. */
export function json(path: string): JsonForm {
  const [to = '', from = ''] = path.split('[]')
  const steps = (text: string) => text.split('.').filter((step) => step !== '')
  return { kind: 'json', path: steps(to), record: steps(from) }
}

/** What a file of a table replaces of what is there. */
export interface EditionRule {
  /**
   * `all`: a file is the whole of it. `partition`: the partitions that it has rows of. `upsert`: the rows with the same
   * unique columns. `nothing`: files add up, and rows that are there already are left as they are. `history`: a row that
   * differs from the one in force replaces it from now on, and the older stays with the time that it was true (`series`).
   */
  readonly replaces: 'all' | 'partition' | 'upsert' | 'nothing' | 'history'
  /**
   * With `history`, what tells an older file: one that ends before the newest day known, of the whole series, or of the
   * calendar year that the file ends in, for files of a year.
   */
  readonly span?: 'series' | 'year'
  /**
   * With `upsert` and `nothing`, SQL that is the same for rows that tell the same; the unique columns where left out. Of a
   * table with partitions the keys of one partition are held at a time.
   */
  readonly same?: readonly string[]
  /** A file whose newest value of this column is older than what is there is not loaded, unless forced. */
  readonly newest?: string
  /** A file with fewer rows than this share of those that it replaces is not loaded, unless forced; default `USUAL_SHRINK`. */
  readonly shrink?: number
}

/** Which moment a row speaks of: `as_of`, `from`, `to` and `latest` of its datasets follow from it. */
export type Time =
  | { readonly kind: 'quarter' | 'year' | 'day'; readonly column: string }
  | { readonly kind: 'valid'; readonly from: string; readonly to: string }
  | { readonly kind: 'none' }

/** A wide table of observations: the first column is the day, each other one a series, and its rows become `observations`. */
export interface SeriesRule {
  /** Such a header, for messages. */
  readonly like: string
  /**
   * What the columns after the day's are. Undefined: the header is of no file of this source; a text: why a file that must
   * be this source's cannot be read.
   */
  columns(header: readonly string[], file: string): readonly SeriesColumn[] | string | undefined
  /** Numbers of fields that a row may have, beside that of the header. */
  readonly widths?: readonly number[]
}

/**
 * A column of such a table: a series, `uncatalogued` where it is kept though no dataset shows it; `ignored`, no
 * observation; `new`, one that nobody knows, which is listed and not read.
 */
export type SeriesColumn = { readonly series: string; readonly uncatalogued?: boolean } | 'ignored' | 'new'

export interface TableDeclaration {
  /** What a row is. */
  readonly doc: string
  readonly columns: Readonly<Record<string, SourceColumn>>
  /** Columns that a file may lack, though not all of them: one without any has nothing to tell. */
  readonly someOf?: readonly string[]
  /** Texts that stand for an absent value in every column, beside the blank. */
  readonly absent?: readonly string[]
  /** Conditions that every row must meet, each with the SQL of what is wrong where it does not. */
  readonly checks?: Readonly<Record<string, string>>
  /** Columns that no two rows share. */
  readonly unique: readonly string[]
  /** Sorting key; `unique` where left out. */
  readonly order?: readonly string[]
  /** Columns that a row is looked up by though the order does not begin with them: each has a Bloom filter per granule. */
  readonly lookup?: readonly string[]
  /** Tables of the same rows by name, with another sorting key, for those who read in that order. */
  readonly also?: Readonly<
    Record<string, Required<Pick<TableDeclaration, 'order'>> & Pick<TableDeclaration, 'lookup'>>
  >
  /** SQL of the partition of a row; with `replaces: 'partition'` what is replaced at a time. */
  readonly partition?: string
  /**
   * Rows of a granule, for a table of many of which readers take a few: what is read for one row. The engine's default,
   * 8,192, where left out.
   */
  readonly granule?: number
  readonly edition: EditionRule
  readonly time?: Time
  /** How its files look; CSV where left out. Several: the first that fits the beginning of a file. */
  readonly form?: Form | readonly Form[]
  /** Names of its files or archive members, without folders; by their headings alone where left out. */
  readonly member?: RegExp
  /** Its files may be of a table before it too: they are read for both. */
  readonly sharesFiles?: true
  /** Its files are wide tables of series; of its columns there are then those of `observations`. */
  readonly series?: SeriesRule
  /**
   * The file's rows are not kept: those with the same unique columns become one as they are read, with the sums of these
   * columns (of maps the sums by key), and nothing else. For files of more rows than anybody asks for.
   */
  readonly adds?: readonly string[]
  /** SQL condition of the rows to keep; `{table}` is what the same files hold of an earlier table. */
  readonly keep?: string
  /**
   * Rows are told in part by an earlier table of the same files, in the row with the same value of a column: the columns that
   * are `beside` are of that row, and a row that has none is not kept.
   */
  readonly completed?: { readonly by: string; readonly on: string }
  /** What in it names institutions; its rows are then linked to them when a version is published. */
  readonly link?: LinkDeclaration | readonly LinkDeclaration[]
  /** A SELECT of the columns by name over the demo's tables: rows that fit the demo's institutions. */
  readonly demo?: string
  /** Whether figures of banks rest on them: such rows are there from the demo's first publish on. */
  readonly demoFirst?: boolean
}

export interface SourceDeclaration {
  readonly key: string
  readonly name: string
  readonly publisher: string
  readonly licence: string
  /** Where the publisher offers the files. */
  readonly address: string
  /** One sentence: what it holds and how often it appears. */
  readonly what: string
  /** What to do when no files were given and nothing can be fetched. */
  readonly howToGet?: string
  /** Where its files are fetched from; without it, files must be given. */
  readonly fetch?: FetchDeclaration
  /** Files given apart are one edition where this is the same for their names. */
  readonly together?: (name: string) => string
  /** What to tell after a load, of all that is loaded: a sentence each. */
  readonly notes?: (client: ClickHouseClient) => Promise<string[]>
  readonly tables: Readonly<Record<string, TableDeclaration>>
}

export interface Table extends TableDeclaration {
  readonly name: string
  readonly forms: readonly Form[]
  readonly order: readonly string[]
  readonly time: Time
}

export interface DeclaredSource extends Omit<SourceDeclaration, 'tables'> {
  readonly tables: readonly Table[]
}

const identifier = /^[a-z][a-z0-9_]*$/

/** Checks a declaration; a fault names the source and the place. */
export function source(declaration: SourceDeclaration): DeclaredSource {
  const tables = Object.entries(declaration.tables).map(([name, table]): Table => {
    const fail = (message: string): never => {
      throw new Error(`source ${declaration.key}, table ${name}: ${message}`)
    }
    const { columns, unique, order = unique, time = { kind: 'none' }, form = csv() } = table
    for (const column of [name, ...Object.keys(columns)])
      if (!identifier.test(column)) fail(`${column} is not snake_case`)
    const known = (column: string) => column in columns || fail(`there is no column ${column}`)
    for (const column of [...unique, ...order]) known(column)
    for (const column of [...(table.adds ?? []), ...(table.someOf ?? [])]) known(column)
    for (const column of unique)
      if (columns[column]!.nullable) fail(`the unique column ${column} must not be optional`)
    if (table.edition.newest !== undefined) known(table.edition.newest)
    if (table.edition.replaces === 'partition' && !table.partition) fail('has no partition to replace')
    for (const column of [...unique, ...order])
      if (columns[column]!.hidden) fail(`the column ${column} of its keys is hidden`)
    if (time.kind === 'valid') known(time.from) && known(time.to)
    else if (time.kind !== 'none') known(time.column)
    return { ...table, name, order, time, forms: Array.isArray(form) ? form : [form as Form] }
  })
  return { ...declaration, tables }
}

/** SQL of the columns of a table that adds up, over rows of which several are one; they end in GROUP BY. */
export const sums = (
  { unique, adds = [] }: Pick<TableDeclaration, 'unique' | 'adds'>,
  columns: TableDeclaration['columns'],
): string =>
  [
    ...unique,
    ...adds.map((name) => `${columns[name]!.type.startsWith('Map') ? 'sumMap' : 'sum'}(${name}) AS ${name}`),
  ].join(', ')

/** The columns that the table has: all but those that are read for others alone. */
export const keptColumns = (columns: TableDeclaration['columns']): [string, SourceColumn][] =>
  Object.entries(columns).filter(([, { hidden }]) => !hidden)

/** Settings of a table of many columns: of a few rows, to open a file a column would cost more than to read them. */
export const oneFile = 'min_bytes_for_wide_part = 1000000000000, min_rows_for_wide_part = 1000000000000'

/** The table, and those of the same rows in another order. */
export const copiesOf = (table: Table): Table[] => [
  table,
  ...Object.entries(table.also ?? {}).map(([name, other]) => ({ ...table, lookup: [], ...other, name })),
]

/** The skip index of a column that rows are looked up by, as CREATE TABLE and ADD INDEX take it. */
export const lookupIndex = (column: string): string =>
  `${column} ${column} TYPE bloom_filter(0.01) GRANULARITY 1`

/** What follows the name in CREATE TABLE. */
export function tableDefinition({ columns, order, partition, granule, lookup = [] }: Table): string {
  const lines = [
    ...keptColumns(columns).map(([name, column]) => `    ${name} ${columnType(column)}`),
    ...lookup.map((column) => `    INDEX ${lookupIndex(column)}`),
  ]
  return `(
${lines.join(',\n')}
) ENGINE = MergeTree${partition ? ` PARTITION BY ${partition}` : ''} ORDER BY (${order.join(', ')})${granule ? ` SETTINGS index_granularity = ${granule}, ${oneFile}` : ''}`
}
