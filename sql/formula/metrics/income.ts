import { area } from './metric.ts'
import { metric, orZero, income as riad, sum } from './terms.ts'

const { money } = area('income')
const quarterOf = (key: string) => `QUARTER(#m:${key})`

/** Schedule RI: calendar year to date as filed, and the flow of the quarter. */
export const incomeStatement = [
  money('interest_income', {
    label: 'Interest income',
    formula: riad('4107'),
    source: 'RI 1.h; FDIC INTINC',
  }),
  money('interest_expense', {
    label: 'Interest expense',
    formula: riad('4073'),
    source: 'RI 2.e; FDIC EINTEXP',
  }),
  money('net_interest_income', {
    label: 'Net interest income',
    direction: 'higher',
    formula: riad('4074'),
    source: 'RI 3; FDIC NIM',
  }),
  money('loan_income', {
    label: 'Interest and fees on loans and leases',
    formula: sum(riad('4010'), riad('4065')),
    source: 'RI 1.a + 1.b',
  }),
  money('securities_income', {
    label: 'Interest and dividends on securities',
    formula: sum(riad('B488'), riad('B489'), riad('4060')),
    source: 'RI 1.d; UBPRD398',
  }),
  money('deposit_interest_expense', {
    label: 'Interest on deposits',
    formula: sum(...['4508', '0093', 'HK03', 'HK04', 'A517', 'A518', '4172'].map(riad)),
    source: 'RI 2.a; FDIC EDEP',
    description: 'Time deposits were split at $100,000 to 2016 and are split at $250,000 since 2017.',
  }),
  money('provision', {
    label: 'Provision for credit losses',
    formula: `ExistingOf(${riad('JJ33')}, ${riad('4230')})`,
    source: 'RI 4; FDIC ELNATR',
    description: 'Of all financial assets since 2019 (JJ33), of loans and leases before (4230).',
  }),
  money('noninterest_income', {
    label: 'Noninterest income',
    direction: 'higher',
    formula: riad('4079'),
    source: 'RI 5.m; FDIC NONII',
  }),
  money('service_charges', {
    label: 'Service charges on deposit accounts',
    formula: riad('4080'),
    source: 'RI 5.b; FDIC ISERCHG',
  }),
  money('fiduciary_income', {
    label: 'Income from fiduciary activities',
    formula: riad('4070'),
    source: 'RI 5.a; FDIC IFIDUC',
  }),
  money('trading_revenue', {
    label: 'Trading revenue',
    formula: riad('A220'),
    source: 'RI 5.c; FDIC IGLTRAD',
  }),
  money('noninterest_expense', {
    label: 'Noninterest expense',
    direction: 'lower',
    formula: riad('4093'),
    source: 'RI 7.e; FDIC NONIX',
  }),
  money('salaries', {
    label: 'Salaries and employee benefits',
    formula: riad('4135'),
    source: 'RI 7.a; FDIC ESAL',
  }),
  money('premises_expense', {
    label: 'Premises and fixed asset expense',
    formula: riad('4217'),
    source: 'RI 7.b; FDIC EPREMAGG',
  }),
  money('intangible_amortization', {
    label: 'Goodwill impairment and amortisation of intangibles',
    formula: sum(riad('C216'), riad('C232')),
    source: 'RI 7.c; FDIC EAMINTAN',
  }),
  money('securities_gains', {
    label: 'Realised gains on securities',
    formula: sum(riad('3521'), riad('3196')),
    source: 'RI 6; FDIC IGLSEC',
  }),
  money('pre_provision_net_revenue', {
    label: 'Pre-provision net revenue',
    direction: 'higher',
    formula: `${metric('net_interest_income')} + ${metric('noninterest_income')} - ${metric('noninterest_expense')}`,
    source: 'RI 3 + 5.m - 7.e',
  }),
  money('pretax_income', {
    label: 'Income before taxes',
    direction: 'higher',
    formula: riad('4301'),
    source: 'RI 8.c; FDIC IBEFTAX',
  }),
  money('income_taxes', {
    label: 'Applicable income taxes',
    formula: riad('4302'),
    source: 'RI 9; FDIC ITAX',
  }),
  money('net_income', {
    label: 'Net income',
    direction: 'higher',
    formula: riad('4340'),
    source: 'RI 14; FDIC NETINC',
    description: 'Attributable to the bank, calendar year to date.',
  }),
  money('dividends', {
    label: 'Cash dividends declared',
    formula: sum(riad('4470'), riad('4460')),
    source: 'RI-A 8 + 9; FDIC EQCDIV',
  }),
  money('net_income_quarter', {
    label: 'Net income of the quarter',
    direction: 'higher',
    formula: quarterOf('net_income'),
    source: 'RI 14, less the quarter before',
  }),
  money('net_interest_income_quarter', {
    label: 'Net interest income of the quarter',
    direction: 'higher',
    formula: quarterOf('net_interest_income'),
    source: 'RI 3, less the quarter before',
  }),
  money('provision_quarter', {
    label: 'Provision for credit losses of the quarter',
    formula: quarterOf('provision'),
    source: 'RI 4, less the quarter before',
  }),
  money('operating_revenue', {
    label: 'Net operating revenue',
    direction: 'higher',
    formula: `${metric('net_interest_income')} + ${orZero(metric('noninterest_income'))}`,
    source: 'RI 3 + 5.m',
  }),
]
