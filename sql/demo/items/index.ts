import {
  balanceSheet,
  cash,
  memoranda,
  otherAssets,
  securitiesItems,
  securityMaturities,
} from './balance-sheet.ts'
import { capitalItems, riskWeightedAssets } from './capital.ts'
import { deposits, insurance } from './deposits.ts'
import { averages, equityChanges, explanations, incomeStatement } from './income.ts'
import type { Item } from './item.ts'
import { loans, losses, pastDue } from './loans.ts'
import { offBalance } from './off-balance.ts'

/** Every item of the demo filings, by schedule and in the order of the form. */
export const demoItems: readonly Item[] = [
  ...balanceSheet,
  ...cash,
  ...securitiesItems,
  ...securityMaturities,
  ...loans,
  ...deposits,
  ...otherAssets,
  ...averages,
  ...offBalance,
  ...memoranda,
  ...pastDue,
  ...insurance,
  ...capitalItems,
  ...riskWeightedAssets,
  ...incomeStatement,
  ...equityChanges,
  ...losses,
  ...explanations,
]

export { type Form, forms, type Item } from './item.ts'
