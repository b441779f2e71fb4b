import { consolidated, domestic, type Form, foreign, income, schedule } from './item.ts'
import { both, type LoanCategory, miscellaneous, of, realEstate, shareOf } from './loan-categories.ts'

const full: readonly Form[] = ['031', '041']
const short: readonly Form[] = ['041', '051']
const foreignShare = 'if(foreign_offices, 0.12, 0.01)'

/** Schedule RC-C part I, loans and leases by kind. */
export const loans = schedule('RCCI', [
  consolidated('1410', 'LOANS SECURED BY REAL ESTATE, TOTAL', of('loans', ...realEstate), ['031']),
  domestic('F158', '1-4 FAMILY RESIDENTIAL CONSTRUCTION LOANS', of('loans', 'construction1to4')),
  domestic(
    'F159',
    'OTHER CONSTRUCTION LOANS AND ALL LAND DEVELOPMENT LOANS',
    of('loans', 'otherConstruction'),
  ),
  domestic('1420', 'LOANS SECURED BY FARMLAND', of('loans', 'farmland')),
  domestic(
    '1797',
    'REVOLVING, OPEN-END LOANS SECURED BY 1-4 FAMILY RESIDENTIAL PROPERTIES',
    of('loans', 'homeEquity'),
  ),
  domestic(
    '5367',
    'CLOSED-END LOANS SECURED BY 1-4 FAMILY RESIDENTIAL PROPERTIES: FIRST LIENS',
    of('loans', 'firstLiens'),
  ),
  domestic(
    '5368',
    'CLOSED-END LOANS SECURED BY 1-4 FAMILY RESIDENTIAL PROPERTIES: JUNIOR LIENS',
    of('loans', 'juniorLiens'),
  ),
  domestic('1460', 'LOANS SECURED BY MULTIFAMILY RESIDENTIAL PROPERTIES', of('loans', 'multifamily')),
  domestic(
    'F160',
    'LOANS SECURED BY OWNER-OCCUPIED NONFARM NONRESIDENTIAL PROPERTIES',
    of('loans', 'ownerOccupied'),
  ),
  domestic('F161', 'LOANS SECURED BY OTHER NONFARM NONRESIDENTIAL PROPERTIES', of('loans', 'otherNonfarm')),
  consolidated('B533', 'LOANS TO OTHER COMMERCIAL BANKS IN THE U.S.', of('loans', 'depositories'), ['031']),
  domestic('B531', 'LOANS TO COMMERCIAL BANKS IN THE U.S.', of('loans', 'depositories'), full),
  domestic(
    '1288',
    'LOANS TO DEPOSITORY INSTITUTIONS AND ACCEPTANCES OF OTHER BANKS',
    of('loans', 'depositories'),
    short,
  ),
  both('1590', 'LOANS TO FINANCE AGRICULTURAL PRODUCTION AND OTHER LOANS TO FARMERS', of('loans', 'farm')),
  both(
    '1763',
    'COMMERCIAL AND INDUSTRIAL LOANS TO U.S. ADDRESSEES',
    `loans[12] - round(${foreignShare} * loans[12])`,
    ['041'],
  ),
  both(
    '1764',
    'COMMERCIAL AND INDUSTRIAL LOANS TO NON-U.S. ADDRESSEES',
    `round(${foreignShare} * loans[12])`,
    ['041'],
  ),
  domestic('1766', 'COMMERCIAL AND INDUSTRIAL LOANS', of('loans', 'business'), short),
  both('B538', 'CREDIT CARDS', of('loans', 'cards')),
  both('B539', 'OTHER REVOLVING CREDIT PLANS', of('loans', 'revolving')),
  both('K137', 'AUTOMOBILE LOANS', of('loans', 'auto')),
  both('K207', 'OTHER CONSUMER LOANS', of('loans', 'otherConsumer')),
  consolidated('2081', 'LOANS TO FOREIGN GOVERNMENTS AND OFFICIAL INSTITUTIONS', '0', ['031']),
  both('2107', 'OBLIGATIONS OF STATES AND POLITICAL SUBDIVISIONS IN THE U.S.', of('loans', 'municipal')),
  consolidated(
    '1563',
    'LOANS TO NONDEPOSITORY FINANCIAL INSTITUTIONS AND OTHER LOANS',
    of('loans', 'nonbankFinancial', 'otherLoans'),
    ['031'],
  ),
  both('J454', 'LOANS TO NONDEPOSITORY FINANCIAL INSTITUTIONS', of('loans', 'nonbankFinancial')),
  domestic('J464', 'OTHER LOANS', of('loans', 'otherLoans'), short),
  domestic('1545', 'LOANS FOR PURCHASING OR CARRYING SECURITIES', shareOf(0.1, 'loans', 'otherLoans'), full),
  domestic('J451', 'ALL OTHER LOANS', `loans[19] - ${shareOf(0.1, 'loans', 'otherLoans')}`, full),
  consolidated('F162', 'LEASES TO INDIVIDUALS FOR PERSONAL EXPENDITURES', '0', ['031']),
  consolidated('F163', 'ALL OTHER LEASES', of('loans', 'leases'), ['031']),
  domestic('2165', 'LEASE FINANCING RECEIVABLES', of('loans', 'leases')),
  both('2123', 'UNEARNED INCOME ON LOANS', '0'),
  both('2122', 'TOTAL LOANS AND LEASES HELD FOR INVESTMENT AND HELD FOR SALE', 'total_loans'),
  consolidated(
    'HK25',
    'LOANS RESTRUCTURED IN TROUBLED DEBT RESTRUCTURINGS, IN COMPLIANCE WITH MODIFIED TERMS',
    'restructured',
  ),
  consolidated(
    '2746',
    'LOANS TO FINANCE COMMERCIAL REAL ESTATE NOT SECURED BY REAL ESTATE',
    shareOf(0.03, 'loans', 'business'),
  ),
])

