import { consolidated, domestic, foreign, income, sum } from './terms.ts'

/** Loans of one kind through the schedules: RC-C (balance), RC-N (past due and nonaccrual), RI-B (losses). */
export interface LoanType {
  /** `construction`: gives `construction_loans`, `noncurrent_construction_ratio` … */
  readonly key: string
  readonly label: string
  readonly balance: string
  readonly pastDue90: string
  readonly nonaccrual: string
  readonly chargeOffs: string
  readonly recoveries: string
}

type Codes = readonly string[]

/** Real estate is filed for domestic offices in RC-N, line by line, on every form. */
function realEstate(
  key: string,
  label: string,
  codes: Record<'balance' | 'late90' | 'nonaccrual' | 'losses' | 'recoveries', Codes>,
): LoanType {
  return {
    key,
    label,
    balance: sum(...codes.balance.map(consolidated)),
    pastDue90: sum(...codes.late90.map(domestic)),
    nonaccrual: sum(...codes.nonaccrual.map(domestic)),
    chargeOffs: sum(...codes.losses.map(income)),
    recoveries: sum(...codes.recoveries.map(income)),
  }
}

/** Form 031 splits commercial loans by the borrower's address; 041 and 051 have the total. */
const commercial = (total: string, us: string, other: string) =>
  `ExistingOf(${domestic(total)}, ${sum(`cc:RCFD${us}[P0]`, `cc:RCFD${other}[P0]`)})`

const oneLine = (
  key: string,
  label: string,
  [balance, late90, nonaccrual, losses, recoveries]: readonly [string, string, string, string, string],
): LoanType => ({
  key,
  label,
  balance: consolidated(balance),
  pastDue90: consolidated(late90),
  nonaccrual: consolidated(nonaccrual),
  chargeOffs: income(losses),
  recoveries: income(recoveries),
})

/** Loan types with metrics of their own. Construction and nonfarm nonresidential have these items since 2008. */
export const loanTypes: readonly LoanType[] = [
  realEstate('construction', 'Construction and land development', {
    balance: ['F158', 'F159'],
    late90: ['F174', 'F175'],
    nonaccrual: ['F176', 'F177'],
    losses: ['C891', 'C893'],
    recoveries: ['C892', 'C894'],
  }),
  realEstate('residential', '1-4 family residential', {
    balance: ['1797', '5367', '5368'],
    late90: ['5399', 'C237', 'C239'],
    nonaccrual: ['5400', 'C229', 'C230'],
    losses: ['5411', 'C234', 'C235'],
    recoveries: ['5412', 'C217', 'C218'],
  }),
  realEstate('home_equity', 'Home equity lines', {
    balance: ['1797'],
    late90: ['5399'],
    nonaccrual: ['5400'],
    losses: ['5411'],
    recoveries: ['5412'],
  }),
  realEstate('multifamily', 'Multifamily residential', {
    balance: ['1460'],
    late90: ['3500'],
    nonaccrual: ['3501'],
    losses: ['3588'],
    recoveries: ['3589'],
  }),
  realEstate('nonfarm_nonresidential', 'Nonfarm nonresidential', {
    balance: ['F160', 'F161'],
    late90: ['F180', 'F181'],
    nonaccrual: ['F182', 'F183'],
    losses: ['C895', 'C897'],
    recoveries: ['C896', 'C898'],
  }),
  realEstate('farmland', 'Farmland', {
    balance: ['1420'],
    late90: ['3494'],
    nonaccrual: ['3495'],
    losses: ['3584'],
    recoveries: ['3585'],
  }),
  {
    key: 'commercial_industrial',
    label: 'Commercial and industrial',
    balance: commercial('1766', '1763', '1764'),
    pastDue90: commercial('1607', '1252', '1255'),
    nonaccrual: commercial('1608', '1253', '1256'),
    chargeOffs: `ExistingOf(${income('4638')}, ${sum(income('4645'), income('4646'))})`,
    recoveries: `ExistingOf(${income('4608')}, ${sum(income('4617'), income('4618'))})`,
  },
  oneLine('agricultural', 'Agricultural production', ['1590', '1597', '1583', '4655', '4665']),
  oneLine('credit_card', 'Credit card', ['B538', 'B576', 'B577', 'B514', 'B515']),
  oneLine('auto', 'Automobile', ['K137', 'K214', 'K215', 'K129', 'K133']),
]

/** Loan types with ratios of their own for what is noncurrent, what is charged off, and their share of all loans. */
export const judgedTypes = loanTypes.filter(({ key }) => !['home_equity', 'farmland'].includes(key))

/** Lines of RC-N in one of its columns, as items: on every form, on 031 alone, on 041 and 051 alone. */
const lines = {
  domestic: [
    ['F172', 'F174', 'F176'],
    ['F173', 'F175', 'F177'],
    ['3493', '3494', '3495'],
    ['5398', '5399', '5400'],
    ['C236', 'C237', 'C229'],
    ['C238', 'C239', 'C230'],
    ['3499', '3500', '3501'],
    ['F178', 'F180', 'F182'],
    ['F179', 'F181', 'F183'],
    ['B834', 'B835', 'B836'],
    ['1606', '1607', '1608'],
    ['1226', '1227', '1228'],
  ],
  foreign: [['B572', 'B573', 'B574']],
  consolidatedOnly: [
    ['5377', '5378', '5379'],
    ['5380', '5381', '5382'],
    ['1594', '1597', '1583'],
    ['1251', '1252', '1253'],
    ['1254', '1255', '1256'],
    ['F166', 'F167', 'F168'],
    ['F169', 'F170', 'F171'],
  ],
  either: [
    ['B575', 'B576', 'B577'],
    ['K213', 'K214', 'K215'],
    ['K216', 'K217', 'K218'],
    ['5389', '5390', '5391'],
    ['5459', '5460', '5461'],
  ],
} as const

/**
 * Total of one column of RC-N: the form's own total line, which it has since 2017, else the sum of its lines as
 * the UBPR adds them (UBPRD668, UBPRD667, UBPRD669). On 041 some lines stand again in the memoranda: those
 * are counted on 031 only.
 */
export function pastDueTotal(totalLine: string, column: 0 | 1 | 2): string {
  const addends = [
    ...lines.domestic.map((line) => domestic(line[column])),
    ...lines.foreign.map((line) => foreign(line[column])),
    ...lines.consolidatedOnly.map((line) => `cc:RCFD${line[column]}[P0]`),
    ...lines.either.map((line) => consolidated(line[column])),
  ]
  return `ExistingOf(${consolidated(totalLine)}, ${sum(...addends)})`
}
