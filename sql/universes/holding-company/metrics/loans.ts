import { area } from '../../../formula/metrics/metric.ts'
import { item, items, line, metric, percentOf, report, sum } from './terms.ts'

const mix = area('loan-mix')
const { money } = mix
const concentration = area('concentration')

/** Real estate loans by kind are of domestic offices, the others consolidated. */
const kinds = [
  money('real_estate_loans', {
    label: 'Real estate loans',
    formula: item('1410'),
    source: report('BHSR484'),
    description: 'Consolidated, with those of foreign offices.',
  }),
  money('construction_loans', {
    label: 'Construction and land development loans',
    formula: `ExistingOf(${items('F158', 'F159')}, ${item('BHDM1415')})`,
    source: report('BHSR040'),
  }),
  money('residential_loans', {
    label: '1-4 family residential loans',
    formula: items('BHDM1797', 'BHDM5367', 'BHDM5368'),
    source: report('BHSR039'),
  }),
  money('home_equity_loans', {
    label: 'Revolving home equity loans',
    formula: item('BHDM1797'),
    source: line('HC-C 1.c(1)'),
  }),
  money('multifamily_loans', {
    label: 'Multifamily loans',
    formula: item('BHDM1460'),
    source: report('BHSR041'),
  }),
  money('nonfarm_nonresidential_loans', {
    label: 'Nonfarm nonresidential loans',
    formula: `ExistingOf(${items('F160', 'F161')}, ${item('BHDM1480')})`,
    source: report('BHSR047'),
  }),
  money('owner_occupied_cre_loans', {
    label: 'Owner-occupied nonfarm nonresidential loans',
    formula: item('F160'),
    source: line('HC-C 1.e(1)'),
  }),
  money('farmland_loans', { label: 'Farmland loans', formula: item('BHDM1420'), source: report('BHSR092') }),
  money('cre_loans', {
    label: 'Commercial real estate loans',
    formula: sum(
      metric('construction_loans'),
      metric('multifamily_loans'),
      metric('nonfarm_nonresidential_loans'),
    ),
    source: report('BHSR048'),
    description: 'Construction, multifamily and nonfarm nonresidential loans.',
  }),
  money('commercial_industrial_loans', {
    label: 'Commercial and industrial loans',
    formula: `ExistingOf(${items('1763', '1764')}, ${item('KX56')})`,
    source: report('BHSR091'),
  }),
  money('consumer_loans', {
    label: 'Loans to individuals',
    formula: `ExistingOf(${items('B538', 'B539', 'K137', 'K207')} + 0 * ExistingOf(${item('K137')}, ${item('K207')}), ${items('B538', 'B539', '2011')})`,
    source: report('BHSR261'),
  }),
  money('credit_card_loans', {
    label: 'Credit card loans',
    formula: item('B538'),
    source: line('HC-C 6.a'),
  }),
  money('auto_loans', { label: 'Automobile loans', formula: item('K137'), source: line('HC-C 6.c') }),
  money('agricultural_loans', {
    label: 'Agricultural loans',
    formula: item('1590'),
    source: line('HC-C 3'),
  }),
  money('depository_loans', {
    label: 'Loans to depository institutions',
    formula: items('1292', '1296'),
    source: report('BHSR088'),
  }),
  money('nondepository_financial_loans', {
    label: 'Loans to nondepository financial institutions',
    formula: item('J454'),
    source: line('HC-C 9.a'),
  }),
  money('other_loans', {
    label: 'Other loans and leases',
    formula: sum(items('2081', '1545', 'J454', 'J451'), items('F162', 'F163'), items('KX57', 'KX58')),
    source: report('BHSR098'),
    description: 'With those to foreign governments, to nondepository financial institutions, and leases.',
  }),
] as const

const shares: Record<string, [of: string, label: string, code: string]> = {
  real_estate_loans_ratio: ['real_estate_loans', 'Real estate loans', 'BHSR293'],
  construction_loans_ratio: ['construction_loans', 'Construction loans', 'BHSR311'],
  residential_loans_ratio: ['residential_loans', '1-4 family residential loans', 'BHSR615'],
  home_equity_loans_ratio: ['home_equity_loans', 'Revolving home equity loans', 'BHSR296'],
  multifamily_loans_ratio: ['multifamily_loans', 'Multifamily loans', 'BHSR312'],
  nonfarm_nonresidential_loans_ratio: [
    'nonfarm_nonresidential_loans',
    'Nonfarm nonresidential loans',
    'BHSR318',
  ],
  owner_occupied_cre_loans_ratio: ['owner_occupied_cre_loans', 'Owner-occupied loans', 'BHSR1258'],
  cre_loans_ratio: ['cre_loans', 'Commercial real estate loans', 'BHSR310'],
  commercial_industrial_loans_ratio: ['commercial_industrial_loans', 'C&I loans', 'BHSR295'],
  consumer_loans_ratio: ['consumer_loans', 'Loans to individuals', 'BHSR154'],
  credit_card_loans_ratio: ['credit_card_loans', 'Credit card loans', 'BHSR338'],
  agricultural_loans_ratio: ['agricultural_loans', 'Agricultural loans', 'BHSR163'],
  depository_loans_ratio: ['depository_loans', 'Loans to depository institutions', 'BHSR294'],
  other_loans_ratio: ['other_loans', 'Other loans and leases', 'BHSR156'],
}

const toCapital: Record<string, [of: string, label: string, code: string]> = {
  cre_concentration: ['cre_loans', 'Commercial real estate loans', 'BHSR1379'],
  construction_concentration: ['construction_loans', 'Construction loans', 'BHSR1380'],
  residential_concentration: ['residential_loans', '1-4 family residential loans', 'BHSR1376'],
  commercial_industrial_concentration: ['commercial_industrial_loans', 'C&I loans', 'BHSR1385'],
  consumer_concentration: ['consumer_loans', 'Loans to individuals', 'BHSR1386'],
}

export const loans = [
  ...kinds,
  ...Object.entries(shares).map(([key, [of, label, code]]) =>
    mix.percent(key, {
      label: `${label} to loans and leases`,
      formula: percentOf(of, 'total_loans'),
      source: report(code),
    }),
  ),
  mix.percent('net_loans_ratio', {
    label: 'Net loans and leases to assets',
    formula: percentOf('net_loans', 'total_assets'),
    source: report('BHSR146'),
  }),
  ...Object.entries(toCapital).map(([key, [of, label, code]]) =>
    concentration.percent(key, {
      label: `${label} to tier 1 capital and allowance`,
      direction: 'lower',
      formula: `PCTOF(${metric(of)}, ${sum(metric('tier1_capital'), metric('allowance'))} + 0 * ${metric('tier1_capital')})`,
      source: report(code),
    }),
  ),
]