interface Troubled {
  categories: readonly LoanCategory[]
  name: string
  /** Past due 30-89 days, 90 days or more, nonaccrual. */
  codes: readonly [string, string, string]
  place: 'domestic' | 'consolidated'
  on?: readonly Form[]
}

const troubled: readonly Troubled[] = [
  {
    categories: ['construction1to4'],
    name: '1-4 FAMILY CONSTRUCTION LOANS',
    codes: ['F172', 'F174', 'F176'],
    place: 'domestic',
  },
  {
    categories: ['otherConstruction'],
    name: 'OTHER CONSTRUCTION AND LAND LOANS',
    codes: ['F173', 'F175', 'F177'],
    place: 'domestic',
  },
  {
    categories: ['farmland'],
    name: 'LOANS SECURED BY FARMLAND',
    codes: ['3493', '3494', '3495'],
    place: 'domestic',
  },
  {
    categories: ['homeEquity'],
    name: 'REVOLVING 1-4 FAMILY LOANS',
    codes: ['5398', '5399', '5400'],
    place: 'domestic',
  },
  {
    categories: ['firstLiens'],
    name: 'FIRST LIENS ON 1-4 FAMILY',
    codes: ['C236', 'C237', 'C229'],
    place: 'domestic',
  },
  {
    categories: ['juniorLiens'],
    name: 'JUNIOR LIENS ON 1-4 FAMILY',
    codes: ['C238', 'C239', 'C230'],
    place: 'domestic',
  },
  {
    categories: ['multifamily'],
    name: 'MULTIFAMILY LOANS',
    codes: ['3499', '3500', '3501'],
    place: 'domestic',
  },
  {
    categories: ['ownerOccupied'],
    name: 'OWNER-OCCUPIED NONFARM NONRESIDENTIAL LOANS',
    codes: ['F178', 'F180', 'F182'],
    place: 'domestic',
  },
  {
    categories: ['otherNonfarm'],
    name: 'OTHER NONFARM NONRESIDENTIAL LOANS',
    codes: ['F179', 'F181', 'F183'],
    place: 'domestic',
  },
  {
    categories: ['business'],
    name: 'COMMERCIAL AND INDUSTRIAL LOANS TO U.S. ADDRESSEES',
    codes: ['1251', '1252', '1253'],
    place: 'consolidated',
    on: ['031'],
  },
  {
    categories: ['business'],
    name: 'COMMERCIAL AND INDUSTRIAL LOANS',
    codes: ['1606', '1607', '1608'],
    place: 'consolidated',
    on: short,
  },
  { categories: ['cards'], name: 'CREDIT CARDS', codes: ['B575', 'B576', 'B577'], place: 'consolidated' },
  { categories: ['auto'], name: 'AUTOMOBILE LOANS', codes: ['K213', 'K214', 'K215'], place: 'consolidated' },
  {
    categories: ['revolving', 'otherConsumer'],
    name: 'OTHER CONSUMER LOANS',
    codes: ['K216', 'K217', 'K218'],
    place: 'consolidated',
  },
  {
    categories: ['farm'],
    name: 'AGRICULTURAL LOANS',
    codes: ['1594', '1597', '1583'],
    place: 'consolidated',
  },
  {
    categories: miscellaneous,
    name: 'ALL OTHER LOANS',
    codes: ['5459', '5460', '5461'],
    place: 'consolidated',
    on: ['031'],
  },
  // Loans to farmers are among them on the shorter forms, and stand again in the memoranda.
  {
    categories: [...miscellaneous, 'farm'],
    name: 'ALL OTHER LOANS',
    codes: ['5459', '5460', '5461'],
    place: 'consolidated',
    on: short,
  },
  {
    categories: ['leases'],
    name: 'LEASE FINANCING RECEIVABLES',
    codes: ['1226', '1227', '1228'],
    place: 'consolidated',
    on: short,
  },
  {
    categories: ['leases'],
    name: 'ALL OTHER LEASES',
    codes: ['F169', 'F170', 'F171'],
    place: 'consolidated',
    on: ['031'],
  },
]

