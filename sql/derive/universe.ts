import type { Concept, Metric } from '../formula/metrics/metric.ts'
import type { Making } from '../steps/steps.ts'
import type { Cohorts } from './cohorts.ts'
import { type Computed, Formulas } from './formulas.ts'
import { dates } from './quarters.ts'
import type { Task } from './tasks.ts'
import type { Traced } from './traced.ts'

/** The identity of institutions. A column is given with its type, as in CREATE TABLE. */
export interface Identity {
  /** Columns beside the figures of each quarter. */
  columns: readonly string[]
  /** Further columns of the directory. */
  directory?: readonly string[]
  /** SQL of one row an institution and quarter: `report_date`, the id, all columns. Default: columns of the filers. */
  sql?: (quarters: readonly string[]) => string
  /** SQL of what the identities of each quarter rest on beside its filers: `report_date, edition, edition_hash`. */
  editionsSql?: string
}

/** What is computed from the filings before their figures. */
export interface Preparation {
  name: string
  /** Definitions of its tables, each with one partition a quarter. */
  tables: Readonly<Record<string, string>>
  /** Those that are empty once quarters are derived. */
  scratch: readonly string[]
  /** A statement for all quarters, and then statements for each. */
  once(universe: Universe, quarters: readonly string[]): string
  each(quarter: string): readonly string[]
}

/** The quarters of a universe by what a derivation does with them, ascending. */
export interface Work {
  held: readonly string[]
  /** Their filings changed. */
  pivoted: readonly string[]
  /** Their figures are worked out again. */
  derived: readonly string[]
  /** The institutions' identities changed. */
  reidentified: readonly string[]
  /** No longer held. */
  gone: readonly string[]
}

/** Work on the quarters beside the metrics: `figures` is the name of the task that works out a quarter's metrics. */
export type Further = (
  making: Making,
  universe: Universe,
  work: Work,
  figures: (quarter: string) => string,
) => Promise<Task[]>

/** A kind of institution that files items by quarter, and everything derived from them: see docs/decisions/0007. */
export interface Declaration {
  /** In the singular, as names of tables have it: `credit_union`. */
  entity: string
  /** In the plural: the name of the directory, and of the columns that count. Default: with an s. */
  plural?: string
  /** What one is called in a sentence; default: the entity with spaces. */
  noun?: string
  /** Column of an institution's number. */
  id: string
  /** What that number is called in a sentence; default: the column with spaces. */
  idLabel?: string
  /** What is called that they file; default: “filings of” and their plural. */
  filings?: string
  /** SELECT of the names that they had and the last day on which each was seen, else NULL: columns as sql/entities reads them. */
  names?: string
  /** SELECT of further names that one is called by where no place is given, such as its holding company's: `id, name`. */
  aliases?: string
  /** SELECT of numbers by which other agencies know one, beside its own and the certificate: `id, number`, see sql/entities/link.ts. */
  numbers?: string
  /** SELECTs of the numbers of those that other sources know, whether they ever filed or not. */
  knownBy?: readonly string[]
  /** Table of what was filed: `report_date`, the id, the item's code, `value`; in the order of institutions. */
  items: string
  /** Column of the item's code; default `code`. */
  code?: string
  /** Table of who filed: `report_date` and the id; `form` where formulas ask for it. */
  filers: string
  /** SQL condition on `filers`: which of them are institutions of this kind. Default: all. */
  belongs?: string
  /** Sources whose loads are dated in the table of quarters. */
  sources: readonly string[]
  identity: Identity
  cohorts: Cohorts
  /** Codes that formulas may name. */
  known: RegExp
  /** SELECT of what items are called and since when, the newest of which counts: `code, name, at`. */
  itemNames?: string
  metrics: readonly Metric[]
  /** Named formulas that metrics build on. */
  concepts?: readonly Concept[]
  /** Metrics that are shown where none is asked for. */
  headline: readonly string[]
  /** Quarters between two filings of those that file most rarely; default 1. */
  filesEvery?: number
  /** Tables that hold the rows of all quarters once more, in the order of a column of the identity. */
  inOrderOf?: Readonly<Record<string, string>>
  /** Names of tables where they are not those of the entity. */
  tables?: Partial<Tables>
  /** Makes of what other sources tell the tables that `computed` and the editions of the identity read. */
  beforehand?: (making: Making) => Promise<void>
  computed?: Computed
  /** Items that are pivoted beside those of formulas. */
  besides?: readonly string[]
  preparation?: Preparation
  further?: Further
  /** Tables of `further` that have a row for each institution and quarter. */
  furtherByInstitution?: readonly string[]
  /** Its figures that are followed down to what was filed, beside the metrics. */
  traced?: readonly Traced[]
}

