/**
 * The standard peer groups of the UBPR, as far as what is published says them: docs/formulas.md has what is not verified.
 * Amounts are total assets in thousands of US dollars.
 */

/** Where a definition is from. */
export const sources = {
  notice2003: 'FFIEC to all UBPR users, 18 November 2003: ffiec.gov/UBPR_memo_200311.htm',
  notice2004: 'FFIEC to chief executive officers, 27 May 2004: ffiec.gov/ubpr_memo_200405.htm',
  notice2007: 'UBPR coordinator, 5 January 2007: ffiec.gov/UBPR_memo_20070105.htm',
  content:
    'FFIEC, Changes to the UBPR Content, for the move to the CDR in 2010: ffiec.gov/find/ubpr_contentchanges.htm',
  classes: 'De novo peer groups at year-end 2009: fedpartnership.gov/peer-data/2009/4q/2009-4q_de-novo-banks',
  report: 'FFIEC, Peer Group Average Report, March 2018: ffiec.gov/PeerGroupAverageReport.htm',
  notice2026: 'FFIEC, 13 February 2026, by regreport.info/2026/02/13',
  list: 'List of peer groups of cdr.ffiec.gov in 2026, as OpenBB’s federal_reserve provider has it',
} as const

type Source = keyof typeof sources

/** Line of business, which goes before size. */
type Kind = 'commercial' | 'savings' | 'credit card' | 'de novo'

export interface PeerGroup {
  key: string
  label: string
  kind: Kind
  /** More than these assets. */
  over?: number
  /** At least these. */
  least?: number
  /** Less than these; `most`: no more than these. */
  less?: number
  most?: number
  /** Offices: so many or more, or fewer. */
  offices?: { least: number } | { less: number }
  metropolitan?: boolean
  /** First report in force, and the first one that is not. Without them: in all reports. */
  since?: string
  until?: string
  sources: readonly Source[]
  /** What of the definition no source gives: written as the report is commonly described. */
  unverified?: string
}

/**
 * Reports from which changes count: what was published on or after 26 February 2026; and the first report for which a
 * source shows a change whose own date none gives.
 */
const bySizeAlone = '2025-12-31'
const largestDivided = '2018-03-31'
const fiveClasses = '2009-12-31'

const [b100, b10, b3, b1] = [100_000_000, 10_000_000, 3_000_000, 1_000_000]
const [m300, m100, m50] = [300_000, 100_000, 50_000]

const commercial = (
  key: string,
  size: string,
  rest: Omit<PeerGroup, 'key' | 'label' | 'kind'>,
): PeerGroup => ({
  key,
  label: `Commercial banks with assets ${size}`,
  kind: 'commercial',
  ...rest,
})

const divided = { since: largestDivided, sources: ['report', 'notice2026', 'list'] } as const
const undivided = 'that the largest of three groups without offices or location was over $3 billion'
const large: readonly PeerGroup[] = [
  commercial('1', 'over $100 billion', { over: b100, ...divided }),
  commercial('2', 'of $10 billion to $100 billion', { least: b10, most: b100, ...divided }),
  commercial('3', 'of $3 billion to $10 billion', { least: b3, less: b10, ...divided }),
  commercial('1-to-3', 'of $3 billion or more', {
    least: b3,
    until: largestDivided,
    sources: ['notice2004', 'content'],
    unverified: undivided,
  }),
  commercial('4', 'of $1 billion to $3 billion', { least: b1, less: b3, sources: ['notice2026', 'list'] }),
  commercial('5', 'of $300 million to $1 billion', {
    least: m300,
    less: b1,
    sources: ['report', 'notice2026', 'list'],
  }),
]

/** Below $300 million: by size alone now, until then four groups of each size, by offices (these or more) and location. */
const bands = [
  { key: '6', size: 'of $100 million to $300 million', least: m100, less: m300, offices: 3 },
  { key: '7', size: 'of $50 million to $100 million', least: m50, less: m100, offices: 3 },
  { key: '8', size: 'under $50 million', less: m50, offices: 2 },
] as const

const byOfficesAndLocation = bands.flatMap(({ key, size, offices, ...assets }) =>
  (
    [
      ['many', { least: offices }, `${offices} or more offices`],
      ['few', { less: offices }, offices === 2 ? '1 office' : `${offices - 1} or fewer offices`],
    ] as const
  ).flatMap(([short, range, words]) =>
    (
      [
        ['metro', true, 'in a metropolitan area'],
        ['rural', false, 'outside metropolitan areas'],
      ] as const
    ).map(([place, metropolitan, where]) =>
      commercial(`${key}-${short}-${place}`, `${size}, ${words}, ${where}`, {
        ...assets,
        offices: range,
        metropolitan,
        until: bySizeAlone,
        sources: ['notice2004', 'notice2007', 'content', 'notice2026'],
        unverified: 'the number of offices, and which of FFIEC’s numbers the group had',
      }),
    ),
  ),
)