const stages = [
  ['past_due_30', 'PAST DUE 30 THROUGH 89 DAYS'],
  ['past_due_90', 'PAST DUE 90 DAYS OR MORE'],
  ['nonaccrual', 'NONACCRUAL'],
] as const

/** Schedule RC-N, past due and nonaccrual by kind. */
export const pastDue = schedule('RCN', [
  ...troubled.flatMap(({ categories, name, codes, place, on }) =>
    stages.map(([array, stage], k) =>
      (place === 'domestic' ? domestic : consolidated)(
        codes[k]!,
        `${name}: ${stage}`,
        of(array, ...categories),
        on,
      ),
    ),
  ),
  ...stages.map(([array, stage], k) =>
    foreign(['B572', 'B573', 'B574'][k]!, `LOANS IN FOREIGN OFFICES: ${stage}`, `0 * ${array}[1]`),
  ),
  ...stages.map(([array, stage], k) =>
    consolidated(['1406', '1407', '1403'][k]!, `TOTAL LOANS AND LEASES: ${stage}`, `arraySum(${array})`),
  ),
  ...stages.map(([array, stage], k) =>
    consolidated(
      ['K036', 'K037', 'K038'][k]!,
      `LOANS GUARANTEED BY THE U.S. GOVERNMENT: ${stage}`,
      `round(0.03 * arraySum(${array}))`,
    ),
  ),
  ...stages.map(([array, stage], k) =>
    consolidated(
      ['HK26', 'HK27', 'HK28'][k]!,
      `RESTRUCTURED LOANS: ${stage}`,
      `round(0.12 * arraySum(${array}))`,
    ),
  ),
  ...stages.map(([array, stage], k) =>
    consolidated(
      ['6558', '6559', '6560'][k]!,
      `LOANS TO FINANCE COMMERCIAL REAL ESTATE NOT SECURED BY REAL ESTATE: ${stage}`,
      shareOf(0.03, array, 'business'),
    ),
  ),
  ...stages.map(([, stage], k) =>
    consolidated(['3505', '3506', '3507'][k]!, `DEBT SECURITIES AND OTHER ASSETS: ${stage}`, '0'),
  ),
])

interface Lost {
  categories: readonly LoanCategory[]
  name: string
  /** Charge-offs, recoveries. */
  codes: readonly [string, string]
  on?: readonly Form[]
}

