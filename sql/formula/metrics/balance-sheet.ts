import { area } from './metric.ts'
import {
  consolidated,
  domestic,
  foreign,
  income,
  metric,
  orZero,
  quarterAverage,
  sum,
  yearToDateAverage,
} from './terms.ts'

const { money } = area('balance-sheet')

/** Schedule RC and what derives from it alone: balances at quarter-end and their averages. */
export const balanceSheet = [
  money('total_assets', {
    label: 'Total assets',
    formula: consolidated('2170'),
    source: 'RC 12; FDIC ASSET',
  }),
  money('cash_and_due', {
    label: 'Cash and balances due from depository institutions',
    formula: sum(consolidated('0081'), consolidated('0071')),
    source: 'RC 1; FDIC CHBAL',
  }),
  money('interest_bearing_balances', {
    label: 'Interest-bearing balances due',
    formula: consolidated('0071'),
    source: 'RC 1.b; FDIC CHBALI',
  }),
  money('federal_funds_sold', {
    label: 'Federal funds sold and reverse repurchase agreements',
    formula: sum(domestic('B987'), consolidated('B989')),
    source: 'RC 3; FDIC FREPO',
  }),
  money('securities', {
    label: 'Securities',
    formula: sum(metric('securities_htm'), metric('securities_afs'), consolidated('JA22')),
    source: 'RC 2; FDIC SC',
    description:
      'Held to maturity, available for sale and, since 2018, equity securities with readily determinable fair values.',
  }),
  money('trading_assets', {
    label: 'Trading assets',
    formula: consolidated('3545'),
    source: 'RC 5; FDIC TRADE',
  }),
  money('loans_held_for_sale', {
    label: 'Loans and leases held for sale',
    formula: consolidated('5369'),
    source: 'RC 4.a; FDIC LNLSSALE',
  }),
  money('loans_held_for_investment', {
    label: 'Loans and leases held for investment',
    formula: consolidated('B528'),
    source: 'RC 4.b; UBPRB528',
  }),
  money('total_loans', {
    label: 'Total loans and leases',
    formula: `${metric('loans_held_for_investment')} + ${orZero(metric('loans_held_for_sale'))}`,
    source: 'RC 4.a + 4.b; FDIC LNLSGR; UBPRD245',
    description: 'Net of unearned income, before the allowance, loans held for sale among them.',
  }),
  money('allowance', {
    label: 'Allowance for credit losses on loans and leases',
    direction: 'neutral',
    formula: `ExistingOf(cc:RCFX3123[P0], ${income('3123')})`,
    source: 'RC 4.c; FDIC LNATRES',
  }),
  money('net_loans', {
    label: 'Net loans and leases',
    formula: `${metric('total_loans')} - ${orZero(metric('allowance'))}`,
    source: 'RC 4.a + 4.d; FDIC LNLSNET; UBPRE119',
  }),
  money('premises', {
    label: 'Premises and fixed assets',
    formula: consolidated('2145'),
    source: 'RC 6; FDIC BKPREM',
  }),
  money('other_real_estate_owned', {
    label: 'Other real estate owned',
    direction: 'lower',
    formula: consolidated('2150'),
    source: 'RC 7; FDIC ORE',
  }),
  money('goodwill', { label: 'Goodwill', formula: consolidated('3163'), source: 'RC-M 2.b; FDIC INTANGW' }),
  money('intangible_assets', {
    label: 'Intangible assets',
    formula: `ExistingOf(cc:RCFX2143[P0], ${sum(consolidated('3163'), consolidated('0426'))})`,
    source: 'RC 10; FDIC INTAN',
    description: 'Goodwill, servicing assets and other intangibles. One line since 2018, two before.',
  }),
  money('earning_assets', {
    label: 'Earning assets',
    formula: sum(
      metric('interest_bearing_balances'),
      metric('federal_funds_sold'),
      metric('securities'),
      metric('net_loans'),
      `${metric('trading_assets')} - ${orZero(consolidated('3543'))}`,
    ),
    source: 'FDIC ERNAST',
    description:
      'Assets that earn interest or dividends: loans net of the allowance, trading assets without derivatives.',
  }),
  money('average_assets', {
    label: 'Average assets, year to date',
    formula: yearToDateAverage('total_assets'),
    source: 'FDIC ASSET5',
    description:
      'Mean of total assets at the prior year-end and each quarter-end since. Affiliates merged in by a pooling count before their merger too, as the year to date income includes theirs.',
  }),
  money('average_earning_assets', {
    label: 'Average earning assets, year to date',
    formula: yearToDateAverage('earning_assets'),
    source: 'FDIC ERNAST5',
  }),
  money('average_loans', {
    label: 'Average loans and leases, year to date',
    formula: yearToDateAverage('total_loans'),
    source: 'FDIC LNLSGR5',
  }),
  money('average_equity', {
    label: 'Average equity, year to date',
    formula: yearToDateAverage('total_equity'),
    source: 'FDIC EQ5',
  }),
  money('average_assets_quarter', {
    label: 'Average assets of the quarter',
    formula: quarterAverage('total_assets'),
    source: 'FDIC ASSET2',
  }),
  money('average_earning_assets_quarter', {
    label: 'Average earning assets of the quarter',
    formula: quarterAverage('earning_assets'),
    source: 'FDIC ERNAST2',
  }),
  money('ubpr_average_assets', {
    label: 'Average assets, daily or weekly averages of the year to date',
    formula: 'CAVG04X(#m:reported_average_assets)',
    source: 'UBPRD659',
    description: 'Mean of the quarterly averages that Schedule RC-K reports, as the UBPR takes it.',
  }),
  money('total_liabilities', {
    label: 'Total liabilities',
    formula: consolidated('2948'),
    source: 'RC 21; FDIC LIAB',
  }),
  money('total_deposits', {
    label: 'Total deposits',
    formula: sum(domestic('2200'), foreign('2200')),
    source: 'RC 13; FDIC DEP',
  }),
  money('federal_funds_purchased', {
    label: 'Federal funds purchased and repurchase agreements',
    formula: sum(domestic('B993'), consolidated('B995')),
    source: 'RC 14; FDIC FREPP',
  }),
  money('other_borrowed_money', {
    label: 'Other borrowed money',
    formula: consolidated('3190'),
    source: 'RC 16; FDIC OTHBOR',
  }),
  money('subordinated_debt', {
    label: 'Subordinated notes and debentures',
    formula: consolidated('3200'),
    source: 'RC 19; FDIC SUBND',
  }),
  money('total_equity', {
    label: 'Bank equity capital',
    direction: 'higher',
    formula: consolidated('3210'),
    source: 'RC 27.a; FDIC EQ',
  }),
  money('retained_earnings', {
    label: 'Retained earnings',
    formula: consolidated('3632'),
    source: 'RC 26.a',
  }),
  money('accumulated_oci', {
    label: 'Accumulated other comprehensive income',
    formula: consolidated('B530'),
    source: 'RC 26.b',
  }),
  money('tangible_equity', {
    label: 'Tangible equity',
    direction: 'higher',
    formula: `${metric('total_equity')} - ${orZero(metric('intangible_assets'))}`,
    source: 'RC 27.a - 10',
  }),
  money('unused_commitments', {
    label: 'Unused commitments',
    formula: sum(
      ...['3814', '3815', 'F164', 'F165', '6550', '3817', 'J457', 'J458', 'J459'].map(consolidated),
    ),
    source: 'RC-L 1; FDIC UC',
  }),
]
