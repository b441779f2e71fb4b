import { depositBook } from './deposit-book.ts'
import { area } from './metric.ts'
import { domestic, foreign, metric, percentOf, sum } from './terms.ts'

const { money, percent } = area('deposits')

/** Schedules RC, RC-E and RC-O. */
export const deposits = [
  money('domestic_deposits', {
    label: 'Domestic deposits',
    formula: domestic('2200'),
    source: 'RC 13.a; FDIC DEPDOM',
  }),
  money('foreign_deposits', {
    label: 'Deposits in foreign offices',
    formula: foreign('2200'),
    source: 'RC 13.b; FDIC DEPFOR',
  }),
  money('noninterest_bearing_deposits', {
    label: 'Noninterest-bearing deposits',
    direction: 'higher',
    formula: sum(domestic('6631'), foreign('6631')),
    source: 'RC 13.a.1 + 13.b.1; FDIC DEPNI',
  }),
  money('interest_bearing_deposits', {
    label: 'Interest-bearing deposits',
    formula: sum(domestic('6636'), foreign('6636')),
    source: 'RC 13.a.2 + 13.b.2; FDIC DEPI',
  }),
  money('transaction_deposits', {
    label: 'Transaction accounts',
    formula: domestic('2215'),
    source: 'RC-E 7.A; FDIC TRN',
  }),
  money('money_market_deposits', {
    label: 'Money market deposit accounts',
    formula: domestic('6810'),
    source: 'RC-E memoranda 2.a.1',
  }),
  money('savings_deposits', {
    label: 'Other savings deposits',
    formula: domestic('0352'),
    source: 'RC-E memoranda 2.a.2',
  }),
  money('time_deposits', {
    label: 'Time deposits',
    formula: sum(domestic('6648'), domestic('J473'), domestic('J474')),
    source: 'RC-E memoranda 2.b-2.d; FDIC NTRTIME',
  }),
  money('large_time_deposits', {
    label: 'Time deposits above the insurance limit',
    direction: 'lower',
    formula: domestic('J474'),
    source: 'RC-E memoranda 2.d; UBPRK437',
    description: 'More than $250,000.',
  }),
  money('brokered_deposits', {
    label: 'Brokered deposits',
    direction: 'lower',
    formula: domestic('2365'),
    source: 'RC-E memoranda 1.b; FDIC BRO',
  }),
  money('reciprocal_deposits', {
    label: 'Reciprocal deposits',
    formula: domestic('JH83'),
    source: 'RC-E memoranda 1.g',
    description: 'Reported since 2018.',
  }),
  money('listing_service_deposits', {
    label: 'Deposits through listing services that are not brokered',
    formula: domestic('K223'),
    source: 'RC-E memoranda 1.f',
  }),
  money('public_deposits', {
    label: 'Deposits of states and political subdivisions',
    formula: sum(domestic('2203'), domestic('2530')),
    source: 'RC-E 3',
  }),
  money('core_deposits', {
    label: 'Core deposits',
    direction: 'higher',
    formula: `${sum(domestic('2215'), domestic('6810'), domestic('0352'), domestic('6648'), domestic('J473'))} - ExistingOf(${domestic('HK05')}, ${sum(domestic('J472'), domestic('2343'))}, 0)`,
    source: 'FDIC COREDEP; UBPRK434',
    description:
      'Domestic deposits less time deposits above $250,000 and brokered deposits of $250,000 or less.',
  }),
  money('uninsured_deposits', {
    label: 'Estimated uninsured deposits',
    direction: 'lower',
    formula: domestic('5597'),
    source: 'RC-O memoranda 2; FDIC DEPUNINS',
    description: 'Reported by banks with $1 billion or more in assets.',
  }),
  percent('loan_to_deposit_ratio', {
    label: 'Net loans to deposits',
    formula: percentOf('net_loans', 'total_deposits'),
    source: 'FDIC LNLSDEPR; UBPRE600',
  }),
  percent('core_deposits_ratio', {
    label: 'Core deposits to total deposits',
    direction: 'higher',
    formula: percentOf('core_deposits', 'total_deposits'),
    source: 'FDIC COREDEP to DEP',
  }),
  percent('ubpr_core_deposits_ratio', {
    label: 'Core deposits to total assets (UBPR)',
    direction: 'higher',
    formula: percentOf('core_deposits', 'total_assets'),
    source: 'UBPRE591',
  }),
  percent('brokered_deposits_ratio', {
    label: 'Brokered deposits to total deposits',
    direction: 'lower',
    formula: percentOf('brokered_deposits', 'total_deposits'),
    source: 'UBPRE595; FDIC BRO to DEP',
  }),
  percent('uninsured_deposits_ratio', {
    label: 'Uninsured deposits to domestic deposits',
    direction: 'lower',
    formula: percentOf('uninsured_deposits', 'uninsured_reporters_deposits'),
    source: 'FDIC DEPUNINS to DEPDOM',
    description: 'Industry figures are of the banks that report uninsured deposits.',
  }),
  percent('noninterest_bearing_deposits_ratio', {
    label: 'Noninterest-bearing deposits to total deposits',
    direction: 'higher',
    formula: percentOf('noninterest_bearing_deposits', 'total_deposits'),
    source: 'FDIC DEPNI to DEP',
  }),
  percent('time_deposits_ratio', {
    label: 'Time deposits to total deposits',
    formula: percentOf('time_deposits', 'total_deposits'),
    source: 'RC-E memoranda 2.b-2.d to RC 13',
  }),
  percent('large_time_deposits_ratio', {
    label: 'Time deposits above the insurance limit to total deposits',
    direction: 'lower',
    formula: percentOf('large_time_deposits', 'total_deposits'),
    source: 'RC-E memoranda 2.d to RC 13',
  }),
  percent('public_deposits_ratio', {
    label: 'Deposits of states and political subdivisions to total deposits',
    formula: percentOf('public_deposits', 'total_deposits'),
    source: 'RC-E 3 to RC 13',
  }),
  percent('reciprocal_deposits_ratio', {
    label: 'Reciprocal deposits to total deposits',
    formula: `PCTOF(${metric('reciprocal_deposits')}, ${metric('total_deposits')})`,
    source: 'RC-E memoranda 1.g to RC 13',
  }),
  ...depositBook,
]
