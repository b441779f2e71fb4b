import { consolidated, domestic, type Entry, type Form } from './item.ts'

/** The kinds of loan, in the order of the arrays of `demo_balances` and `demo_flows`. */
const loanCategories = [
  'construction1to4',
  'otherConstruction',
  'farmland',
  'homeEquity',
  'firstLiens',
  'juniorLiens',
  'multifamily',
  'ownerOccupied',
  'otherNonfarm',
  'depositories',
  'farm',
  'business',
  'cards',
  'revolving',
  'auto',
  'otherConsumer',
  'municipal',
  'nonbankFinancial',
  'otherLoans',
  'leases',
] as const
export type LoanCategory = (typeof loanCategories)[number]

export const residential = ['homeEquity', 'firstLiens', 'juniorLiens'] as const
export const otherRealEstate = [
  'construction1to4',
  'otherConstruction',
  'farmland',
  'multifamily',
  'ownerOccupied',
  'otherNonfarm',
] as const
export const realEstate = [...otherRealEstate, ...residential] as const
export const consumer = ['cards', 'revolving', 'auto', 'otherConsumer'] as const
export const miscellaneous = ['depositories', 'municipal', 'nonbankFinancial', 'otherLoans'] as const

/** SQL for the sum of some kinds of loan in one of the arrays, such as `nonaccrual`. */
export function of(array: string, ...categories: readonly LoanCategory[]): string {
  return categories.map((category) => `${array}[${loanCategories.indexOf(category) + 1}]`).join(' + ')
}

/** SQL for a share of some kinds, rounded to whole thousands. */
export function shareOf(share: number, array: string, ...categories: readonly LoanCategory[]): string {
  return `round(${share} * (${of(array, ...categories)}))`
}

/** A loan item that 031 filers give twice: consolidated (RCFD) and of domestic offices (RCON). */
export function both(code: string, caption: string, value: string, on?: readonly Form[]): Entry[] {
  const others = (on ?? ['041', '051']).filter((form) => form !== '031')
  return [
    ...consolidated(code, caption, value, ['031']),
    ...domestic(code, caption, value, ['031', ...others]),
  ]
}
