import { area, type Metric } from './metric.ts'
import { consolidated, metric, orZero, percentOf, sum } from './terms.ts'

const { money, percent } = area('securities')

/** Columns of Schedule RC-B. */
export const holdings = [
  ['htm_cost', 'held to maturity, amortised cost', 'A'],
  ['htm_fair', 'held to maturity, fair value', 'B'],
  ['afs_cost', 'available for sale, amortised cost', 'C'],
  ['afs_fair', 'available for sale, fair value', 'D'],
] as const

type Holding = (typeof holdings)[number][0]
/** Items of the four columns; an empty one where the form has none. */
type Line = readonly [string, string, string, string]

interface Sector {
  readonly key: string
  readonly label: string
  readonly line: string
  readonly lines: readonly Line[]
}

/** Sectors of Schedule RC-B that add up to its totals. Form 051 has fewer lines. */
export const sectors: readonly Sector[] = [
  { key: 'treasury', label: 'US Treasury', line: '1', lines: [['0211', '0213', '1286', '1287']] },
  {
    key: 'agency',
    label: 'US government agencies, other than mortgage-backed',
    line: '2',
    lines: [
      ['HT50', 'HT51', 'HT52', 'HT53'],
      // Agencies and sponsored agencies apart, before 2018.
      ['1289', '1290', '1291', '1293'],
      ['1294', '1295', '1297', '1298'],
    ],
  },
  {
    key: 'municipal',
    label: 'States and political subdivisions',
    line: '3',
    lines: [['8496', '8497', '8498', '8499']],
  },
  {
    key: 'agency_residential_mbs',
    label: 'Residential mortgage-backed of agencies',
    line: '4.a.1 + 4.a.2 + 4.b.1',
    lines: [
      ['G300', 'G301', 'G302', 'G303'],
      ['G304', 'G305', 'G306', 'G307'],
      ['HT54', 'HT55', 'HT56', 'HT57'],
      ['G312', 'G313', 'G314', 'G315'],
    ],
  },
  {
    key: 'other_residential_mbs',
    label: 'Residential mortgage-backed of others',
    line: '4.a.3 + 4.b.2 + 4.b.3',
    lines: [
      ['G308', 'G309', 'G310', 'G311'],
      ['G316', 'G317', 'G318', 'G319'],
      ['G320', 'G321', 'G322', 'G323'],
    ],
  },
  {
    key: 'commercial_mbs',
    label: 'Commercial mortgage-backed',
    line: '4.c',
    lines: [
      ['K142', 'K143', 'K144', 'K145'],
      ['K146', 'K147', 'K148', 'K149'],
      ['K150', 'K151', 'K152', 'K153'],
      ['K154', 'K155', 'K156', 'K157'],
    ],
  },
  {
    key: 'asset_backed',
    label: 'Asset-backed and structured products',
    line: '5',
    lines: [
      ['C026', 'C988', 'C989', 'C027'],
      ['G336', 'G337', 'G338', 'G339'],
      ['G340', 'G341', 'G342', 'G343'],
      ['G344', 'G345', 'G346', 'G347'],
      ['HT58', 'HT59', 'HT60', 'HT61'],
    ],
  },
  {
    key: 'other_securities',
    label: 'Other securities, domestic and foreign',
    line: '6 (to 2018 with 7, equity)',
    lines: [
      ['1737', '1738', '1739', '1741'],
      ['1742', '1743', '1744', '1746'],
      // Equity securities and mutual funds, until they left the schedule.
      ['', '', 'A510', 'A511'],
    ],
  },
]

/** The metric of a sector's holding. */
export const sectorMetric = (sector: Sector, holding: Holding): string => `${sector.key}_${holding}`

const codesOf = ({ lines }: Sector, holding: Holding): string[] =>
  lines.map((line) => line[holdings.findIndex(([key]) => key === holding)]!).filter(Boolean)

