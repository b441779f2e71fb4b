/** What loans, deposits and securities of a bank are made of, as metrics that add up. */
import type { Part } from '../pictures/stack.tsx'

export interface Whole {
  readonly name: string
  readonly total: string
  readonly parts: readonly (readonly [key: string, label: string])[]
}

export const compositions: readonly Whole[] = [
  {
    name: 'Loans',
    total: 'total_loans',
    parts: [
      ['residential_loans', 'Residential'],
      ['nonfarm_nonresidential_loans', 'Commercial property'],
      ['construction_loans', 'Construction'],
      ['multifamily_loans', 'Multifamily'],
      ['commercial_industrial_loans', 'Commercial and industrial'],
      ['consumer_loans', 'Consumer'],
      ['farmland_loans', 'Farmland'],
      ['agricultural_loans', 'Agricultural'],
    ],
  },
  {
    name: 'Deposits',
    total: 'total_deposits',
    parts: [
      ['transaction_deposits', 'Transaction accounts'],
      ['money_market_deposits', 'Money market'],
      ['savings_deposits', 'Other savings'],
      ['time_deposits', 'Time deposits'],
      ['foreign_deposits', 'Foreign offices'],
    ],
  },
  {
    name: 'Securities',
    total: 'securities',
    parts: [
      ['treasury_securities', 'Treasury'],
      ['agency_securities', 'Agency'],
      ['municipal_securities', 'Municipal'],
      ['mortgage_backed_securities', 'Mortgage-backed'],
    ],
  },
]

export const compositionKeys = compositions.flatMap(({ total, parts }) => [
  total,
  ...parts.map(([key]) => key),
])

type Row = Readonly<Record<string, unknown>>
const figureOf = (row: Row, key: string): number | null => (row[key] as number | null | undefined) ?? null

/** The parts through time, and what the total has beside them. */
export function composition({ total, parts }: Whole, rows: readonly Row[]): Part[] {
  const known = parts.map(([key, name]) => ({ name, values: rows.map((row) => figureOf(row, key)) }))
  const rest = rows.map((row, i) => {
    const whole = figureOf(row, total)
    const told = known.reduce((sum, part) => sum + (part.values[i] ?? 0), 0)
    return whole === null ? null : Math.max(0, whole - told)
  })
  return [...known, { name: 'All other', values: rest }].filter(({ values }) => values.some((value) => value))
}
