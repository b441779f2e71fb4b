import { area, type Concept, summed } from './metric.ts'
import { annualised, domestic, foreign, income, metric, orZero, percentOf, sum } from './terms.ts'

const { money, percent } = area('deposits')

/** A kind of deposit with its own interest expense in Schedule RI and average in Schedule RC-K. */
const paid = [
  {
    key: 'interest_transaction_deposits',
    label: 'Interest-bearing transaction accounts',
    expense: income('4508'),
    average: domestic('3485'),
    source: 'RI 2.a.1.a to RC-K 9',
  },
  {
    key: 'all_savings_deposits',
    label: 'Money market and other savings deposits',
    expense: income('0093'),
    average: domestic('B563'),
    source: 'RI 2.a.1.b to RC-K 10.a',
  },
  {
    key: 'time_deposits',
    label: 'Time deposits',
    // Split at $250,000 since 2017, at $100,000 before.
    expense: sum(...['HK03', 'HK04', 'A517', 'A518'].map(income)),
    average: sum(...['HK16', 'HK17', 'A529', 'A514'].map(domestic)),
    source: 'RI 2.a.2 to RC-K 11',
  },
  {
    key: 'foreign_deposits',
    label: 'Interest-bearing deposits in foreign offices',
    expense: income('4172'),
    average: foreign('3404'),
    source: 'RI 2.b to RC-K 12',
  },
] as const

/** What the costs by kind are made of. */
export const depositBookConcepts: readonly Concept[] = paid.flatMap(({ key, expense, average }) => [
  summed(`expense_of_${key}`, expense),
  summed(`quarterly_average_of_${key}`, average),
  summed(`average_of_${key}`, `CAVG04X(#m:quarterly_average_of_${key})`),
])

const insuranceLimit = 250
/** Noninterest-bearing transaction accounts were insured whatever their size from 2010-12-31 to 2012-12-31. */
const guaranteed = `IF(Context.Period.EndDate <= '2012-12-31', ${orZero(`${domestic('J944')} - ${insuranceLimit} * ${domestic('J945')}`)}, 0)`
const overTheLimit = `${sum(domestic('F051'), domestic('F047'))} - ${insuranceLimit} * ${sum(domestic('F052'), domestic('F048'))} - ${guaranteed}`

/** Deposits by kind where the kinds add up, what of them is insured, and what each costs. */
export const depositBook = [
  money('demand_deposits', {
    label: 'Demand deposits',
    formula: domestic('2210'),
    source: 'RC-E 7.B; FDIC DDT',
  }),
  money('other_transaction_deposits', {
    label: 'Transaction accounts other than demand deposits',
    formula: `${domestic('2215')} - ${orZero(domestic('2210'))}`,
    source: 'RC-E 7.A less 7.B',
  }),
  money('time_deposits_under_100k', {
    label: 'Time deposits of less than $100,000',
    formula: domestic('6648'),
    source: 'RC-E memoranda 2.b',
  }),
  money('time_deposits_100k_250k', {
    label: 'Time deposits of $100,000 through $250,000',
    formula: domestic('J473'),
    source: 'RC-E memoranda 2.c',
  }),
  money('estimated_uninsured_deposits', {
    label: 'Uninsured deposits, reported or estimated',
    direction: 'lower',
    formula: `ExistingOf(${domestic('5597')}, MAX(0, ${overTheLimit}))`,
    source: 'RC-O memoranda 2, else memoranda 1.b.1 + 1.d.1 - $250,000 x (1.b.2 + 1.d.2)',
    description:
      'As reported where it is; else what accounts of more than $250,000 hold above that, retirement accounts among them, and to the end of 2012 without noninterest-bearing transaction accounts, which were insured in full. An estimate by the size of accounts alone: it does not know of owners with several.',
  }),
  money('insured_deposits', {
    label: 'Insured deposits, estimated',
    direction: 'higher',
    formula: `${metric('domestic_deposits')} - ${metric('estimated_uninsured_deposits')}`,
    source: 'RC 13.a less uninsured deposits',
  }),
  percent('estimated_uninsured_deposits_ratio', {
    label: 'Uninsured deposits, reported or estimated, to domestic deposits',
    direction: 'lower',
    formula: `PCTOF(${metric('estimated_uninsured_deposits')}, ${metric('estimated_uninsured_deposits')} + ${metric('insured_deposits')})`,
    source: 'RC-O memoranda 2 or 1 to RC 13.a',
  }),
  percent('listing_service_deposits_ratio', {
    label: 'Deposits through listing services to total deposits',
    direction: 'lower',
    formula: percentOf('listing_service_deposits', 'total_deposits'),
    source: 'RC-E memoranda 1.f to RC 13',
  }),
  ...paid.map(({ key, label, source }) =>
    percent(`cost_of_${key}`, {
      label: `${label}: cost`,
      direction: 'lower',
      formula: annualised(`expense_of_${key}`, `average_of_${key}`),
      source,
      description: 'Interest expense of the year to date, annualised, over the quarterly averages.',
    }),
  ),
]
