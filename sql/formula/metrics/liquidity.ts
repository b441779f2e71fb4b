import { area } from './metric.ts'
import { consolidated, domestic, metric, orZero, percentOf, sum } from './terms.ts'

const { money, percent } = area('liquidity')

/** Liquid assets and what is borrowed beyond core deposits. */
export const liquidity = [
  money('short_term_investments', {
    label: 'Short-term investments',
    formula: sum(metric('interest_bearing_balances'), metric('federal_funds_sold'), consolidated('A248')),
    source: 'UBPRE582',
    description: 'Interest-bearing balances, federal funds sold and debt securities due within a year.',
  }),
  money('liquid_assets', {
    label: 'Liquid assets',
    direction: 'higher',
    formula: `${sum(metric('cash_and_due'), metric('federal_funds_sold'), metric('securities'))} - ${orZero(metric('pledged_securities'))}`,
    source: 'RC 1 + 2 + 3 - RC-B memoranda 1',
    description: 'Cash, balances due, federal funds sold and securities that are not pledged.',
  }),
  money('fhlb_advances', {
    label: 'Federal Home Loan Bank advances',
    formula: sum(...['F055', 'F056', 'F057', 'F058'].map(consolidated)),
    source: 'RC-M 5.a; FDIC OTHBFHLB',
  }),
  money('wholesale_funding', {
    label: 'Wholesale funding',
    direction: 'lower',
    formula: sum(
      metric('federal_funds_purchased'),
      metric('other_borrowed_money'),
      metric('subordinated_debt'),
      metric('brokered_deposits'),
      domestic('K223'),
      metric('foreign_deposits'),
    ),
    source: 'RC 13.b + 14 + 16 + 19, RC-E memoranda 1.b + 1.f',
  }),
  money('noncore_liabilities', {
    label: 'Noncore liabilities',
    direction: 'lower',
    formula: sum(
      `ExistingOf(${domestic('HK05')}, ${sum(domestic('J472'), domestic('2343'))})`,
      metric('large_time_deposits'),
      metric('federal_funds_purchased'),
      metric('other_borrowed_money'),
      metric('foreign_deposits'),
    ),
    source: 'UBPRK445',
  }),
  money('long_term_assets', {
    label: 'Net loans, securities over one year and other real estate owned',
    formula: `${sum(metric('net_loans'), metric('securities'), metric('other_real_estate_owned'))} - ${orZero(consolidated('A248'))}`,
    source: 'UBPRD584',
  }),
  percent('noncore_funding_dependence', {
    label: 'Net noncore funding dependence',
    direction: 'lower',
    formula: `PCTOF(${metric('noncore_liabilities')} - ${orZero(metric('short_term_investments'))}, ${metric('long_term_assets')})`,
    source: 'UBPRK447',
  }),
  percent('liquid_assets_ratio', {
    label: 'Liquid assets to total assets',
    direction: 'higher',
    formula: percentOf('liquid_assets', 'total_assets'),
    source: 'RC 1 + 2 + 3 - RC-B memoranda 1 to RC 12',
  }),
  percent('cash_ratio', {
    label: 'Cash and balances due to total assets',
    direction: 'higher',
    formula: percentOf('cash_and_due', 'total_assets'),
    source: 'FDIC CHBALR',
  }),
  percent('short_term_investments_ratio', {
    label: 'Short-term investments to total assets',
    direction: 'higher',
    formula: percentOf('short_term_investments', 'total_assets'),
    source: 'UBPRE589',
  }),
  percent('wholesale_funding_ratio', {
    label: 'Wholesale funding to total liabilities',
    direction: 'lower',
    formula: percentOf('wholesale_funding', 'total_liabilities'),
    source: 'RC 13.b + 14 + 16 + 19, RC-E memoranda 1.b + 1.f to RC 21',
  }),
  percent('fhlb_advances_ratio', {
    label: 'Federal Home Loan Bank advances to total assets',
    direction: 'lower',
    formula: percentOf('fhlb_advances', 'total_assets'),
    source: 'RC-M 5.a to RC 12',
  }),
  percent('borrowings_ratio', {
    label: 'Borrowings to total assets',
    direction: 'lower',
    formula: `PCTOF(${sum(metric('federal_funds_purchased'), metric('other_borrowed_money'), metric('subordinated_debt'))}, ${metric('total_assets')})`,
    source: 'RC 14 + 16 + 19 to RC 12',
  }),
  percent('deposits_to_assets_ratio', {
    label: 'Deposits to total assets',
    direction: 'higher',
    formula: percentOf('total_deposits', 'total_assets'),
    source: 'FDIC DEPR',
  }),
]
