import { area } from '../../../formula/metrics/metric.ts'
import { item, items, line, metric, ofDepositories, report, sum } from './terms.ts'

const { money, count } = area('balance-sheet')

export const balanceSheet = [
  money('total_assets', { label: 'Total assets', formula: item('2170'), source: line('HC 12') }),
  money('cash_and_balances_due', {
    label: 'Cash and balances due from depository institutions',
    formula: items('0081', '0395', '0397'),
    source: line('HC 1'),
  }),
  money('interest_bearing_balances', {
    label: 'Interest-bearing bank balances',
    formula: items('0395', '0397'),
    source: report('BHSR120'),
  }),
  money('investment_securities', {
    label: 'Investment securities',
    formula: sum(item('JJ34', '1754'), item('1773'), item('JA22')),
    source: report('BHSR708'),
    description: 'Held to maturity at cost, available for sale at fair value, and equity securities.',
  }),
  money('fed_funds_sold', {
    label: 'Federal funds sold and reverse repos',
    formula: items('BHDMB987', 'B989'),
    source: report('BHSR515'),
  }),
  money('trading_assets', { label: 'Trading assets', formula: item('3545'), source: report('BHSR747') }),
  money('total_loans', {
    label: 'Loans and leases',
    formula: items('5369', 'B528'),
    source: report('BHCK2122'),
    description: 'Held for investment and for sale, net of unearned income.',
  }),
  money('loans_held_for_sale', {
    label: 'Loans held for sale',
    formula: item('5369'),
    source: line('HC 4.a'),
  }),
  money('loans_held_for_investment', {
    label: 'Loans held for investment',
    formula: item('B528'),
    source: line('HC 4.b'),
  }),
  money('allowance', {
    label: 'Allowance for loan and lease losses',
    formula: item('3123'),
    source: report('BHSR110'),
  }),
  money('net_loans', {
    label: 'Net loans and leases',
    formula: `${metric('total_loans')} - ExistingOf(${metric('allowance')}, 0)`,
    source: report('BHSR984'),
  }),
  money('earning_assets', {
    label: 'Earning assets',
    formula: sum(
      ...['net_loans', 'investment_securities', 'interest_bearing_balances', 'fed_funds_sold'].map((key) =>
        metric(key),
      ),
      metric('trading_assets'),
    ),
    source: report('BHSR093'),
  }),
  money('premises', {
    label: 'Premises and fixed assets',
    formula: item('2145'),
    source: line('HC 6'),
  }),
  money('other_real_estate_owned', {
    label: 'Other real estate owned',
    direction: 'lower',
    formula: item('2150'),
    source: report('BHSR485'),
  }),
  money('goodwill', { label: 'Goodwill', formula: item('3163'), source: line('HC-M 12') }),
  money('other_intangible_assets', {
    label: 'Other intangible assets',
    formula: `ExistingOf(${item('JF76')} + ExistingOf(${item('3164')}, 0), ${item('0426')})`,
    source: line('HC-M 12'),
    description: 'With mortgage servicing assets.',
  }),
  money('total_deposits', {
    label: 'Total deposits',
    formula: items('BHDM6631', 'BHDM6636', 'BHFN6631', 'BHFN6636'),
    source: report('BHSR042'),
  }),
  money('domestic_deposits', {
    label: 'Deposits in domestic offices',
    formula: items('BHDM6631', 'BHDM6636'),
    source: line('HC 13.a'),
  }),
  money('foreign_deposits', {
    label: 'Deposits in foreign offices',
    formula: items('BHFN6631', 'BHFN6636'),
    source: report('BHSR036'),
  }),
  money('noninterest_bearing_deposits', {
    label: 'Noninterest-bearing deposits',
    formula: items('BHDM6631', 'BHFN6631'),
    source: report('BHSR260'),
  }),
  money('interest_bearing_deposits', {
    label: 'Interest-bearing deposits',
    formula: items('BHDM6636', 'BHFN6636'),
    source: report('BHSR262'),
  }),
  money('transaction_accounts', {
    label: 'NOW, ATS and other interest-bearing transaction accounts',
    formula: ofDepositories('3187'),
    source: report('BHSR033'),
  }),
  money('savings_deposits', {
    label: 'Money market and other savings accounts',
    formula: ofDepositories('2389'),
    source: report('BHSR228'),
  }),
  money('fed_funds_purchased', {
    label: 'Federal funds purchased and repos',
    formula: items('BHDMB993', 'B995'),
    source: report('BHSR523'),
  }),
  money('commercial_paper', { label: 'Commercial paper', formula: item('2309'), source: line('HC-M 14.a') }),
  money('short_term_borrowings', {
    label: 'Other borrowed money of one year or less',
    formula: item('2332'),
    source: line('HC-M 14.b'),
  }),
  money('long_term_borrowings', {
    label: 'Other borrowed money of more than one year',
    formula: item('2333'),
    source: report('BHSR877'),
  }),
  money('subordinated_debt', {
    label: 'Subordinated notes and debentures',
    formula: items('4062', 'C699'),
    source: report('BHSR878'),
    description: 'With those to trusts that issued trust preferred securities.',
  }),
  money('trading_liabilities', {
    label: 'Trading liabilities',
    formula: item('3548'),
    source: report('BHSR733'),
  }),
  money('total_liabilities', {
    label: 'Total liabilities',
    formula: item('2948'),
    source: report('BHSR1013'),
  }),
  money('total_equity', {
    label: 'Equity of the holding company',
    formula: item('3210'),
    source: line('HC 27.a'),
  }),
  money('minority_interest', {
    label: 'Noncontrolling interests in subsidiaries',
    formula: item('3000'),
    source: line('HC 27.b'),
  }),
  money('preferred_stock', {
    label: 'Perpetual preferred stock',
    formula: item('3283'),
    source: line('HC 23'),
  }),
  money('retained_earnings', {
    label: 'Retained earnings',
    direction: 'higher',
    formula: item('3247'),
    source: line('HC 26.a'),
  }),
  money('accumulated_oci', {
    label: 'Accumulated other comprehensive income',
    formula: item('B530'),
    source: report('BHSR991'),
  }),
  count('employees', {
    label: 'Full-time equivalent employees',
    formula: item('4150'),
    source: line('HI Memo 5'),
  }),
] as const
