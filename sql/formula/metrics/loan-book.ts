import { judgedTypes } from './loan-types.ts'
import { area, type Metric } from './metric.ts'
import { consolidated, domestic, foreign, income, metric, orZero, percentOf, sum } from './terms.ts'

const mix = area('loan-mix')
const quality = area('asset-quality')

/** Columns of Schedule RC-N, then charge-offs and recoveries of Schedule RI-B, each as a phrase. */
type Columns = readonly [
  late30: string,
  late90: string,
  nonaccrual: string,
  losses: string,
  recovered: string,
]

/** A kind of loan of which every loan is one: the kinds add up to all loans, and so does what is past due or lost. */
export interface LoanKind {
  readonly key: string
  readonly label: string
  /** Line of Schedule RC-C. */
  readonly line: string
  /** The metric of its balance, `<key>_loans` unless said. */
  readonly balance: string
  readonly columns: Columns
}

type Codes = readonly [string, string, string, string, string]

/** Adds up lines that are filed for domestic offices, as all real estate is. */
const domesticLines = (...lines: readonly Codes[]): Columns => {
  const column = (at: 0 | 1 | 2) => sum(...lines.map((line) => domestic(line[at])))
  const flow = (at: 3 | 4) => sum(...lines.map((line) => income(line[at])))
  return [column(0), column(1), column(2), flow(3), flow(4)]
}

const consolidatedLine = ([late30, late90, nonaccrual, losses, recovered]: Codes): Columns => [
  consolidated(late30),
  consolidated(late90),
  consolidated(nonaccrual),
  income(losses),
  income(recovered),
]

/** Form 031 splits the line in two; 041 and 051 have it whole. */
const splitOn031 = (whole: Codes, ...parts: readonly Codes[]): Columns => {
  const column = (at: 0 | 1 | 2) =>
    `IF(Context.Form = 31, ${sum(...parts.map((line) => `cc:RCFD${line[at]}[P0]`))}, ${domestic(whole[at])})`
  const flow = (at: 3 | 4) =>
    `IF(Context.Form = 31, ${sum(...parts.map((line) => income(line[at])))}, ${income(whole[at])})`
  return [column(0), column(1), column(2), flow(3), flow(4)]
}

/**
 * What RC-N and RI-B have beside the lines of the other kinds. On 041 and 051 loans to farmers are among "all other
 * loans" and stand again in the memoranda: what is there is taken out, as it is a kind of its own. Loans to depository
 * institutions are one line there and two on 031.
 */
const restOfSchedules: Columns = (() => {
  const column = (lines: readonly string[], abroad: string, farm: string) =>
    `${sum(...lines.map(consolidated), foreign(abroad))} - ${orZero(domestic(farm))}`
  const flow = (
    lines: readonly string[],
    depositories: readonly [string, string],
    whole: string,
    farm: string,
  ) =>
    `${sum(
      ...lines.map(income),
      `IF(Context.Form = 31, ${sum(...depositories.map(income))}, ${income(whole)})`,
    )} - IF(Context.Form = 31, 0, ${orZero(income(farm))})`
  return [
    column(['5459', 'B834', '5389', '5377', '5380'], 'B572', '1594'),
    column(['5460', 'B835', '5390', '5378', '5381'], 'B573', '1597'),
    column(['5461', 'B836', '5391', '5379', '5382'], 'B574', '1583'),
    flow(['4644', '4643', 'B512'], ['4653', '4654'], '4481', '4655'),
    flow(['4628', '4627', 'B513'], ['4663', '4664'], '4482', '4665'),
  ]
})()

const kind = (
  key: string,
  label: string,
  line: string,
  columns: Columns,
  { balance = `${key}_loans` }: { balance?: string } = {},
): LoanKind => ({ key, label, line, balance, columns })

/** Every kind, in the order of Schedule RC-C; RC-N and RI-B do not tell the last of them apart. */
export const loanKinds: readonly LoanKind[] = [
  kind(
    'construction',
    'Construction and land development',
    '1.a',
    domesticLines(['F172', 'F174', 'F176', 'C891', 'C892'], ['F173', 'F175', 'F177', 'C893', 'C894']),
  ),
  kind('farmland', 'Farmland', '1.b', domesticLines(['3493', '3494', '3495', '3584', '3585'])),
  kind('home_equity', 'Home equity lines', '1.c.1', domesticLines(['5398', '5399', '5400', '5411', '5412'])),
  kind(
    'closed_end_residential',
    '1-4 family residential, closed-end',
    '1.c.2',
    domesticLines(['C236', 'C237', 'C229', 'C234', 'C217'], ['C238', 'C239', 'C230', 'C235', 'C218']),
  ),
  kind(
    'multifamily',
    'Multifamily residential',
    '1.d',
    domesticLines(['3499', '3500', '3501', '3588', '3589']),
  ),
  kind(
    'owner_occupied',
    'Nonfarm nonresidential, owner-occupied',
    '1.e.1',
    domesticLines(['F178', 'F180', 'F182', 'C895', 'C896']),
  ),
  kind(
    'other_nonfarm_nonresidential',
    'Nonfarm nonresidential, other',
    '1.e.2',
    domesticLines(['F179', 'F181', 'F183', 'C897', 'C898']),
  ),
  kind(
    'agricultural',
    'Agricultural production',
    '3',
    consolidatedLine(['1594', '1597', '1583', '4655', '4665']),
  ),
  kind(
    'commercial_industrial',
    'Commercial and industrial',
    '4',
    splitOn031(
      ['1606', '1607', '1608', '4638', '4608'],
      ['1251', '1252', '1253', '4645', '4617'],
      ['1254', '1255', '1256', '4646', '4618'],
    ),
  ),
  kind('credit_card', 'Credit card', '6.a', consolidatedLine(['B575', 'B576', 'B577', 'B514', 'B515'])),
  kind('auto', 'Automobile', '6.c', consolidatedLine(['K213', 'K214', 'K215', 'K129', 'K133'])),
  kind(
    'remaining_consumer',
    'Other consumer',
    '6.b + 6.d',
    consolidatedLine(['K216', 'K217', 'K218', 'K205', 'K206']),
  ),
  kind(
    'lease',
    'Lease financing receivables',
    '10',
    splitOn031(
      ['1226', '1227', '1228', '4266', '4267'],
      ['F166', 'F167', 'F168', 'F185', 'F187'],
      ['F169', 'F170', 'F171', 'C880', 'F188'],
    ),
    { balance: 'leases' },
  ),
  kind(
    'remaining',
    'Depository, nondepository, municipal, foreign and other',
    '2 + 7 + 8 + 9',
    restOfSchedules,
  ),
]

