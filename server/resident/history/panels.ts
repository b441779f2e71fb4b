/** The files of the columns of a universe, as numbers and as text: panels of its rows are made of them. */
import { Span as YearSpan } from '../../../sql/derive/spans.ts'
import type { Universe } from '../../../sql/derive/universe.ts'
import { hashOf } from '../../../sql/hash.ts'
import type { ReadQuery } from '../../engine/engine.ts'
import type { Format } from '../../formats/names.ts'
import type { Selection, SortKey, Test } from '../../query/selection.ts'
import { hasArrow } from '../arrow.ts'
import { readResidentTable, residentFormat } from '../read.ts'
import { quarterColumns } from '../specs.ts'
import { type ColumnSpec, type ResidentTable, TableLost } from '../table.ts'
import { type ColumnFile, type ColumnIndex, openColumns } from './column-file.ts'
import { storedSql, writeColumns } from './column-writer.ts'
import type { DiskFile } from './disk.ts'
import { type HeldPanel, layoutOf, Panel } from './panel.ts'
import {
  type FilesOf,
  fitting,
  type Look,
  mayHave,
  type Partition,
  partitionsOf,
  type VersionSpan,
} from './partitions.ts'
import type { StoredSpec } from './spelled.ts'
import { openSpelled, type SpelledFile, writeSpelled } from './spelled-file.ts'

/** Another one for files that are laid out otherwise. */
const LAYOUT = 1
/** A publish changes the quarters of a year: more in a file would be more to write, and more files are more reads. */
const span = new YearSpan(1)
const WIDTH = 8
/** What JSON spells takes 20 bytes on average with its length and its comma, in files that are otherwise laid out by this. */
const SPELLED_WIDTH = 20
const SPELLED_LAYOUT = 1

type ColumnSpan = VersionSpan<ColumnFile>
type SpelledSpan = VersionSpan<SpelledFile>

export class Panels implements FilesOf {
  readonly #look: Look
  readonly #universe: Universe
  readonly #columns: readonly ColumnSpec[]
  /** By name. */
  readonly #stored: ReadonlyMap<string, StoredSpec>
  readonly #order: ColumnIndex['order']
  /** Oldest first; undefined where the data version was not looked at yet. */
  #spans: readonly ColumnSpan[] | undefined
  /** Of some of these years, by their years: what is there as text. */
  #spelled: ReadonlyMap<number, SpelledSpan> = new Map()
  /** Years that there is no room for. */
  #without: readonly number[] = []

