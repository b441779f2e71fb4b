// Who holds whom, to any depth, and what became of whom.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ratesApp } from '../rates/rates-app.ts'
import { attributesFile, relationshipsFile, transformationsFile } from './nic-files.ts'

interface Relative {
  rssd_id: number
  depth: number
  percent_direct: number | null
  percent_effective: number | null
  exact: boolean
  controlled: boolean
}
const short = (all: Relative[]) =>
  all.map((one) => [
    one.rssd_id,
    one.depth,
    one.percent_direct,
    one.percent_effective,
    one.exact,
    one.controlled,
  ])

const institution = (ID_RSSD: number, more: Record<string, string | number> = {}) => ({
  ...{ ID_RSSD, NM_LGL: `INSTITUTION ${ID_RSSD}`, CHTR_TYPE_CD: 200, ENTITY_TYPE: 'NAT', ...more },
})
const holds = (
  ID_RSSD_PARENT: number,
  ID_RSSD_OFFSPRING: number,
  percent: number,
  more: Record<string, string | number> = {},
) => ({
  ...{ ID_RSSD_PARENT, ID_RSSD_OFFSPRING, PCT_EQUITY: percent.toFixed(2) },
  ...(percent < 25 && { CTRL_IND: 2 }),
  ...more,
})

async function served(t: Test, relationships: ReturnType<typeof holds>[], ids: number[]) {
  const app = await ratesApp(t)
  await app.loadText(
    'nic-attributes',
    attributesFile(ids.map((id) => institution(id))),
    'CSV_ATTRIBUTES_ACTIVE.CSV',
  )
  await app.loadText('nic-relationships', relationshipsFile(relationships), 'CSV_RELATIONSHIPS.CSV')
  return app
}

t.test('where NIC is not loaded a bank stands alone', async (t) => {
  const { loadText, data } = await ratesApp(t)
  await loadText(
    'fdic-institutions',
    'CERT,FED_RSSD,NAME,CITY,STALP,BKCLASS,REPDTE\n628,852218,JPMorgan Chase Bank,Columbus,OH,N,12/31/2018\n',
    'institutions.csv',
  )
  for (const as_of of ['', '?as_of=2010-01-01'])
    t.match(await data(`/banks/852218/structure/full/${as_of}`), {
      ...{ rssd_id: 852218, parents: [], subsidiaries: [], predecessors: [], successors: [] },
    })
})