/** What `remaining_loans` is made of: kinds whose balance alone is filed. */
const remainingParts = [
  'nondepository_financial_loans',
  'municipal_loans',
  'depository_and_other_loans',
] as const

/** Balances that add up to all loans, with the label of each. */
export const composition: readonly { readonly balance: string; readonly label: string }[] = [
  ...loanKinds.filter(({ key }) => key !== 'remaining'),
  { balance: 'nondepository_financial_loans', label: 'Nondepository financial institutions' },
  { balance: 'municipal_loans', label: 'States and political subdivisions' },
  { balance: 'depository_and_other_loans', label: 'Depository institutions, foreign governments and other' },
]

/** The metric of a balance's share of all loans. */
export const shareOf = (balance: string): string => `${balance}_ratio`

/** The types that have a share are judged elsewhere. */
const shares = composition.filter(({ balance }) => !judgedTypes.some(({ key }) => balance === `${key}_loans`))

/** On form 031 the lines of other loans are consolidated, and those to nondepository institutions domestic alone. */
const otherLines = `ExistingOf(cc:RCFD1563[P0] - ${orZero(domestic('J454'))}, ${domestic('J464')}, ${sum(domestic('1545'), domestic('J451'))})`
const depositories = `IF(Context.Form = 31, ${sum(...['B532', 'B533', 'B534', 'B536', 'B537'].map((code) => `cc:RCFD${code}[P0]`))}, ExistingOf(${domestic('1288')}, ${sum(...['B531', 'B534', 'B535'].map(domestic))}))`
/** Loans secured by real estate that are not split by kind: those of foreign offices. */
const unsplitRealEstate = `${metric('real_estate_loans')} - ${orZero(
  sum(...['F158', 'F159', '1420', '1797', '5367', '5368', '1460', 'F160', 'F161'].map(domestic)),
)}`

/** Schedule RC-C by kinds that add up, beside those that the loan mix has. */
export const loanBook: readonly Metric[] = [
  mix.money('other_nonfarm_nonresidential_loans', {
    label: 'Nonfarm nonresidential loans that are not owner-occupied',
    formula: domestic('F161'),
    source: 'RC-C I 1.e.2; FDIC LNRENROT',
  }),
  mix.money('remaining_consumer_loans', {
    label: 'Consumer loans other than credit card and automobile',
    formula: sum(consolidated('B539'), consolidated('K207')),
    source: 'RC-C I 6.b + 6.d',
  }),
  mix.money('depository_and_other_loans', {
    label: 'Loans to depository institutions, foreign governments and other loans',
    formula: `${sum(otherLines, depositories, consolidated('2081'), unsplitRealEstate)} - ${orZero(consolidated('2123'))}`,
    source: 'RC-C I 2 + 7 + 9.b - 11',
    description:
      'Less unearned income; with the real estate loans of foreign offices, which are not split by kind.',
  }),
  mix.money('remaining_loans', {
    label: 'Loans that Schedules RC-N and RI-B do not tell apart',
    formula: sum(...remainingParts.map((key) => metric(key))),
    source: 'RC-C I 2 + 7 + 8 + 9 - 11',
    description:
      'To depository and nondepository institutions, states and foreign governments, and other loans.',
  }),
  ...shares.map(({ balance, label }) =>
    mix.percent(shareOf(balance), {
      label: `${label}: share of total loans`,
      formula: percentOf(balance, 'total_loans'),
      source: 'RC-C I to RC 4',
    }),
  ),
]

/** Past due, nonaccrual and lost by kind: of each column the kinds add up to the schedule's total. */
export const loanBookQuality: readonly Metric[] = loanKinds.flatMap(({ key, label, line, columns }) => {
  const [late30, late90, nonaccrual, losses, recovered] = columns
  const of = (name: string, what: string, formula: string, source: string, description?: string) =>
    quality.money(`${name}_${key}`, {
      label: `${label}: ${what}`,
      direction: 'lower',
      formula,
      source: `${source}, the line of RC-C I ${line}`,
      ...(description !== undefined && { description }),
    })
  return [
    of('past_due_30_89', 'past due 30-89 days', late30, 'RC-N column A'),
    of('past_due_90', 'past due 90 days or more and accruing', late90, 'RC-N column B'),
    of('nonaccrual', 'nonaccrual', nonaccrual, 'RC-N column C'),
    of(
      'net_chargeoffs',
      'net charge-offs',
      `${losses} - ${orZero(recovered)}`,
      'RI-B I columns A - B',
      'Calendar year to date.',
    ),
  ]
})