const small = bands.map(({ key, size, offices: _, ...assets }) =>
  commercial(key, size, { ...assets, since: bySizeAlone, sources: ['notice2026', 'list'] }),
)

const special =
  (kind: 'savings' | 'credit card', name: string) => (key: string, size: string, assets: object) => ({
    ...{ key, kind, label: `${name} with assets ${size}`, ...assets },
    sources: ['notice2003', 'list'] as const,
  })
const savings = special('savings', 'Savings institutions')
const creditCard = special('credit card', 'Credit card specialty banks')

/** Every group that has a name of its own; classes of new banks are named by their year. */
export const peerGroups: readonly PeerGroup[] = [
  ...large,
  ...byOfficesAndLocation,
  ...small,
  savings('101', 'over $1 billion', { over: b1 }),
  savings('102', 'of $300 million to $1 billion', { least: m300, most: b1 }),
  savings('103', 'of $100 million to $300 million', { least: m100, less: m300 }),
  savings('104', 'under $100 million', { less: m100 }),
  creditCard('201', 'over $3 billion', { over: b3 }),
  creditCard('202', 'of $1 billion to $3 billion', { least: b1, most: b3 }),
  creditCard('203', 'under $1 billion', { less: b1 }),
]

/** Banks opened in the year of the report or the ones before are compared with their class while smaller than this. */
const deNovo = {
  less: 750_000,
  classes: [
    { years: 3, until: fiveClasses, sources: ['notice2003', 'notice2004'] },
    { years: 5, since: fiveClasses, sources: ['classes', 'list'] },
  ],
} as const

/**
 * What the conditions of the groups look at, named once as columns: over SQL of the report date and of total assets and the
 * columns of `identitiesSql` as `i`. Without FDIC's institutions charter, specialty, opening, offices and location are unknown:
 * every bank is then taken for a commercial bank and grouped by size alone.
 */
export function facts(date: string, assets: string): string {
  const opened = "toUInt16OrZero(substring(ifNull(i.established_date, ''), 1, 4))"
  const [few, more] = deNovo.classes
  const years = `if(${date} < '${fiveClasses}', ${few.years}, ${more.years})`
  return `
    ${date} AS reported,
    ${assets} AS assets,
    i.offices AS offices,
    ${opened} AS opened,
    i.charter IS NOT NULL AND i.offices IS NOT NULL AS known,
    ifNull(i.metropolitan, i.cbsa_code IS NOT NULL) AS metropolitan,
    multiIf(
        i.charter IN ('SB', 'SA', 'SI', 'SL'), 'savings',
        i.specialization = 3, 'credit card',
        toYear(${date}) - ${opened} BETWEEN 0 AND ${years} - 1 AND ${assets} < ${deNovo.less}, 'de novo',
        'commercial') AS kind`
}

/**
 * SQL of each group's key and of the condition that puts a bank into it, over the columns of `facts`: of a bank with assets
 * exactly one holds, which is true or false and never NULL.
 */
export function peerGroupConditions(): { key: string; condition: string }[] {
  const condition = (group: PeerGroup): string => {
    const { offices } = group
    const times = [
      group.since && `reported >= '${group.since}'`,
      group.until && `reported < '${group.until}'`,
    ].filter((one) => one)
    const unless = small.includes(group) ? [`(${times.join(' AND ')} OR NOT known)`] : times
    return [
      `kind = '${group.kind}'`,
      ...unless,
      group.over !== undefined && `assets > ${group.over}`,
      group.least !== undefined && `assets >= ${group.least}`,
      group.less !== undefined && `assets < ${group.less}`,
      group.most !== undefined && `assets <= ${group.most}`,
      offices && 'known',
      offices && ('least' in offices ? `offices >= ${offices.least}` : `offices < ${offices.less}`),
      group.metropolitan !== undefined && `metropolitan = ${group.metropolitan}`,
    ]
      .filter((one) => one)
      .join(' AND ')
  }
  return [
    { key: 'toString(opened)', condition: "kind = 'de novo'" },
    ...peerGroups.map((group) => ({ key: `'${group.key}'`, condition: `ifNull(${condition(group)}, 0)` })),
  ]
}

/** SQL of a bank's group over the columns of `facts`; '' where its assets are unknown. */
export const peerGroupSql = `toString(multiIf(
    assets IS NULL, '',
    ${peerGroupConditions()
      .map(({ key, condition }) => `${condition}, ${key}`)
      .join(',\n    ')},
    ''
  ))`