t.test('ownership by all paths', async (t) => {
  const { data, loadText, get } = await served(
    t,
    [
      // 1 holds 4 by two ways, and a little itself: 0.8 x 0.5 + 0.6 x 0.3 + 0.1
      holds(1, 2, 80),
      holds(1, 3, 60),
      holds(2, 4, 50),
      holds(3, 4, 30),
      holds(1, 4, 10),
      // below control, and what that holds in turn
      holds(4, 5, 4.9),
      holds(5, 6, 100),
      // a joint venture of two strangers
      holds(2, 7, 50),
      holds(20, 7, 50),
      // by a bracket, and on another basis than votes
      holds(4, 8, 80, { EQUITY_IND: 2, PCT_EQUITY_BRACKET: '80 - <100' }),
      holds(4, 9, 0, { EQUITY_IND: 0, CTRL_IND: 1, OTHER_BASIS_IND: 1 }),
      // 10 and 11 own each other: what 1 has of 10 is 0.5 + 0.5 x 0.2 x 0.4 + …
      holds(1, 10, 50),
      holds(10, 11, 20),
      holds(11, 10, 40),
      // and one owns its own owner
      holds(6, 1, 5),
      // two of a group have 20 % each of 12, which their head controls by both together
      holds(2, 12, 20),
      holds(3, 12, 20),
      holds(1, 12, 0, { RELN_LVL: 2, CTRL_IND: 1, EQUITY_IND: 0 }),
      // what was: until 2010 by 30, since then by 1 in parts
      holds(30, 2, 100, { DT_START: '19950101', DT_END: '20101231' }),
      holds(1, 13, 51, { DT_START: '20200101' }),
    ],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 30],
  )
  const one = await data('/banks/1/structure/full/')
  const ring = 100 * (0.5 / (1 - 0.2 * 0.4))
  const round = (share: number) => Math.round(share * 1e4) / 1e4
  t.strictSame(short(one.subsidiaries), [
    [2, 1, 80, 80, true, true],
    [3, 1, 60, 60, true, true],
    [4, 1, 10, 68, true, true],
    [10, 1, 50, round(ring), true, true],
    [13, 1, 51, 51, true, true],
    [5, 2, null, round(68 * 0.049), true, false],
    [7, 2, null, 40, true, true],
    [8, 2, null, round(68 * 0.8), false, true],
    [9, 2, null, null, false, true],
    [11, 2, null, round(ring * 0.2), true, false],
    [12, 2, null, 28, true, true],
    [6, 3, null, round(68 * 0.049), true, false],
  ])
  t.strictSame(
    short(one.parents).map(([id, depth]) => [id, depth]),
    [
      [6, 1],
      [5, 2],
      [4, 3],
      [2, 4],
      [3, 4],
    ],
    'a cycle leads up as well, and ends where it began',
  )
  t.equal(one.relationships.length, 17, 'each direct relationship among them once')
  t.match(
    one.relationships.find((edge: { offspring_rssd_id: number }) => edge.offspring_rssd_id === 8),
    { parent_rssd_id: 4, percent_equity: 80, percent_bracket: '80 - <100', controlled: true },
  )

  const venture = await data('/banks/7/structure/full/')
  t.strictSame(
    short(venture.parents),
    [
      [2, 1, 50, 50, true, true],
      [20, 1, 50, 50, true, true],
      [1, 2, null, 40, true, true],
      [6, 3, null, 2, true, false],
      [5, 4, null, 2, true, false],
      [4, 5, null, 0.098, true, false],
      [3, 6, null, 0.0294, true, false],
    ],
    'both strangers, and the ring: what each holds begins with it and does not return to it',
  )

  const past = await data('/banks/2/structure/full/?as_of=2005-06-30')
  t.match(short(past.parents)[0], [1, 1, 80, 80])
  t.ok(
    short(past.parents).some(([id]) => id === 30),
    'who held it then',
  )
  t.notOk(
    short((await data('/banks/2/structure/full/')).parents).some(([id]) => id === 30),
    'and no more',
  )
  t.notOk(
    short((await data('/banks/1/structure/full/?as_of=2019-12-31')).subsidiaries).some(([id]) => id === 13),
  )
  const { meta } = (await get('/banks/2/structure/full/?as_of=2005Q2')).json()
  t.equal(meta.as_of, '2005-06-30')
  t.strictSame((await data('/banks/1/structure/full/?as_of=1950')).subsidiaries, [])
  t.equal((await get('/banks/99/structure/full/')).status, 404)

  await loadText(
    'nic-attributes',
    attributesFile([institution(2, { NM_LGL: 'RENAMED', DT_START: '20150101' })]),
    'CSV_ATTRIBUTES_ACTIVE.CSV',
  )
  const nameOf = async (query: string) =>
    (await data(`/banks/1/structure/full/${query}`)).subsidiaries[0].legal_name
  t.equal(await nameOf(''), 'RENAMED')
  t.equal(await nameOf('?as_of=2014-12-31'), 'INSTITUTION 2', 'under the name of that day')

  const chain = await data('/banks/8/structure/')
  t.strictSame(
    chain.holding_companies.map(({ rssd_id }: Relative) => rssd_id),
    [4, 2, 1],
  )
  t.match(chain, { holding_company_rssd_id: 1, active: true, charter: 'N', became_rssd_id: null })
})

t.test(
  'a share that a parent holds in a subsidiary of its subsidiary is among the relationships of both',
  async (t) => {
    const { data } = await served(t, [holds(2, 3, 100), holds(3, 4, 60), holds(2, 4, 40)], [2, 3, 4])
    const edges = [
      [2, 3],
      [2, 4],
      [3, 4],
    ]
    for (const bank of [2, 3]) {
      const one = await data(`/banks/${bank}/structure/full/`)
      t.strictSame(
        one.relationships.map((edge: Record<string, number>) => [
          edge.parent_rssd_id,
          edge.offspring_rssd_id,
        ]),
        edges,
        `bank ${bank}`,
      )
    }
  },
)

