/**
 * What of a data version is small and wanted by everybody, brought into the server's memory by one query each when it
 * is first wanted: docs/decisions/0005-resident-tables.md. A selection that a table holds whole is answered from it,
 * any other by the engine. Which of the two follows from the request and the data version alone; a series that the history on the disk
 * holds may be answered by either, with the same bytes, as its panels are, which have bytes and tags of their own in Arrow.
 */
import type { Universe } from '../../sql/derive/universe.ts'
import { cohorts } from '../../sql/universes/bank/cohorts.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import type { Column } from '../catalog/columns.ts'
import type { Engine } from '../engine/engine.ts'
import type { Format } from '../formats/names.ts'
import type { Selection, Test } from '../query/selection.ts'
import type { HeldPanel } from './history/panel.ts'
import type { VersionHistory } from './history/version.ts'
import { readResidentTable, residentFormat } from './read.ts'
import { type AllOf, figures, ofDataset, quarterColumns } from './specs.ts'
import { type ColumnSpec, type Held, type Kind, type ResidentTable, VALUE_BYTES } from './table.ts'

/** The resident tables of one data version. */
export interface Resident {
  /** The table that holds all that a selection asks for, if one does. */
  holding(selection: Selection): Held | undefined
  /** The panel that a selection asks for, where the history on the disk holds it; in Arrow with bytes of its own. */
  panel(selection: Selection, format: Format): HeldPanel | undefined
  /** The latest quarter where it is kept: an ISO date. */
  readonly inMemory: string | undefined
  /** Every column of all banks in that quarter. */
  quarter(): Promise<ResidentTable>
  /** Reads every table that is not read yet, one after the other, and takes up the history. */
  warm(): Promise<void>
}

export interface ResidentOptions {
  readonly engine: Engine
  readonly database: string
  /** ISO date of the latest quarter; null where nothing is held. */
  readonly latest: string | null
  /** Of each universe that has one its latest quarter, and the institutions that filed it: how large a table will be. */
  readonly newest: readonly Newest[]
  /** Filings of banks over all quarters. */
  readonly filings: number
  /** Datasets whose rows are wanted in memory, with the number of these. */
  readonly datasets?: readonly AllOf[]
  /** Series and panels that memory does not hold, where they are kept on the disk. */
  readonly history?: VersionHistory | undefined
}

export interface Newest {
  readonly universe: Universe
  /** ISO date. */
  readonly quarter: string
  readonly institutions: number
}

const { metrics, headline } = banks

/** What rows are put in the order of: texts are in that of their bytes, which the engine knows. */
const ordered = (kind: Kind | undefined): boolean => kind === 'number' || kind === 'date'

const key: ColumnSpec = { name: 'rssd_id', kind: 'number' }
const benchmarks: readonly ColumnSpec[] = [
  { name: 'report_date', kind: 'date' },
  ...['tier', 'tier_label', 'metric', 'label', 'unit'].map((name) => ({ name, kind: 'text' }) as const),
  ...figures(['tier_position', 'position', 'count', 'mean', 'min', 'p25', 'median', 'p75', 'max']),
]

/** What is kept: columns of a table, as they answer for a relation where the tests choose of what is kept. */
interface Kept {
  readonly relation: string
  readonly from: string
  readonly key?: string
  readonly order: string
  /** Whether the values lie column after column too. */
  readonly byColumn: boolean
  readonly columns: readonly ColumnSpec[]
  /** The quarter that it is of, or up to. */
  readonly quarter: string
  readonly kinds: ReadonlyMap<string, Kind>
  /** Of lists of columns that were asked for, whether it has all of them. */
  readonly lists: WeakMap<readonly Column[], boolean>
  readonly where: string
  readonly answers: (tests: readonly Test[]) => boolean
  readonly rows: number
  /** Of a value, where most are not figures. */
  readonly valueBytes?: number
}

type Told = Omit<Kept, 'kinds' | 'lists'>

const isOf =
  (quarter: string) =>
  (tests: readonly Test[]): boolean =>
    tests.some(
      ({ column, operator, value }) => column === 'report_date' && operator === '=' && value === quarter,
    )

/** The latest quarter of a universe. */
const newestOf = ({ universe, quarter, institutions }: Newest): Told => ({
  relation: universe.tables.quarters,
  from: universe.tables.quarters,
  key: universe.id,
  order: universe.id,
  byColumn: true,
  columns: quarterColumns(universe),
  where: 'report_date = {quarter:Date}',
  answers: isOf(quarter),
  rows: institutions,
  quarter,
})

