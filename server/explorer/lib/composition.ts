/** What loans, deposits and securities of a bank are made of, as metrics that add up. */

import type { Part } from '../pictures/stack.tsx'
import { type Catalog, named } from './metrics.ts'

export interface Whole {
  readonly name: string
  readonly total: string
  readonly parts: readonly string[]
}

export const compositions: readonly Whole[] = [
  {
    name: 'Loans',
    total: 'total_loans',
    parts: [
      'residential_loans',
      'nonfarm_nonresidential_loans',
      'construction_loans',
      'multifamily_loans',
      'commercial_industrial_loans',
      'consumer_loans',
      'farmland_loans',
      'agricultural_loans',
    ],
  },
  {
    name: 'Deposits',
    total: 'total_deposits',
    parts: [
      'transaction_deposits',
      'money_market_deposits',
      'savings_deposits',
      'time_deposits',
      'foreign_deposits',
    ],
  },
  {
    name: 'Securities',
    total: 'securities',
    parts: ['treasury_securities', 'agency_securities', 'municipal_securities', 'mortgage_backed_securities'],
  },
]

export const compositionKeys = compositions.flatMap(({ total, parts }) => [total, ...parts])

type Row = Readonly<Record<string, unknown>>
const figureOf = (row: Row, key: string): number | null => (row[key] as number | null | undefined) ?? null

/** The parts through time, and what the total has beside them. */
export function composition({ total, parts }: Whole, rows: readonly Row[], catalog: Catalog): Part[] {
  const known = named(catalog, parts).map(({ key, label: name }) => ({
    name,
    values: rows.map((row) => figureOf(row, key)),
  }))
  const rest = rows.map((row, i) => {
    const whole = figureOf(row, total)
    const told = known.reduce((sum, part) => sum + (part.values[i] ?? 0), 0)
    return whole === null ? null : Math.max(0, whole - told)
  })
  return [...known, { name: 'All other', values: rest }].filter(({ values }) => values.some((value) => value))
}