t.test('transformations as a tree', async (t) => {
  const { data, loadText } = await ratesApp(t)
  const became = (from: number, into: number, DT_TRANS: string, TRNSFM_CD = 1) => ({
    ...{ ID_RSSD_PREDECESSOR: from, ID_RSSD_SUCCESSOR: into, DT_TRANS, TRNSFM_CD },
  })
  await loadText(
    'nic-transformations',
    transformationsFile([
      became(2, 1, '20000101'),
      became(3, 2, '19950101'),
      // it came to 2 after 2 had merged into 1: none of those whom 1 took over
      became(4, 2, '20050101'),
      became(5, 1, '20100101', 50),
      became(6, 3, '19900101'),
      became(6, 5, '19900101', 5),
      became(1, 7, '20200101'),
      became(7, 8, '20210101', 9),
      // two that each took over part of the other
      became(8, 9, '20220101', 7),
      became(9, 8, '20220101', 7),
    ]),
    'CSV_TRANSFORMATIONS.CSV',
  )
  type Row = { depth: number; rssd_id: number; into_rssd_id: number; date: string; type: string }
  const tree = (rows: Row[]) =>
    rows.map(({ depth, rssd_id, into_rssd_id, type }) => [depth, rssd_id, into_rssd_id, type])
  const one = await data('/banks/1/structure/full/')
  t.strictSame(tree(one.predecessors), [
    [1, 5, 1, 'failure'],
    [2, 6, 5, 'split'],
    [1, 2, 1, 'merger'],
    [2, 3, 2, 'merger'],
    [3, 6, 3, 'merger'],
  ])
  t.strictSame(tree(one.successors), [
    [1, 1, 7, 'merger'],
    [2, 7, 8, 'reorganization'],
    [3, 8, 9, 'asset_sale'],
    [4, 9, 8, 'asset_sale'],
  ])
  t.strictSame(
    tree((await data('/banks/1/structure/full/?as_of=2005')).predecessors),
    tree(one.predecessors).slice(2),
  )
  t.strictSame((await data('/banks/1/structure/full/?as_of=2005')).successors, [])
  t.match(await data('/banks/3/structure/'), {
    active: false,
    became_rssd_id: 2,
    became_date: '1995-01-01',
    became_type: 'merger',
  })
})

const real = join(import.meta.dirname, '../../../shared/data')
t.test(
  'what became JPMorgan Chase Bank',
  { skip: !existsSync(real) && 'the real files are not here' },
  async (t) => {
    const { load, data, sql } = await ratesApp(t)
    await load('nic-transformations', [join(real, 'nic/2024-2025/CSV_TRANSFORMATIONS.CSV')])
    const { predecessors, successors } = await data('/banks/852218/structure/full/')
    t.strictSame(successors, [])
    const has = (rssd_id: number, into_rssd_id: number, date: string, type: string) =>
      t.ok(
        predecessors.some(
          (row: Record<string, unknown>) =>
            row.rssd_id === rssd_id &&
            row.into_rssd_id === into_rssd_id &&
            row.date === date &&
            row.type === type,
        ),
        `${rssd_id} into ${into_rssd_id}`,
      )
    has(4114567, 852218, '2023-05-01', 'failure')
    has(1222108, 852218, '2008-09-26', 'failure')
    // an independent walk over the same rows: step by step back in time
    type Edge = { id: number; into: number; date: string; kind: number }
    const edges = await sql<Edge>(
      'SELECT predecessor_rssd_id AS id, successor_rssd_id AS into, toString(date) AS date, kind FROM transformations',
    )
    const reached = new Set<Edge>()
    let latest = new Map([[852218, '9999']])
    for (;;) {
      const found = edges.filter((edge) => !reached.has(edge) && edge.date <= (latest.get(edge.into) ?? ''))
      if (found.length === 0) break
      for (const edge of found) reached.add(edge)
      latest = new Map(latest)
      for (const { id, date } of found) if (date > (latest.get(id) ?? '')) latest.set(id, date)
    }
    t.equal(predecessors.length, reached.size)
    t.ok(predecessors.length > 500, `${predecessors.length} transformations`)
  },
)