/** Names of the derived tables of a universe. */
export interface Tables {
  /** Internal: filings, figures and ranks as arrays, sums over cohorts, what each quarter was derived with. */
  filings: string
  figures: string
  percentiles: string
  sums: string
  derived: string
  /** Served. */
  quarters: string
  rows: string
  benchmarks: string
  /** A view of the benchmarks with names and units. */
  summaries: string
  industry: string
  directory: string
  filed: string
}

type Defaults =
  | 'plural'
  | 'noun'
  | 'idLabel'
  | 'filings'
  | 'knownBy'
  | 'code'
  | 'belongs'
  | 'concepts'
  | 'filesEvery'
  | 'inOrderOf'
  | 'traced'

export interface Universe
  extends Omit<Declaration, 'tables' | Defaults>,
    Required<Pick<Declaration, Defaults>> {
  tables: Tables
  /** What is worked out for each filing, in the order of the figures: the catalog, then the concepts. */
  figures: readonly Concept[]
  formulas: Formulas
  identitySql(quarters: readonly string[]): string
  editionsSql: string
  /** Tables that have rows of institutions and quarters: nearly all of a universe's data, divided by `id` between shards. */
  byInstitution: readonly string[]
  /** 1-based position in the arrays of figures. */
  position(key: string): number
  /** The metric of a key; undefined where the catalog has none. */
  metric(key: string): Metric | undefined
}

/**
 * A universe from its declaration. Formulas are compiled when they are first needed.
 * @throws Error naming a key that is declared twice, or that a cohort or the headline names and no metric has
 */
export function universe(declaration: Declaration): Universe {
  const { entity, id, filers, identity, metrics, cohorts, headline } = declaration
  const plural = declaration.plural ?? `${entity}s`
  const concepts = declaration.concepts ?? []
  const belongs = declaration.belongs ?? 'true'
  const figures = [...metrics, ...concepts]
  const positions = new Map(figures.map(({ key }, index) => [key, index + 1]))
  const twice = figures.find(({ key }, index) => positions.get(key) !== index + 1)
  if (twice) throw new Error(`universe ${entity}: ${twice.key} is declared twice`)
  const position = (key: string): number => {
    const found = positions.get(key)
    if (found === undefined) throw new Error(`universe ${entity}: no metric or concept ${key}`)
    return found
  }
  for (const key of [cohorts.metric, ...headline]) position(key)
  const named = (suffix: string) => `${entity}_${suffix}`
  const tables: Tables = {
    filings: named('filings'),
    figures: named('figures'),
    percentiles: named('percentiles'),
    sums: named('cohort_sums'),
    derived: named('derived_quarters'),
    quarters: named('quarters'),
    rows: named('rows'),
    benchmarks: named('benchmarks'),
    summaries: named('summaries'),
    industry: named('industry'),
    directory: plural,
    filed: named('filed_quarters'),
    ...declaration.tables,
  }
  const byKey = new Map(metrics.map((metric) => [metric.key, metric]))
  const columns = [...identity.columns, ...(identity.directory ?? [])].map(nameOf)
  const { computed, besides, known } = declaration
  return {
    ...declaration,
    ...{ plural, concepts, belongs, figures, tables, position },
    metric: (key) => byKey.get(key),
    noun: declaration.noun ?? entity.replaceAll('_', ' '),
    idLabel: declaration.idLabel ?? id.replaceAll('_', ' '),
    filings: declaration.filings ?? `filings of ${plural.replaceAll('_', ' ')}`,
    knownBy: declaration.knownBy ?? [],
    code: declaration.code ?? 'code',
    filesEvery: declaration.filesEvery ?? 1,
    traced: declaration.traced ?? [],
    byInstitution: [
      ...[
        declaration.items,
        tables.filings,
        tables.figures,
        tables.percentiles,
        tables.quarters,
        tables.rows,
      ],
      ...Object.keys(declaration.inOrderOf ?? {}),
      ...(declaration.furtherByInstitution ?? []),
    ],
    inOrderOf: declaration.inOrderOf ?? {},
    formulas: new Formulas({
      filings: tables.filings,
      formulas: figures.map(({ key, formula }) => ({ key: `m:${key}`, source: formula })),
      outputs: figures.map(({ key }) => `m:${key}`),
      known: (code) => known.test(code),
      computed,
      besides,
    }),
    identitySql:
      identity.sql ??
      ((quarters) =>
        `SELECT report_date, ${[id, ...columns].join(', ')} FROM ${filers} WHERE report_date IN (${dates(quarters)}) AND ${belongs}`),
    editionsSql:
      identity.editionsSql ??
      `SELECT DISTINCT report_date, CAST(NULL AS Nullable(Date)) AS edition, '' AS edition_hash FROM ${filers}`,
  }
}

/** The name of a column that is given with its type. */
export const nameOf = (column: string): string => column.slice(0, column.indexOf(' '))
