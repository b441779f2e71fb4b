/** What loans, deposits and securities of an institution are made of, as metrics that add up. */

import type { Part } from '../pictures/stack.tsx'
import type { Kind } from './kinds.ts'
import { type Catalog, named } from './metrics.ts'

export interface Whole {
  readonly name: string
  readonly total: string
  readonly parts: readonly string[]
}

const loans = {
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
}

/** Parts are metrics that have nothing in common: what the total has besides is drawn as all other. */
export const compositions: Readonly<Record<Kind, readonly Whole[]>> = {
  bank: [
    loans,
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
      parts: [
        'treasury_securities',
        'agency_securities',
        'municipal_securities',
        'mortgage_backed_securities',
      ],
    },
  ],
  'credit-union': [
    {
      ...{ name: 'Loans', total: 'total_loans' },
      parts: [
        'first_mortgage_loans',
        'junior_lien_loans',
        'new_vehicle_loans',
        'used_vehicle_loans',
        'credit_card_loans',
        'unsecured_loans',
        'commercial_real_estate_loans',
        'commercial_other_loans',
      ],
    },
    {
      ...{ name: 'Shares and deposits', total: 'total_shares' },
      parts: [
        'share_drafts',
        'regular_shares',
        'money_market_shares',
        'share_certificates',
        'ira_shares',
        'other_shares',
        'nonmember_deposits',
      ],
    },
    {
      ...{ name: 'Investments', total: 'total_investments' },
      parts: ['time_deposits', 'securities_htm', 'securities_afs', 'equity_securities'],
    },
  ],
  'holding-company': [
    loans,
    {
      ...{ name: 'Deposits', total: 'total_deposits' },
      parts: [
        'noninterest_bearing_deposits',
        'transaction_accounts',
        'savings_deposits',
        'time_deposits_large',
      ],
    },
    {
      ...{ name: 'Securities', total: 'investment_securities' },
      parts: ['securities_htm', 'securities_afs'],
    },
  ],
}

type Row = Readonly<Record<string, unknown>>
const figureOf = (row: Row, key: string): number | null => (row[key] as number | null | undefined) ?? null

/** The parts through time, and what the total has beside them. */
export function composition({ total, parts }: Whole, rows: readonly Row[], catalog: Catalog): Part[] {
  const known: Part[] = named(catalog, parts).map(({ key, label: name }) => ({
    ...{ key, name },
    values: rows.map((row) => figureOf(row, key)),
  }))
  const rest = rows.map((row, i) => {
    const whole = figureOf(row, total)
    const told = known.reduce((sum, part) => sum + (part.values[i] ?? 0), 0)
    return whole === null ? null : Math.max(0, whole - told)
  })
  return [...known, { name: 'All other', values: rest }].filter(({ values }) => values.some((value) => value))
}