  constructor(look: Look, universe: Universe) {
    this.#look = look
    this.#universe = universe
    const [by] = Object.values(universe.inOrderOf)
    this.#order = [by!, universe.id, 'report_date']
    // flags are of no panel, and of dates the quarter alone
    this.#columns = quarterColumns(universe).filter(
      ({ name, kind }) => kind === 'number' || kind === 'text' || name === 'report_date',
    )
    this.#stored = new Map(this.#columns.map((spec, number) => [spec.name, { spec, number }]))
  }

  /** The panel that a selection asks for, where all files are open that it needs. */
  panel(
    { relation, columns, tests, order, limit, offset }: Selection,
    format: Format,
  ): HeldPanel | undefined {
    const layout = layoutOf(format)
    if (format !== 'arrow' && !layout) return undefined
    const { tables, inOrderOf, id } = this.#universe
    if (relation !== tables.quarters && !Object.hasOwn(inOrderOf, relation)) return undefined
    if (!this.#spans || limit !== undefined || offset !== 0 || !isOrder(order, ['report_date', id]))
      return undefined
    if ((!layout && !hasArrow(columns)) || !columns.every(({ name }) => this.#stored.has(name)))
      return undefined
    if (!tests.every((test) => this.#answers(test))) return undefined
    const wanted = (years: number): boolean => mayHave(span, years, tests)
    if (this.#without.some(wanted)) return undefined
    const { files } = this.#look
    const spans = this.#spans.filter(({ years }) => years.some(wanted))
    if (!spans.every((one) => files.file(one))) return undefined
    const spelled = layout && spans.map(({ years }) => this.#spelled.get(years[0]!))
    if (spelled?.some((one) => !one || !files.file(one))) return undefined
    return {
      open: () => {
        const held = spans.map((span, at) => ({
          ...this.#opened(span),
          memory: files.memory,
          spelled: spelled && this.#opened(spelled[at]!),
        }))
        return new Panel(held, { columns, tests }, { files, stored: this.#stored })
      },
    }
  }

  #opened<F extends DiskFile>(span: VersionSpan<F>): { file: F; lost: (error: unknown) => void } {
    const { files } = this.#look
    const file = files.file(span)
    if (!file) throw new TableLost('another data version is served')
    return { file, lost: (error) => files.lost(span, error) }
  }

  #answers({ column, operator }: Test): boolean {
    const kind = this.#stored.get(column)?.spec.kind
    return kind === 'text' ? operator === '=' || operator === 'IN' : kind !== undefined
  }

  /** Finds which files there are to be, newest years first, as far as there is room for them. */
  async look(room: number): Promise<{ spans: readonly VersionSpan[]; left: number }> {
    const partitions = await partitionsOf(
      this.#look,
      this.#universe.tables.quarters,
      span.sql,
      'intDiv(toUInt32(partition_id), 10000)',
    )
    const { held, without, left } = fitting(partitions, this.#columns.length * WIDTH, room)
    const spans = held.map((one) => this.#spanOf(one))
    const texts = fitting(held, this.#columns.length * SPELLED_WIDTH, left)
    const spelled = texts.held.map((one) => this.#spelledOf(one))
    this.#without = without
    this.#spans = [...spans].reverse()
    this.#spelled = new Map(spelled.map((one) => [one.years[0]!, one]))
    return { spans: [...spans, ...spelled], left: texts.left }
  }

  /** SQL of columns of a year, in the order of its files. @param stored SQL of each */
  #sql(columns: readonly ColumnSpec[], stored: (column: ColumnSpec) => string): string {
    const [by, id] = this.#order
    return `SELECT ${columns.map((column, at) => `${stored(column)} AS c${at}`).join(', ')}
      FROM ${this.#universe.tables.quarters} WHERE ${span.sql} = {year:Int32} ORDER BY ${by}, report_date, ${id}`
  }

  #spanOf({ years, made }: Partition): ColumnSpan {
    const { tables } = this.#universe
    const order = this.#order
    const sql = (columns: readonly ColumnSpec[]): string => this.#sql(columns, storedSql)
    const hash = hashOf([LAYOUT, made, sql(this.#columns), order])
    return {
      years: [years],
      name: `${tables.quarters}-${years}-${hash}`,
      counts: this.#look.files.panels,
      open: (path) => openColumns(path, hash),
      write: (path, signal) => {
        const read = async (columns: readonly ColumnSpec[]): Promise<Buffer> => {
          const { stream } = await this.#read({ sql: sql(columns), years, format: 'Native', signal })
          const chunks: Buffer[] = []
          for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
          return Buffer.concat(chunks)
        }
        return writeColumns(path, { name: hash, order, columns: this.#columns, read })
      },
    }
  }

  #spelledOf({ years, made, rows }: Partition): SpelledSpan {
    const columns = this.#columns
    const sql = (columns: readonly ColumnSpec[]): string => this.#sql(columns, ({ name }) => name)
    const hash = hashOf([SPELLED_LAYOUT, made, sql(columns), residentFormat])
    return {
      years: [years],
      name: `spelled_${this.#universe.tables.quarters}-${years}-${hash}`,
      counts: this.#look.files.panels,
      open: (path) => openSpelled(path, hash),
      write: (path, signal) => {
        const read = async (columns: readonly ColumnSpec[]): Promise<ResidentTable> => {
          const { stream } = await this.#read({ sql: sql(columns), years, ...residentFormat, signal })
          return readResidentTable(stream, columns, { expected: rows, byColumn: true })
        }
        const by = columns.find(({ name }) => name === this.#order[0])!
        return writeSpelled(path, { name: hash, by, columns, read })
      },
    }
  }

  #read({ sql, years, format, settings, signal }: Wanted): Promise<Answer> {
    const { engine, database } = this.#look
    return engine.read({
      ...{ sql, params: { year: years }, database, signal },
      ...{ format, streamed: true, settings: { ...settings, max_threads: 1 } },
    })
  }
}

type Answer = Awaited<ReturnType<Look['engine']['read']>>
type Wanted = Pick<ReadQuery, 'format' | 'settings'> & { sql: string; years: number; signal: AbortSignal }

const isOrder = (order: readonly SortKey[], columns: readonly string[]): boolean =>
  order.length === columns.length &&
  order.every(({ column, descending }, at) => column === columns[at] && !descending)
