/** The files of the columns of a universe: panels of its rows are made of them. */
import { Span as YearSpan } from '../../../sql/derive/spans.ts'
import type { Universe } from '../../../sql/derive/universe.ts'
import { hashOf } from '../../../sql/hash.ts'
import type { Selection, SortKey, Test } from '../../query/selection.ts'
import { hasArrow } from '../arrow.ts'
import { quarterColumns } from '../specs.ts'
import { type ColumnSpec, type Kind, TableLost } from '../table.ts'
import { type ColumnFile, type ColumnIndex, openColumns } from './column-file.ts'
import { storedSql, writeColumns } from './column-writer.ts'
import { type HeldPanel, Panel } from './panel.ts'
import {
  type FilesOf,
  fitting,
  type Look,
  mayHave,
  type Partition,
  partitionsOf,
  type VersionSpan,
} from './partitions.ts'

/** Another one for files that are laid out otherwise. */
const LAYOUT = 1
/** A publish changes the quarters of a year: more in a file would be more to write, and more files are more reads. */
const span = new YearSpan(1)
const WIDTH = 8

type ColumnSpan = VersionSpan<ColumnFile>

export class Panels implements FilesOf {
  readonly #look: Look
  readonly #universe: Universe
  readonly #columns: readonly ColumnSpec[]
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #order: ColumnIndex['order']
  /** Oldest first; undefined where the data version was not looked at yet. */
  #spans: readonly ColumnSpan[] | undefined
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
    this.#kinds = new Map(this.#columns.map(({ name, kind }) => [name, kind]))
  }

  /** The panel that a selection asks for, where all files are open that it needs. */
  panel({ relation, columns, tests, order, limit, offset }: Selection): HeldPanel | undefined {
    const { tables, inOrderOf, id } = this.#universe
    if (relation !== tables.quarters && !Object.hasOwn(inOrderOf, relation)) return undefined
    if (!this.#spans || limit !== undefined || offset !== 0 || !isOrder(order, ['report_date', id]))
      return undefined
    if (!hasArrow(columns) || !columns.every(({ name }) => this.#kinds.has(name))) return undefined
    if (!tests.every((test) => this.#answers(test))) return undefined
    const wanted = (years: number): boolean => mayHave(span, years, tests)
    if (this.#without.some(wanted)) return undefined
    const { files } = this.#look
    const spans = this.#spans.filter(({ years }) => years.some(wanted))
    if (!spans.every((one) => files.file(one))) return undefined
    return {
      open: () => {
        const held = spans.map((span) => {
          const file = files.file(span)
          if (!file) throw new TableLost('another data version is served')
          return { file, memory: files.memory, lost: (error: unknown) => files.lost(span, error) }
        })
        files.panels.read++
        return new Panel(held, { columns, tests }, files.limits)
      },
    }
  }

  #answers({ column, operator }: Test): boolean {
    const kind = this.#kinds.get(column)
    return kind === 'text' ? operator === '=' || operator === 'IN' : kind !== undefined
  }

  /** Finds which files there are to be, newest years first, as far as there is room for them. */
  async look(room: number): Promise<{ spans: readonly ColumnSpan[]; left: number }> {
    const partitions = await partitionsOf(
      this.#look,
      this.#universe.tables.quarters,
      span.sql,
      'intDiv(toUInt32(partition_id), 10000)',
    )
    const { held, without, left } = fitting(partitions, this.#columns.length * WIDTH, room)
    const spans = held.map((one) => this.#spanOf(one))
    this.#without = without
    this.#spans = [...spans].reverse()
    return { spans, left }
  }

  #spanOf({ years, made }: Partition): ColumnSpan {
    const { tables } = this.#universe
    const order = this.#order
    const sql = (columns: readonly ColumnSpec[]): string =>
      `SELECT ${columns.map((column, at) => `${storedSql(column)} AS c${at}`).join(', ')}
      FROM ${tables.quarters} WHERE ${span.sql} = {year:Int32} ORDER BY ${order[0]}, report_date, ${order[1]}`
    const hash = hashOf([LAYOUT, made, sql(this.#columns), order])
    return {
      years: [years],
      name: `${tables.quarters}-${years}-${hash}`,
      counts: this.#look.files.panels,
      open: (path) => openColumns(path, hash),
      write: (path, signal) => {
        const { engine, database } = this.#look
        const read = async (columns: readonly ColumnSpec[]): Promise<Buffer> => {
          const { stream } = await engine.read({
            ...{ sql: sql(columns), params: { year: years }, database, signal },
            ...{ format: 'Native', streamed: true, settings: { max_threads: 1 } },
          })
          const chunks: Buffer[] = []
          for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
          return Buffer.concat(chunks)
        }
        return writeColumns(path, { name: hash, order, columns: this.#columns, read })
      },
    }
  }
}

const isOrder = (order: readonly SortKey[], columns: readonly string[]): boolean =>
  order.length === columns.length &&
  order.every(({ column, descending }, at) => column === columns[at] && !descending)
