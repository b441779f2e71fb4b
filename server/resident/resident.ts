/**
 * What of a data version is small and wanted by everybody, brought into the server's memory by one query each when it
 * is first wanted: docs/decisions/0005-resident-tables.md. A selection that a table holds whole is answered from it,
 * any other by the engine. Which of the two follows from the request and the data version alone; what the history on the disk holds
 * may be answered by either, with the same bytes.
 */
import { identityColumns } from '../../sql/derive/tables.ts'
import { cohorts } from '../../sql/universes/bank/cohorts.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import type { Column } from '../catalog/columns.ts'
import type { Engine } from '../engine/engine.ts'
import type { Selection, Test } from '../query/selection.ts'
import type { VersionHistory } from './history/version.ts'
import { readResidentTable, residentFormat } from './read.ts'
import { type ColumnSpec, type Held, type Kind, type ResidentTable, VALUE_BYTES } from './table.ts'

/** The resident tables of one data version. */
export interface Resident {
  /** The table that holds all that a selection asks for, if one does. */
  holding(selection: Selection): Held | undefined
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
  /** Banks that filed the latest quarter, and filings of all quarters: what the tables will take is known from them. */
  readonly banks: number
  readonly filings: number
  /** Series that memory does not hold, where they are kept on the disk. */
  readonly history?: VersionHistory | undefined
}

const { metrics, headline } = banks

const kindOf = (type: string): Kind =>
  type.startsWith('Date') ? 'date' : type.includes('String') ? 'text' : 'number'

const identity: readonly ColumnSpec[] = identityColumns(banks).map((column) => {
  const [name, type] = column.split(' ') as [string, string]
  return { name, kind: kindOf(type) }
})
const figures = (keys: readonly string[]): ColumnSpec[] => keys.map((name) => ({ name, kind: 'number' }))
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
  readonly kinds: ReadonlyMap<string, Kind>
  /** Of lists of columns that were asked for, whether it has all of them. */
  readonly lists: WeakMap<readonly Column[], boolean>
  readonly where: string
  readonly answers: (tests: readonly Test[]) => boolean
  readonly rows: number
}

function keptOf({ latest, banks, filings }: ResidentOptions): Kept[] {
  if (latest === null) return []
  const inLatest = (tests: readonly Test[]): boolean =>
    tests.some(
      ({ column, operator, value }) => column === 'report_date' && operator === '=' && value === latest,
    )
  const tables: Omit<Kept, 'kinds' | 'lists'>[] = [
    {
      relation: 'bank_quarters',
      from: 'bank_quarters',
      key: key.name,
      order: 'rssd_id',
      byColumn: true,
      columns: [
        key,
        ...identity.filter(({ name }) => name !== key.name),
        ...figures(metrics.map((one) => one.key)),
      ],
      where: 'report_date = {latest:Date}',
      answers: inLatest,
      rows: banks,
    },
    {
      relation: 'benchmarks',
      from: 'benchmarks',
      order: 'tier_position, position',
      byColumn: false,
      columns: benchmarks,
      where: 'report_date = {latest:Date}',
      answers: inLatest,
      rows: (cohorts.length + 1) * metrics.length,
    },
    {
      // the same figures: both shapes are written from the same arrays
      relation: 'bank_rows',
      from: 'bank_quarters',
      key: key.name,
      order: 'rssd_id, report_date',
      byColumn: false,
      columns: [key, { name: 'report_date', kind: 'date' }, ...figures(headline)],
      where: 'report_date <= {latest:Date}',
      answers: (tests) => tests.some(({ column, operator }) => column === key.name && operator === '='),
      rows: filings,
    },
  ]
  return tables.map((table) => ({
    ...table,
    lists: new WeakMap(),
    kinds: new Map(table.columns.map(({ name, kind }) => [name, kind])),
  }))
}

export function openResident(options: ResidentOptions): Resident {
  let room = options.engine.config.residentMib * 2 ** 20
  const tables = keptOf(options).flatMap((kept) => {
    const size = kept.rows * kept.columns.length * VALUE_BYTES * (kept.byColumn ? 2 : 1)
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
      return of !== undefined && (of !== 'text' || operator === '=' || operator === 'IN')
    }) &&
    // texts are in the order of their bytes, which the engine knows
    selection.order.every(({ column }) => kinds.has(column) && kinds.get(column) !== 'text')
  )
}

async function read({ engine, database, latest }: ResidentOptions, kept: Kept): Promise<ResidentTable> {
  const { columns, from, where, order, rows, byColumn } = kept
  const { stream } = await engine.read({
    sql: `SELECT ${columns.map(({ name }) => name).join(', ')} FROM ${from} WHERE ${where} ORDER BY ${order}`,
    params: { latest },
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
