import { area } from './metric.ts'
import { securitiesBook } from './securities-book.ts'
import { consolidated, metric, percentOf, sum } from './terms.ts'

const { money, percent } = area('securities')

/** Schedule RC-B: what is held, and what it is worth against what it cost. */
export const securities = [
  money('securities_htm', {
    label: 'Held-to-maturity securities',
    formula: `ExistingOf(cc:RCFXJJ34[P0], cc:RCFD1754[P0], cc:RCON1754[P0])`,
    source: 'RC 2.a; FDIC SCHA',
    description: 'At amortised cost; net of the allowance since 2019.',
  }),
  money('securities_afs', {
    label: 'Available-for-sale securities',
    formula: consolidated('1773'),
    source: 'RC 2.b; FDIC SCAF',
    description: 'At fair value; equity securities among them until ASU 2016-01 was adopted.',
  }),
  money('equity_securities', {
    label: 'Equity securities with readily determinable fair values',
    formula: consolidated('JA22'),
    source: 'RC 2.c',
    description: 'Reported since 2018.',
  }),
  money('unrealized_gains_afs', {
    label: 'Unrealised gains on available-for-sale securities',
    direction: 'higher',
    formula: `${consolidated('1773')} - ${consolidated('1772')}`,
    source: 'RC-B 8 D - C',
    description: 'Fair value less amortised cost; negative for a loss.',
  }),
  money('unrealized_gains_htm', {
    label: 'Unrealised gains on held-to-maturity securities',
    direction: 'higher',
    formula: `${consolidated('1771')} - ${consolidated('1754')}`,
    source: 'RC-B 8 B - A',
    description: 'Fair value less amortised cost; negative for a loss. Not in equity.',
  }),
  money('pledged_securities', {
    label: 'Pledged securities',
    formula: consolidated('0416'),
    source: 'RC-B memoranda 1; FDIC SCPLEDGE',
  }),
  money('treasury_securities', {
    label: 'US Treasury securities',
    formula: sum(consolidated('0211'), consolidated('1287')),
    source: 'RC-B 1; FDIC SCUST',
  }),
  money('agency_securities', {
    label: 'US government agency obligations other than mortgage-backed',
    formula: sum(...['HT50', 'HT53', '1289', '1293', '1294', '1298'].map(consolidated)),
    source: 'RC-B 2; FDIC SCAGE',
    description: 'One line since 2018; agencies and sponsored agencies apart before.',
  }),
  money('municipal_securities', {
    label: 'Securities of states and political subdivisions',
    formula: sum(consolidated('8496'), consolidated('8499')),
    source: 'RC-B 3; FDIC SCMUNI',
  }),
  money('mortgage_backed_securities', {
    label: 'Mortgage-backed securities',
    formula: sum(
      ...[
        ...['G300', 'G303', 'G304', 'G307', 'G308', 'G311', 'HT54', 'HT57'],
        ...['G312', 'G315', 'G316', 'G319', 'G320', 'G323'],
        ...['K142', 'K145', 'K146', 'K149', 'K150', 'K153', 'K154', 'K157'],
      ].map(consolidated),
    ),
    source: 'RC-B 4; FDIC SCMTGBK',
    description: 'Held to maturity at amortised cost, available for sale at fair value.',
  }),
  percent('securities_ratio', {
    label: 'Securities to total assets',
    formula: percentOf('securities', 'total_assets'),
    source: 'FDIC SC to ASSET',
  }),
  percent('securities_htm_share', {
    label: 'Held-to-maturity share of securities',
    formula: percentOf('securities_htm', 'securities'),
    source: 'RC 2.a to RC 2',
  }),
  percent('treasury_securities_share', {
    label: 'US Treasury share of securities',
    formula: percentOf('treasury_securities', 'securities'),
    source: 'RC-B 1 to RC 2',
  }),
  percent('municipal_securities_share', {
    label: 'Municipal share of securities',
    formula: percentOf('municipal_securities', 'securities'),
    source: 'RC-B 3 to RC 2',
  }),
  percent('mortgage_backed_securities_share', {
    label: 'Mortgage-backed share of securities',
    formula: percentOf('mortgage_backed_securities', 'securities'),
    source: 'RC-B 4 to RC 2',
  }),
  percent('pledged_securities_ratio', {
    label: 'Pledged share of securities',
    formula: percentOf('pledged_securities', 'securities'),
    source: 'RC-B memoranda 1 to RC 2',
  }),
  percent('unrealized_gains_afs_ratio', {
    label: 'Unrealised gains on available-for-sale securities to tier 1 capital',
    direction: 'higher',
    formula: percentOf('unrealized_gains_afs', 'tier1_capital'),
    source: 'RC-B 8 D - C to RC-R I 26',
  }),
  percent('unrealized_gains_htm_ratio', {
    label: 'Unrealised gains on held-to-maturity securities to tier 1 capital',
    direction: 'higher',
    formula: percentOf('unrealized_gains_htm', 'tier1_capital'),
    source: 'RC-B 8 B - A to RC-R I 26',
  }),
  percent('unrealized_gains_ratio', {
    label: 'Unrealised gains on securities to tier 1 capital',
    direction: 'higher',
    formula: `PCTOF(${sum(metric('unrealized_gains_afs'), metric('unrealized_gains_htm'))}, ${metric('tier1_capital')})`,
    source: 'RC-B 8 to RC-R I 26',
  }),
  ...securitiesBook,
]
