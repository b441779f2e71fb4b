// The peer groups of the UBPR at each of their limits, worked by hand from what is published (docs/formulas.md).
import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  facts,
  peerGroupConditions,
  peerGroupSql,
  peerGroups,
  sources,
} from '../../sql/universes/bank/ubpr/peer-groups.ts'
import { world } from './world.ts'

interface Bank {
  charter?: string
  specialization?: number
  opened?: string
  offices?: number
  cbsa?: string
  metropolitan?: boolean
}

const w = await world(t)
const sqlOf = (value: unknown, type: string) =>
  `CAST(${value === undefined ? 'NULL' : typeof value === 'string' ? `'${value}'` : String(value)} AS Nullable(${type}))`

/** Groups of banks in a report, by the SQL that derive uses; thousands of dollars. */
async function groupsOf(quarter: string, banks: [assets: number | undefined, bank?: Bank][]) {
  const known: Bank = { charter: 'NM', specialization: 4, opened: '1900-01-01', offices: 3 }
  const selects = banks.map(([assets, bank = known], at) => {
    const { charter, specialization, opened, offices, cbsa, metropolitan } = bank
    return `SELECT ${at} AS at, ${sqlOf(assets, 'Float64')} AS assets, ${sqlOf(charter, 'String')} AS charter,
      ${sqlOf(specialization, 'UInt8')} AS specialization, ${sqlOf(opened, 'String')} AS established_date,
      ${sqlOf(offices, 'UInt32')} AS offices, ${sqlOf(cbsa, 'String')} AS cbsa_code, ${sqlOf(metropolitan, 'Bool')} AS metropolitan`
  })
  const rows = await w.rows<{ peer_group: string }>(
    `SELECT ${peerGroupSql} AS peer_group
     FROM (SELECT i.at AS at, ${facts(`'${quarter}'::Date`, 'i.assets')} FROM (${selects.join(' UNION ALL ')}) AS i) ORDER BY at`,
  )
  return rows.map(({ peer_group }) => peer_group)
}

t.test(
  'commercial banks now: eight groups by size (FFIEC’s table of February 2026, list of cdr.ffiec.gov)',
  async (t) => {
    const limits: [assets: number, group: string][] = [
      // "greater than $100 billion", "between $10 billion and $100 billion"
      [100_000_001, '1'],
      [100_000_000, '2'],
      [10_000_000, '2'],
      [9_999_999, '3'],
      [3_000_000, '3'],
      [2_999_999, '4'],
      [1_000_000, '4'],
      [999_999, '5'],
      [300_000, '5'],
      [299_999, '6'],
      [100_000, '6'],
      [99_999, '7'],
      // "less than $50 million"
      [50_000, '7'],
      [49_999, '8'],
      [0, '8'],
    ]
    const wanted = limits.map(([, group]) => group)
    t.strictSame(
      await groupsOf(
        '2025-12-31',
        limits.map(([assets]) => [assets]),
      ),
      wanted,
    )
    const anywhere = { charter: 'N', offices: 1, metropolitan: true }
    t.strictSame(
      await groupsOf(
        '2026-03-31',
        limits.map(([assets]) => [assets, anywhere]),
      ),
      wanted,
      'whatever the offices and the place',
    )
  },
)

t.test('before: the smaller ones by offices and location (notices of 2004 and 2007)', async (t) => {
  const at = (offices: number, metropolitan: boolean): Bank => ({ charter: 'NM', offices, metropolitan })
  t.strictSame(
    await groupsOf('2025-09-30', [
      [300_000, at(1, true)],
      [299_999, at(3, true)],
      [299_999, at(3, false)],
      [100_000, at(2, true)],
      [100_000, at(2, false)],
      [99_999, at(3, true)],
      [99_999, at(3, false)],
      [50_000, at(2, true)],
      [50_000, at(2, false)],
      [49_999, at(2, true)],
      [49_999, at(2, false)],
      [49_999, at(1, true)],
      [49_999, at(1, false)],
    ]),
    [
      '5',
      ...['6-many-metro', '6-many-rural', '6-few-metro', '6-few-rural'],
      ...['7-many-metro', '7-many-rural', '7-few-metro', '7-few-rural'],
      ...['8-many-metro', '8-many-rural', '8-few-metro', '8-few-rural'],
    ],
  )
  // "located within a county assigned an MSA code": the notice of 2007 tells micropolitan areas from those.
  const place = (rest: Bank): Bank => ({ charter: 'NM', offices: 1, ...rest })
  t.strictSame(
    await groupsOf('2018-12-31', [
      [49_999, place({ cbsa: '10001', metropolitan: false })],
      [49_999, place({ cbsa: '10001' })],
      [49_999, place({})],
      [49_999, {}],
      [49_999, { charter: 'NM', metropolitan: true }],
    ]),
    ['8-few-rural', '8-few-metro', '8-few-rural', '8', '8'],
    'a CBSA counts where nothing tells metropolitan; without offices it is size alone',
  )
})

t.test(
  'the largest are divided in the report of March 2018, where $300 million to $1 billion is group 5',
  async (t) => {
    const assets = [100_000_001, 100_000_000, 9_999_999, 3_000_000, 2_999_999, 999_999].map(
      (one): [number] => [one],
    )
    t.strictSame(await groupsOf('2018-03-31', assets), ['1', '2', '3', '3', '4', '5'])
    t.strictSame(
      await groupsOf('2017-12-31', assets),
      ['1-to-3', '1-to-3', '1-to-3', '1-to-3', '4', '5'],
      'three above the twelve that count branches, fifteen in all: notice of May 2004',
    )
    const commercial = (quarter: string) =>
      peerGroups.filter(
        ({ kind, since = '', until = '9' }) => kind === 'commercial' && since <= quarter && quarter < until,
      ).length
    t.equal(commercial('2004-03-31'), 15, 'notice of May 2004')
    t.equal(commercial('2025-09-30'), 17, 'five and the twelve that the table of February 2026 replaces')
    t.equal(commercial('2025-12-31'), 8)
  },
)