function keptOf({ latest, newest, filings, datasets = [] }: ResidentOptions): Kept[] {
  const ofBanks: Told[] = latest === null ? [] : furtherOfBanks(latest, filings)
  const first = newest.filter(({ universe }) => universe === banks).map(newestOf)
  const others = newest.filter(({ universe }) => universe !== banks).map(newestOf)
  const further = latest === null ? [] : datasets.map((one) => furtherOf(one, latest))
  return [...first, ...ofBanks, ...others, ...further].map((table) => ({
    ...table,
    lists: new WeakMap(),
    kinds: new Map(table.columns.map(({ name, kind }) => [name, kind])),
  }))
}

function furtherOfBanks(latest: string, filings: number): Told[] {
  return [
    {
      relation: 'benchmarks',
      from: 'benchmarks',
      order: 'tier_position, position',
      byColumn: false,
      columns: benchmarks,
      where: 'report_date = {quarter:Date}',
      answers: isOf(latest),
      rows: (cohorts.length + 1) * metrics.length,
      quarter: latest,
    },
    {
      // the same figures: both shapes are written from the same arrays
      relation: 'bank_rows',
      from: 'bank_quarters',
      key: key.name,
      order: 'rssd_id, report_date',
      byColumn: false,
      columns: [key, { name: 'report_date', kind: 'date' }, ...figures(headline)],
      where: 'report_date <= {quarter:Date}',
      answers: (tests) => tests.some(({ column, operator }) => column === key.name && operator === '='),
      rows: filings,
      quarter: latest,
    },
  ]
}

/** The rows of every institution that a dataset has. */
const furtherOf = (of: AllOf, latest: string): Told => {
  const { by } = of.dataset.allRows!
  const columns = Object.values(by)
  return {
    ...ofDataset(of),
    key: columns[0]!,
    byColumn: false,
    where: 'true',
    answers: columns.includes('report_date') ? isOf(latest) : () => true,
    quarter: latest,
  }
}

export function openResident(options: ResidentOptions): Resident {
  let room = options.engine.config.residentMib * 2 ** 20
  const tables = keptOf(options).flatMap((kept) => {
    const size = kept.rows * kept.columns.length * (kept.valueBytes ?? VALUE_BYTES) * (kept.byColumn ? 2 : 1)
    if (size > room) return []
    room -= size
    return [{ kept, held: { key: kept.key, passing: false, table: once(() => read(options, kept)) } }]
  })
  const quarter = tables.find(({ kept }) => kept.relation === 'bank_quarters')?.held
  return {
    inMemory: quarter && (options.latest ?? undefined),
    quarter() {
      if (!quarter) throw new Error('the latest quarter is not kept')
      return quarter.table()
    },
    holding: (selection) =>
      tables.find(({ kept }) => holds(kept, selection))?.held ?? options.history?.holding(selection),
    panel: (selection, format) => options.history?.panel(selection, format),
    async warm() {
      for (const { held } of tables) await held.table()
      await options.history?.take()
    },
  }
}

function holds({ relation, kinds, answers, lists }: Kept, selection: Selection): boolean {
  if (selection.relation !== relation || !answers(selection.tests)) return false
  let hasAll = lists.get(selection.columns)
  if (hasAll === undefined) {
    hasAll = selection.columns.every(({ name }) => kinds.has(name))
    lists.set(selection.columns, hasAll)
  }
  return (
    hasAll &&
    selection.tests.every(({ column, operator }) => {
      const of = kinds.get(column)
      return ordered(of) || (of === 'text' && (operator === '=' || operator === 'IN'))
    }) &&
    selection.order.every(({ column }) => ordered(kinds.get(column)))
  )
}

async function read({ engine, database }: ResidentOptions, kept: Kept): Promise<ResidentTable> {
  const { columns, from, where, order, rows, byColumn, quarter } = kept
  const { stream } = await engine.read({
    sql: `SELECT ${columns.map(({ name }) => name).join(', ')} FROM ${from} WHERE ${where} ORDER BY ${order}`,
    params: { quarter },
    database,
    ...residentFormat,
  })
  const table = await readResidentTable(stream, columns, { expected: rows, byColumn })
  // found now rather than by the first request
  if (kept.key !== undefined) void table.column(kept.key).numbers
  return table
}

/** The same promise for all; a failure is forgotten, so that the next one tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    if (!made) {
      made = make()
      made.catch(() => {
        made = undefined
      })
    }
    return made
  }
}