/** Buckets of Schedule RC-B memoranda 2, which add up to debt securities that are not nonaccrual. */
export const maturities = [
  ['securities_due_3m', 'Debt securities due or repricing within 3 months', ['A549', 'A555'], 'a.1 + b.1'],
  ['securities_due_12m', 'Debt securities due or repricing in 3 to 12 months', ['A550', 'A556'], 'a.2 + b.2'],
  ['securities_due_3y', 'Debt securities due or repricing in 1 to 3 years', ['A551', 'A557'], 'a.3 + b.3'],
  ['securities_due_5y', 'Debt securities due or repricing in 3 to 5 years', ['A552', 'A558'], 'a.4 + b.4'],
  ['securities_due_15y', 'Debt securities due or repricing in 5 to 15 years', ['A553', 'A559'], 'a.5 + b.5'],
  [
    'securities_due_over_15y',
    'Debt securities due or repricing in more than 15 years',
    ['A554', 'A560'],
    'a.6 + b.6',
  ],
  ['mortgage_securities_life_3y', 'Other mortgage-backed, average life to 3 years', ['A561'], 'c.1'],
  ['mortgage_securities_life_over_3y', 'Other mortgage-backed, average life over 3 years', ['A562'], 'c.2'],
] as const

/** Schedule RC-B by sector and by time left, beside what the securities area has. */
export const securitiesBook: readonly Metric[] = [
  money('securities_htm_cost', {
    label: 'Held-to-maturity securities, amortised cost',
    formula: consolidated('1754'),
    source: 'RC-B 8 A; FDIC SCHA before the allowance',
  }),
  money('securities_htm_fair', {
    label: 'Held-to-maturity securities, fair value',
    formula: consolidated('1771'),
    source: 'RC-B 8 B; FDIC SCHF',
  }),
  money('securities_afs_cost', {
    label: 'Available-for-sale securities, amortised cost',
    formula: consolidated('1772'),
    source: 'RC-B 8 C; FDIC SCAA',
  }),
  ...sectors.flatMap((sector) =>
    holdings.map(([holding, what, column]) =>
      money(sectorMetric(sector, holding), {
        label: `${sector.label}: ${what}`,
        formula: sum(...codesOf(sector, holding).map(consolidated)),
        source: `RC-B ${sector.line} ${column}`,
      }),
    ),
  ),
  ...maturities.map(([key, label, codes, line]) =>
    money(key, {
      label,
      formula: sum(...codes.map(consolidated)),
      source: `RC-B memoranda 2: ${line}`,
      description: 'Held to maturity at amortised cost, available for sale at fair value.',
    }),
  ),
  money('long_securities', {
    label: 'Debt securities of more than five years',
    direction: 'lower',
    formula: sum(
      metric('securities_due_15y'),
      metric('securities_due_over_15y'),
      metric('mortgage_securities_life_over_3y'),
    ),
    source: 'RC-B memoranda 2.a.5 + 2.a.6 + 2.b.5 + 2.b.6 + 2.c.2',
    description:
      'Due or repricing in more than five years, or mortgage-backed of an average life of more than three.',
  }),
  percent('long_securities_ratio', {
    label: 'Debt securities of more than five years to total assets',
    direction: 'lower',
    formula: percentOf('long_securities', 'total_assets'),
    source: 'RC-B memoranda 2 to RC 12',
  }),
  money('tier1_capital_after_securities_losses', {
    label: 'Tier 1 capital after all unrealised losses on securities',
    direction: 'higher',
    formula: `${metric('tier1_capital')} + MIN(0, ${orZero(sum(metric('unrealized_gains_afs'), metric('unrealized_gains_htm')))})`,
    source: 'RC-R I 26 + RC-B 8 (B - A) + (D - C)',
    description:
      'Before taxes, and as if none of the losses were in tier 1 capital already, which is so of banks that opted out of counting accumulated other comprehensive income.',
  }),
  percent('leverage_ratio_after_securities_losses', {
    label: 'Tier 1 leverage ratio after all unrealised losses on securities',
    direction: 'higher',
    formula: `PCTOF(${metric('tier1_capital_after_securities_losses')}, ${metric('leverage_assets')} + ${metric('tier1_capital_after_securities_losses')} - ${metric('tier1_capital')})`,
    source: 'RC-R I 26 and 30, RC-B 8',
    description: 'The losses are taken from capital and from assets alike.',
  }),
]
