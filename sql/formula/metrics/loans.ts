import { loanBook } from './loan-book.ts'
import { judgedTypes, loanTypes } from './loan-types.ts'
import { area, named } from './metric.ts'
import { consolidated, domestic, metric, percentOf, sum } from './terms.ts'

const { money, percent } = area('loan-mix')
/** Schedule RC-C: loans by kind, and each kind's share of all. */
export const loanMix = [
  ...loanTypes.map((type) =>
    money(`${type.key}_loans`, {
      label: `${type.label} loans`,
      formula: type.balance,
      source: named(type.source, type.fdic[0]),
    }),
  ),
  money('owner_occupied_loans', {
    label: 'Owner-occupied nonfarm nonresidential loans',
    formula: domestic('F160'),
    source: 'RC-C I 1.e.1; FDIC LNRENROW',
  }),
  money('real_estate_loans', {
    label: 'Loans secured by real estate',
    formula: `ExistingOf(cc:RCFD1410[P0], ${sum(
      ...['F158', 'F159', '1420', '1797', '5367', '5368', '1460', 'F160', 'F161'].map(consolidated),
    )})`,
    source: 'RC-C I 1; FDIC LNRE; UBPRD188',
  }),
  money('nondepository_financial_loans', {
    label: 'Loans to nondepository financial institutions',
    formula: consolidated('J454'),
    source: 'RC-C I 9.a',
  }),
  money('municipal_loans', {
    label: 'Obligations of states and political subdivisions',
    formula: consolidated('2107'),
    source: 'RC-C I 8; FDIC LNMUNI',
  }),
  money('leases', {
    label: 'Lease financing receivables',
    formula: `ExistingOf(${sum('cc:RCFDF162[P0]', 'cc:RCFDF163[P0]')}, ${domestic('2165')})`,
    source: 'RC-C I 10; FDIC LS',
  }),
  money('other_loans', {
    label: 'All other loans and leases',
    formula: sum(
      `ExistingOf(${domestic('1288')}, ${sum(...['B532', 'B533', 'B534', 'B536', 'B537'].map((code) => `cc:RCFD${code}[P0]`))})`,
      consolidated('2081'),
      metric('municipal_loans'),
      `ExistingOf(cc:RCFD1563[P0], ${sum(domestic('J454'), domestic('J464'))})`,
      metric('leases'),
    ),
    source: 'RC-C I 2 + 7 + 8 + 9 + 10; FDIC LNOTCI',
    description:
      'To banks, foreign governments, states and political subdivisions, nondepository financial institutions and others, and leases.',
  }),
  ...judgedTypes.map((type) =>
    percent(`${type.key}_loans_ratio`, {
      label: `${type.label} loans to total loans`,
      formula: percentOf(`${type.key}_loans`, 'total_loans'),
      source: `${type.source} to RC 4`,
    }),
  ),
  percent('real_estate_loans_ratio', {
    label: 'Real estate loans to total loans',
    formula: percentOf('real_estate_loans', 'total_loans'),
    source: 'RC-C I 1 to RC 4',
  }),
  percent('loans_to_assets_ratio', {
    label: 'Net loans to total assets',
    formula: percentOf('net_loans', 'total_assets'),
    source: 'FDIC LNLSNTV; UBPRE024',
  }),
  percent('unused_commitments_ratio', {
    label: 'Unused commitments to total assets',
    formula: `PCTOF(${metric('unused_commitments')}, ${metric('total_assets')})`,
    source: 'RC-L 1 to RC 12',
  }),
  ...loanBook,
]
