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
  readonly source: string
  /** FDIC's names of the balance, of what is noncurrent and of net charge-offs, both to the balance. */
  readonly fdic: Fdic
}
type Fdic = readonly [balance: string, noncurrent?: string, netChargeoffs?: string]

type Codes = readonly string[]

/** A type that has lines of its own in each schedule, added up. */
const linesOf =
  (balanceOf: (code: string) => string) =>
  (
    key: string,
    label: string,
    source: string,
    fdic: Fdic,
    codes: Record<'balance' | 'late90' | 'nonaccrual' | 'losses' | 'recoveries', Codes>,
  ): LoanType => ({
    key,
    label,
    source,
    fdic,
    balance: sum(...codes.balance.map(balanceOf)),
    pastDue90: sum(...codes.late90.map(balanceOf)),
    nonaccrual: sum(...codes.nonaccrual.map(balanceOf)),
    chargeOffs: sum(...codes.losses.map(income)),
    recoveries: sum(...codes.recoveries.map(income)),
  })

/** RC-N and RI-B divide real estate of domestic offices alone by kind, so the balances are domestic too, as FDIC's and the UBPR's are. */
const realEstate = linesOf(domestic)
const anyOffice = linesOf(consolidated)

/**
 * Form 031 splits commercial loans by the borrower's address; 041 and 051 have the total. Before 2012 the bulk files give
 * 031 filers a total of their domestic offices too.
 */
const commercial = (total: string, us: string, other: string) =>
  `ExistingOf(${sum(`cc:RCFD${us}[P0]`, `cc:RCFD${other}[P0]`)}, ${domestic(total)})`

/** Loan types with metrics of their own. Construction and nonfarm nonresidential have these items since 2008, automobile loans since 2011. */
export const loanTypes: readonly LoanType[] = [
  realEstate(
    'construction',
    'Construction and land development',
    'RC-C I 1.a',
    ['LNRECONS', 'NCRECONR', 'NTRECOSR'],
    {
      balance: ['F158', 'F159'],
      late90: ['F174', 'F175'],
      nonaccrual: ['F176', 'F177'],
      losses: ['C891', 'C893'],
      recoveries: ['C892', 'C894'],
    },
  ),
  realEstate('residential', '1-4 family residential', 'RC-C I 1.c', ['LNRERES', 'NCRERESR', 'NTRERESR'], {
    balance: ['1797', '5367', '5368'],
    late90: ['5399', 'C237', 'C239'],
    nonaccrual: ['5400', 'C229', 'C230'],
    losses: ['5411', 'C234', 'C235'],
    recoveries: ['5412', 'C217', 'C218'],
  }),
  realEstate('home_equity', 'Home equity lines', 'RC-C I 1.c.1', ['LNRELOC', 'NCRELOCR', 'NTRELOCR'], {
    balance: ['1797'],
    late90: ['5399'],
    nonaccrual: ['5400'],
    losses: ['5411'],
    recoveries: ['5412'],
  }),
  realEstate(
    'closed_end_residential',
    'Closed-end 1-4 family residential',
    'RC-C I 1.c.2',
    ['', 'NCREREOR', 'NTREOTHR'],
    {
      balance: ['5367', '5368'],
      late90: ['C237', 'C239'],
      nonaccrual: ['C229', 'C230'],
      losses: ['C234', 'C235'],
      recoveries: ['C217', 'C218'],
    },
  ),
  realEstate('multifamily', 'Multifamily residential', 'RC-C I 1.d', ['LNREMULT', 'NCREMULR', 'NTREMULR'], {
    balance: ['1460'],
    late90: ['3500'],
    nonaccrual: ['3501'],
    losses: ['3588'],
    recoveries: ['3589'],
  }),
  realEstate(
    'nonfarm_nonresidential',
    'Nonfarm nonresidential',
    'RC-C I 1.e',
    ['LNRENRES', 'NCRENRER', 'NTRENRSR'],
    {
      balance: ['F160', 'F161'],
      late90: ['F180', 'F181'],
      nonaccrual: ['F182', 'F183'],
      losses: ['C895', 'C897'],
      recoveries: ['C896', 'C898'],
    },
  ),
  realEstate('farmland', 'Farmland', 'RC-C I 1.b', ['LNREAG'], {
    balance: ['1420'],
    late90: ['3494'],
    nonaccrual: ['3495'],
    losses: ['3584'],
    recoveries: ['3585'],
  }),
  anyOffice(
    'unsecured_cre',
    'Commercial real estate not secured by it',
    'RC-C I memoranda 3',
    ['LNCOMRE', 'NCCOMRER', 'NTCOMRER'],
    {
      balance: ['2746'],
      late90: ['6559'],
      nonaccrual: ['6560'],
      losses: ['5409'],
      recoveries: ['5410'],
    },
  ),
  {
    key: 'commercial_industrial',
    label: 'Commercial and industrial',
    source: 'RC-C I 4',
    fdic: ['LNCI', 'IDNCCIR', 'IDNTCIR'],
    balance: commercial('1766', '1763', '1764'),
    pastDue90: commercial('1607', '1252', '1255'),
    nonaccrual: commercial('1608', '1253', '1256'),
    chargeOffs: `ExistingOf(${income('4638')}, ${sum(income('4645'), income('4646'))})`,
    recoveries: `ExistingOf(${income('4608')}, ${sum(income('4617'), income('4618'))})`,
  },
  anyOffice('agricultural', 'Agricultural production', 'RC-C I 3', ['LNAG'], {
    balance: ['1590'],
    late90: ['1597'],
    nonaccrual: ['1583'],
    losses: ['4655'],
    recoveries: ['4665'],
  }),
  anyOffice('consumer', 'Consumer', 'RC-C I 6', ['LNCON', 'IDNCCONR', 'IDNTCONR'], {
    balance: ['B538', 'B539', 'K137', 'K207'],
    late90: ['B576', 'K214', 'K217'],
    nonaccrual: ['B577', 'K215', 'K218'],
    losses: ['B514', 'K129', 'K205'],
    recoveries: ['B515', 'K133', 'K206'],
  }),
  anyOffice('credit_card', 'Credit card', 'RC-C I 6.a', ['LNCRCD', 'IDNCCRDR', 'IDNTCRDR'], {
    balance: ['B538'],
    late90: ['B576'],
    nonaccrual: ['B577'],
    losses: ['B514'],
    recoveries: ['B515'],
  }),
  anyOffice('auto', 'Automobile', 'RC-C I 6.c', ['LNAUTO', 'IDNCATOR', 'IDNTATOR'], {
    balance: ['K137'],
    late90: ['K214'],
    nonaccrual: ['K215'],
    losses: ['K129'],
    recoveries: ['K133'],
  }),
  anyOffice(
    'other_consumer',
    'Consumer other than credit card',
    'RC-C I 6.b + 6.c + 6.d',
    ['', 'IDNCCOOR', 'IDNTCOOR'],
    {
      balance: ['B539', 'K137', 'K207'],
      late90: ['K214', 'K217'],
      nonaccrual: ['K215', 'K218'],
      losses: ['K129', 'K205'],
      recoveries: ['K133', 'K206'],
    },
  ),
]

/** Loan types with ratios of their own for what is noncurrent, what is charged off, and their share of all loans. */
export const judgedTypes = loanTypes.filter(({ key }) => key !== 'farmland')

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