const lost: readonly Lost[] = [
  { categories: ['construction1to4'], name: '1-4 FAMILY CONSTRUCTION LOANS', codes: ['C891', 'C892'] },
  { categories: ['otherConstruction'], name: 'OTHER CONSTRUCTION AND LAND LOANS', codes: ['C893', 'C894'] },
  { categories: ['farmland'], name: 'LOANS SECURED BY FARMLAND', codes: ['3584', '3585'] },
  { categories: ['homeEquity'], name: 'REVOLVING 1-4 FAMILY LOANS', codes: ['5411', '5412'] },
  { categories: ['firstLiens'], name: 'FIRST LIENS ON 1-4 FAMILY', codes: ['C234', 'C217'] },
  { categories: ['juniorLiens'], name: 'JUNIOR LIENS ON 1-4 FAMILY', codes: ['C235', 'C218'] },
  { categories: ['multifamily'], name: 'MULTIFAMILY LOANS', codes: ['3588', '3589'] },
  {
    categories: ['ownerOccupied'],
    name: 'OWNER-OCCUPIED NONFARM NONRESIDENTIAL LOANS',
    codes: ['C895', 'C896'],
  },
  { categories: ['otherNonfarm'], name: 'OTHER NONFARM NONRESIDENTIAL LOANS', codes: ['C897', 'C898'] },
  {
    categories: ['business'],
    name: 'COMMERCIAL AND INDUSTRIAL LOANS TO U.S. ADDRESSEES',
    codes: ['4645', '4617'],
    on: ['031'],
  },
  { categories: ['business'], name: 'COMMERCIAL AND INDUSTRIAL LOANS', codes: ['4638', '4608'], on: short },
  { categories: ['cards'], name: 'CREDIT CARDS', codes: ['B514', 'B515'] },
  { categories: ['auto'], name: 'AUTOMOBILE LOANS', codes: ['K129', 'K133'] },
  { categories: ['revolving', 'otherConsumer'], name: 'OTHER CONSUMER LOANS', codes: ['K205', 'K206'] },
  { categories: ['farm'], name: 'AGRICULTURAL LOANS', codes: ['4655', '4665'] },
  { categories: miscellaneous, name: 'ALL OTHER LOANS', codes: ['4644', '4628'], on: ['031'] },
  {
    categories: [...miscellaneous, 'farm'],
    name: 'ALL OTHER LOANS',
    codes: ['4644', '4628'],
    on: short,
  },
  { categories: ['leases'], name: 'LEASE FINANCING RECEIVABLES', codes: ['4266', '4267'], on: short },
  { categories: ['leases'], name: 'ALL OTHER LEASES', codes: ['C880', 'F188'], on: ['031'] },
]

/** Schedule RI-B parts I and II: charge-offs, recoveries and the changes of the allowance. */
export const losses = [
  ...schedule('RIBI', [
    ...lost.flatMap(({ categories, name, codes, on }) => [
      income(codes[0], `CHARGE-OFFS: ${name}`, of('f_charge_offs', ...categories), on),
      income(codes[1], `RECOVERIES: ${name}`, of('f_recoveries', ...categories), on),
    ]),
    income('4646', 'CHARGE-OFFS: COMMERCIAL AND INDUSTRIAL LOANS TO NON-U.S. ADDRESSEES', '0', ['031']),
    income('4618', 'RECOVERIES: COMMERCIAL AND INDUSTRIAL LOANS TO NON-U.S. ADDRESSEES', '0', ['031']),
    income(
      '5409',
      'CHARGE-OFFS: LOANS TO FINANCE COMMERCIAL REAL ESTATE NOT SECURED BY REAL ESTATE',
      shareOf(0.03, 'f_charge_offs', 'business'),
    ),
    income(
      '5410',
      'RECOVERIES: LOANS TO FINANCE COMMERCIAL REAL ESTATE NOT SECURED BY REAL ESTATE',
      shareOf(0.03, 'f_recoveries', 'business'),
    ),
    income('4635', 'CHARGE-OFFS: TOTAL', 'f_total_charge_offs'),
    income('4605', 'RECOVERIES: TOTAL', 'f_total_recoveries'),
  ]),
  ...schedule('RIBII', [
    income(
      'B522',
      'ALLOWANCE: BALANCE MOST RECENTLY REPORTED AT END OF PREVIOUS YEAR',
      'beginning_allowance',
    ),
    income('C079', 'ALLOWANCE: CHARGE-OFFS', 'f_total_charge_offs'),
    income('5523', 'ALLOWANCE: WRITE-DOWNS FROM TRANSFERS OF LOANS TO HELD-FOR-SALE', '0'),
    income('4230', 'ALLOWANCE: PROVISION FOR CREDIT LOSSES', 'f_provision'),
    income('C233', 'ALLOWANCE: ADJUSTMENTS', 'f_allowance_adjustments'),
    income('3123', 'ALLOWANCE: BALANCE AT END OF CURRENT PERIOD', 'allowance'),
  ]),
]
