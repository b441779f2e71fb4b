import type { FamilyTable } from './families/families.ts'

/** What is asked, apart from whom: each contestant has its own way to say it. */
export type Question =
  /** W1: one bank, its latest quarter, every metric. */
  | { readonly kind: 'snapshot'; readonly bank: number }
  /** W2 and W3: banks of the latest quarter, by RSSD ID. */
  | {
      readonly kind: 'screen'
      readonly columns: readonly string[]
      readonly where?: { readonly state: string; readonly least: number }
    }
  /** W4: every bank of the latest quarter with identity and many metrics, by RSSD ID. */
  | { readonly kind: 'working-set'; readonly columns: readonly string[] }
  /** W5: one bank over its quarters, oldest first. */
  | {
      readonly kind: 'series'
      readonly bank: number
      /** First quarter, ISO 8601. */
      readonly from: string
      readonly metrics: readonly string[]
    }
  /** W6: banks of some states over all quarters, by quarter and RSSD ID; of all states where none is named. */
  | { readonly kind: 'panel'; readonly states?: readonly string[]; readonly metrics: readonly string[] }
  /** W7: rank and percentile of one bank among the banks of its asset tier. */
  | { readonly kind: 'rank'; readonly bank: number; readonly metrics: readonly string[] }
  /** W8: number of values and 5-number summary in each asset tier of the latest quarter. */
  | { readonly kind: 'summary'; readonly metrics: readonly string[] }
  | Rows

/** Rows of one table by equalities, in an order: datasets of other families, and what a list of banks has in common. */
export interface Rows {
  readonly kind: 'rows'
  readonly table: FamilyTable | 'latest'
  readonly columns: readonly string[]
  /** A list: any of it. */
  readonly where: Readonly<Record<string, Value | readonly Value[]>>
  /** `-` before a column: downwards. */
  readonly order: readonly string[]
  /** Rows behind the one with these values of the two columns of the order. */
  readonly after?: Readonly<Record<string, Value>>
  readonly limit?: number
  /** How this server is asked. */
  readonly path: string
}

export type Value = string | number

export type Format = 'json' | 'arrow' | 'csv'

/** Identity columns of the working set. */
export const identity = [
  'rssd_id',
  'cert',
  'legal_name',
  'city',
  'hq_state',
  'charter',
  'regulator',
  'report_date',
] as const

/** Columns that a panel has beside its metrics. */
export const panelIdentity = ['rssd_id', 'report_date', 'legal_name', 'hq_state'] as const

/** Asset tiers of summaries: all but the one that holds every bank. */
export { cohorts } from '../sql/universes/bank/cohorts.ts'