t.test('line of business goes before size (notice of 2003, list of cdr.ffiec.gov)', async (t) => {
  const savings = (charter: string): Bank => ({
    charter,
    specialization: 3,
    opened: '2025-01-01',
    offices: 1,
  })
  t.strictSame(
    await groupsOf('2025-12-31', [
      [1_000_001, savings('SB')],
      [1_000_000, savings('SA')],
      [300_000, savings('SI')],
      [299_999, savings('SL')],
      [100_000, savings('SB')],
      [99_999, savings('SB')],
    ]),
    ['101', '102', '102', '103', '103', '104'],
  )
  const cards: Bank = { charter: 'N', specialization: 3, opened: '2025-01-01', offices: 1 }
  t.strictSame(
    await groupsOf('2025-12-31', [
      [3_000_001, cards],
      [3_000_000, cards],
      [1_000_000, cards],
      [999_999, cards],
    ]),
    ['201', '202', '202', '203'],
  )
})

t.test('new commercial banks by year of opening, "having assets less than $750 million"', async (t) => {
  const opened = (date: string): Bank => ({ charter: 'NM', specialization: 4, opened: date, offices: 3 })
  const classes = (year: number) =>
    [0, 1, 2, 3, 4, 5].map((back): [number, Bank] => [749_999, opened(`${year - back}-06-30`)])
  t.strictSame(
    await groupsOf('2026-03-31', [...classes(2026), [750_000, opened('2026-01-01')]]),
    ['2026', '2025', '2024', '2023', '2022', '5', '5'],
    'the classes of the list in 2026',
  )
  t.strictSame(
    await groupsOf('2009-12-31', classes(2009)),
    ['2009', '2008', '2007', '2006', '2005', '5'],
    'those of fedpartnership.gov',
  )
  t.strictSame(
    await groupsOf('2009-09-30', classes(2009)),
    ['2009', '2008', '2007', '5', '5', '5'],
    'three until then, as of March 2004',
  )
  t.strictSame(
    await groupsOf('2018-12-31', [[400_000, opened('2019-01-01')]]),
    ['5'],
    'not a class of a year to come, as FDIC’s oldest edition may have it',
  )
})

t.test('each bank in each report is in exactly one group', async (t) => {
  const around = [50, 100, 300, 750, 1000, 3000, 10_000, 100_000].flatMap((millions) =>
    [-1, 0, 1].map((step) => millions * 1000 + step),
  )
  const grid = `
    SELECT q::Date AS q, a::Nullable(Float64) AS assets, charter, specialization, established_date, offices, metropolitan, cbsa_code
    FROM (
      SELECT
        arrayJoin([0, ${around}]) AS a,
        arrayJoin(['2001-03-31', '2003-12-31', '2009-09-30', '2009-12-31', '2017-12-31', '2018-03-31', '2025-09-30', '2025-12-31']) AS q,
        arrayJoin([NULL, 'NM', 'SB', 'OI']) AS charter,
        arrayJoin([NULL, 3, 9]) AS specialization,
        arrayJoin([NULL, '1863-01-01', '2008-01-01', '2014-07-01', '2024-01-01', 'x']) AS established_date,
        arrayJoin([NULL, 0, 1, 2, 3]) AS offices,
        arrayJoin([NULL, true, false]) AS metropolitan,
        arrayJoin([NULL, '10001']) AS cbsa_code
    )`
  const conditions = peerGroupConditions().map(({ condition }) => `toUInt8(${condition})`)
  const [found] = await w.rows<{ banks: number; other: number; none: number; used: string[] }>(
    `SELECT toUInt32(count()) AS banks, toUInt32(countIf(held != 1)) AS other, toUInt32(countIf(peer_group = '')) AS none,
       arraySort(groupUniqArray(if(match(peer_group, '^\\\\d{4}$'), 'class', peer_group))) AS used
     FROM (SELECT ${conditions.join(' + ')} AS held, ${peerGroupSql} AS peer_group
       FROM (SELECT ${facts('i.q', 'i.assets')} FROM (${grid}) AS i))`,
  )
  t.equal(found!.banks, 25 * 8 * 4 * 3 * 6 * 5 * 3 * 2)
  t.equal(found!.other, 0)
  t.equal(found!.none, 0)
  t.strictSame(found!.used, [...peerGroups.map(({ key }) => key), 'class'].sort(), 'and each group has some')
  t.strictSame(await groupsOf('2018-12-31', [[undefined]]), [''], 'none without assets')
})

t.test('documented: every group, and where each definition is from', (t) => {
  const text = readFileSync(new URL('../../docs/formulas.md', import.meta.url), 'utf8')
  for (const { key } of peerGroups) t.ok(text.includes(`\`${key}\``), key)
  for (const source of Object.values(sources)) {
    const address = /[a-z.]+\.(?:gov|info)\/\S+/.exec(source)?.[0]
    t.ok(text.includes(address ?? 'OpenBB'), source)
  }
  t.ok(peerGroups.every(({ sources }) => sources.length > 0))
  t.strictSame(
    peerGroups.flatMap(({ key, unverified }) => (unverified ? [key] : [])),
    peerGroups.map(({ key }) => key).filter((key) => /[a-z]/.test(key)),
    'what has no number of FFIEC’s is what the text says is not verified',
  )
  t.end()
})
