import { judgedTypes, loanTypes } from './loan-types.ts'
import { area } from './metric.ts'
import { consolidated, domestic, metric, percentOf, sum } from './terms.ts'

const { money, percent } = area('loan-mix')
const sourceOf: Record<string, string> = {
  construction: 'RC-C I 1.a; FDIC LNRECONS',
  residential: 'RC-C I 1.c; FDIC LNRERES',
  home_equity: 'RC-C I 1.c.1; FDIC LNRELOC',
  multifamily: 'RC-C I 1.d; FDIC LNREMULT',
  nonfarm_nonresidential: 'RC-C I 1.e; FDIC LNRENRES',
  farmland: 'RC-C I 1.b; FDIC LNREAG',
  commercial_industrial: 'RC-C I 4; FDIC LNCI',
  agricultural: 'RC-C I 3; FDIC LNAG',
  credit_card: 'RC-C I 6.a; FDIC LNCRCD',
  auto: 'RC-C I 6.c; FDIC LNAUTO',
}

/** Schedule RC-C: loans by kind, and each kind's share of all. */
export const loanMix = [
  ...loanTypes.map((type) =>
    money(`${type.key}_loans`, {
      label: `${type.label} loans`,
      formula: type.balance,
      source: sourceOf[type.key]!,
    }),
  ),
  money('owner_occupied_loans', {
    label: 'Owner-occupied nonfarm nonresidential loans',
    formula: consolidated('F160'),
    source: 'RC-C I 1.e.1; FDIC LNRENROW',
  }),
  money('real_estate_loans', {
    label: 'Loans secured by real estate',
    formula: `ExistingOf(cc:RCFD1410[P0], ${sum(
      ...['F158', 'F159', '1420', '1797', '5367', '5368', '1460', 'F160', 'F161'].map(consolidated),
    )})`,
    source: 'RC-C I 1; FDIC LNRE; UBPRD188',
  }),
  money('consumer_loans', {
    label: 'Consumer loans',
    formula: sum(...['B538', 'B539', 'K137', 'K207'].map(consolidated)),
    source: 'RC-C I 6; FDIC LNCON',
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
    formula: `ExistingOf(${domestic('2165')}, ${sum('cc:RCFDF162[P0]', 'cc:RCFDF163[P0]')})`,
    source: 'RC-C I 10; FDIC LS',
  }),
  ...judgedTypes.map((type) =>
    percent(`${type.key}_loans_ratio`, {
      label: `${type.label} loans to total loans`,
      formula: percentOf(`${type.key}_loans`, 'total_loans'),
      source: `${sourceOf[type.key]!.split(';')[0]} to RC 4`,
    }),
  ),
  percent('real_estate_loans_ratio', {
    label: 'Real estate loans to total loans',
    formula: percentOf('real_estate_loans', 'total_loans'),
    source: 'RC-C I 1 to RC 4',
  }),
  percent('consumer_loans_ratio', {
    label: 'Consumer loans to total loans',
    formula: percentOf('consumer_loans', 'total_loans'),
    source: 'RC-C I 6 to RC 4',
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
]
