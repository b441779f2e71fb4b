/**
 * Peer groups of the UBPR by their published definition (User's Guide, technical information; FFIEC's notices of
 * November 2003, May 2004 and February 2026). Amounts in thousands of US dollars.
 */

export interface PeerGroup {
  key: string
  label: string
}

interface Size extends PeerGroup {
  /** At least so many assets. */
  least: number
}

/** Commercial banks by size alone, largest first: all groups since the notice of February 2026. */
const sizes: readonly Size[] = [
  { key: '1', label: 'Commercial banks with assets over $100 billion', least: 100_000_000 },
  { key: '2', label: 'Commercial banks with assets of $10 billion to $100 billion', least: 10_000_000 },
  { key: '3', label: 'Commercial banks with assets of $3 billion to $10 billion', least: 3_000_000 },
  { key: '4', label: 'Commercial banks with assets of $1 billion to $3 billion', least: 1_000_000 },
  { key: '5', label: 'Commercial banks with assets of $300 million to $1 billion', least: 300_000 },
  { key: '6', label: 'Commercial banks with assets of $100 million to $300 million', least: 100_000 },
  { key: '7', label: 'Commercial banks with assets of $50 million to $100 million', least: 50_000 },
  { key: '8', label: 'Commercial banks with assets under $50 million', least: 0 },
]

/** Below $300 million there were four groups of each size until then: by offices (so many or more) and location. */
const officesOf: Readonly<Record<string, number>> = { '6': 3, '7': 3, '8': 2 }
/** First report under the newer groups: what was published on or after 26 February 2026. */
const bySizeAlone = '2025-12-31'

const locations = [
  { key: 'metro', label: 'in a metropolitan area' },
  { key: 'rural', label: 'outside metropolitan areas' },
] as const

const smallGroups: readonly PeerGroup[] = sizes
  .filter(({ key }) => officesOf[key])
  .flatMap(({ key, label }) => {
    const offices = officesOf[key]!
    const many = `${offices} or more offices`
    const few = offices === 2 ? '1 office' : `${offices - 1} or fewer offices`
    return [
      ['many', many],
      ['few', few],
    ].flatMap(([short, words]) =>
      locations.map((location) => ({
        key: `${key}-${short}-${location.key}`,
        label: `${label}, ${words}, ${location.label}`,
      })),
    )
  })

/** FDIC-insured savings institutions, by size. */
const savings: readonly Size[] = [
  { key: '101', label: 'Savings institutions with assets over $1 billion', least: 1_000_000 },
  { key: '102', label: 'Savings institutions with assets of $300 million to $1 billion', least: 300_000 },
  { key: '103', label: 'Savings institutions with assets of $100 million to $300 million', least: 100_000 },
  { key: '104', label: 'Savings institutions with assets under $100 million', least: 0 },
]

/** Credit card specialists, by size. */
const creditCard: readonly Size[] = [
  { key: '201', label: 'Credit card specialty banks with assets over $3 billion', least: 3_000_000 },
  {
    key: '202',
    label: 'Credit card specialty banks with assets of $1 billion to $3 billion',
    least: 1_000_000,
  },
  { key: '203', label: 'Credit card specialty banks with assets under $1 billion', least: 0 },
]

/** Banks opened lately are compared with their class, by the year of opening, while no larger than this. */
const largestDeNovo = 750_000
/** Classes of a year's report: its own year and those before. */
const classes = { before: 3, since: 5 }

/** Every group that has a name of its own; classes are named by their year. */
export const peerGroups: readonly PeerGroup[] = [
  ...sizes.slice(0, 5),
  ...smallGroups,
  ...sizes.slice(5),
  ...savings,
  ...creditCard,
]

/**
 * SQL of a bank's group in a quarter, over its total assets and the columns of `identitiesSql` as `i`. Without FDIC's
 * institutions charter, specialty, opening, offices and location are unknown: every bank is then taken for a commercial
 * bank and grouped by size alone. '' where assets are unknown.
 *
 * @param date SQL of the quarter
 */
export function peerGroupSql(date: string, assets: string): string {
  const opened = "toUInt16OrZero(substring(ifNull(i.established_date, ''), 1, 4))"
  const before = `${date} < '${bySizeAlone}'`
  const size = (groups: readonly Size[], key: (group: Size) => string = (group) => `'${group.key}'`) =>
    `multiIf(${groups
      .slice(0, -1)
      .map((group) => `${assets} >= ${group.least}, ${key(group)}`)
      .join(', ')}, ${key(groups.at(-1)!)})`
  const detailed = ({ key }: Size) => {
    const offices = officesOf[key]
    if (!offices) return `'${key}'`
    const wide = `concat('${key}', if(i.offices >= ${offices}, '-many', '-few'), if(i.cbsa_code IS NULL, '-rural', '-metro'))`
    return `if(${before} AND i.offices IS NOT NULL AND i.charter IS NOT NULL, ${wide}, '${key}')`
  }
  return `toString(multiIf(
    ${assets} IS NULL, '',
    i.charter IN ('SB', 'SA', 'SI', 'SL'), ${size(savings)},
    i.specialization = 3, ${size(creditCard)},
    ${opened} > toYear(${date}) - if(${before}, ${classes.before}, ${classes.since}) AND ${assets} <= ${largestDeNovo}, toString(${opened}),
    ${size(sizes, detailed)}
  ))`
}
