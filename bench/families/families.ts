/** Datasets beyond the banks' Call Reports: rows of one table by an equality and in an order, as any peer can hold them. */

import type { CatalogKey } from '../../server/catalog/catalog.ts'
import { creditUnions } from '../../sql/universes/credit-union/index.ts'

export interface Family {
  /** Whose columns they are, with their types. */
  readonly dataset: CatalogKey
  readonly columns: readonly string[]
  /** What peers sort or index their table by; `-` before a column: downwards. */
  readonly key: readonly string[]
}

/** By the name of the peers' table. Lists and flags are left out, which some peers have no type for. */
export const families = {
  unions: {
    dataset: 'credit-union-screener',
    columns: [
      ...['cu_number', 'legal_name', 'city', 'state', 'charter_type', 'report_date'],
      ...creditUnions.metrics.map(({ key }) => key),
    ],
    key: ['cu_number'],
  },
  branches: {
    dataset: 'bank-branches-map',
    columns: [
      ...['rssd_id', 'branch_number', 'name', 'address', 'city', 'state', 'zip', 'deposits'],
      ...['latitude', 'longitude'],
    ],
    key: ['rssd_id', 'branch_number'],
  },
  complaints: {
    dataset: 'bank-complaints',
    columns: [
      ...['rssd_id', 'complaint_id', 'received_date', 'sent_date', 'company', 'product', 'sub_product'],
      ...['issue', 'sub_issue', 'state', 'zip', 'submitted_via', 'company_response', 'public_response'],
    ],
    key: ['rssd_id', '-received_date', 'complaint_id'],
  },
  facts: {
    dataset: 'sec-facts',
    columns: [
      ...['rssd_id', 'cik', 'taxonomy', 'concept', 'unit', 'start_date', 'end_date', 'value', 'fiscal_year'],
      ...['fiscal_period', 'form', 'accession_number', 'filed_date', 'days', 'frame'],
    ],
    key: ['rssd_id', 'concept', '-filed_date'],
  },
  factors: {
    dataset: 'failure-prediction-factors',
    columns: [
      ...['rssd_id', 'report_date', 'factor_rank', 'feature', 'label', 'feature_group', 'unit', 'value'],
      ...['median', 'coefficient', 'contribution'],
    ],
    key: ['rssd_id', 'factor_rank'],
  },
} as const satisfies Record<string, Family>

export type FamilyTable = keyof typeof families
export const familyTables = Object.keys(families) as FamilyTable[]

/** Concepts whose facts the peers hold: any two of them are asked for. */
export const concepts = [
  ...['Assets', 'Liabilities', 'StockholdersEquity', 'Deposits', 'NetIncomeLoss', 'InterestExpense'],
  ...['NoninterestIncome', 'NoninterestExpense', 'InterestAndDividendIncomeOperating'],
] as const

/** What there is to ask about. */
export interface Families {
  readonly unions: readonly number[]
  /** Banks that have offices with coordinates. */
  readonly branches: readonly number[]
  /** Pages of complaints: the parameter of ours, and the last complaint of the page before. */
  readonly complaints: readonly {
    readonly bank: number
    readonly cursor: string
    readonly after: { readonly received_date: string; readonly complaint_id: number }
  }[]
  /** Banks whose registrant filed facts. */
  readonly facts: readonly number[]
  /** Banks with a failure score. */
  readonly factors: readonly number[]
  /** Watched by the bench's key. */
  readonly watched: readonly number[]
}
