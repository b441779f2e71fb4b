import t, { type Test } from 'tap'
import { type World, world } from './world.ts'

/** Rows of a guide: concepts on one page, in this order; without a formula they are referred to alone. */
const guide = (edition_date: string, formulas: Record<string, string>) =>
  Object.entries(formulas).map(([code, formula], index) => ({
    ...{ edition_date, edition: edition_date, part: 'dictionary', line: index + 1, page: 'Summary Ratios' },
    ...{ page_number: '1', referenced: false, item_number: `${index + 1}.1`, title: code, code, formula },
    ...{ description: '', narrative: '' },
  }))

const assets = { UBPR2170: 'IF(uc:UBPRC752[P0] = 31,cc:RCFD2170[P0],cc:RCON2170[P0])' }
const formulas = {
  ...assets,
  UBPRZ001: 'PCTOFANN(cc:RIAD4340[P0], uc:UBPR2170[P0])',
  UBPRZ002: 'CHANGEQI(#uc:UBPR2170,1)',
  UBPRZ003: 'cc:RCOA7204[P0] * 100',
  UBPRZ004: 'uc:UBPRZ999[P0] + 1',
  UBPRZ005: 'uc:UBPRZ006[P0]',
  UBPRZ006: 'uc:UBPRZ005[P0]',
  UBPRZ007: '(cc:RIAD4340[P0] cc:RIAD4301[P0])',
  UBPRZ008: 'IF(cc:RCON2170[P0] > 0, 1',
}

/** Values and ranks of one bank by code. */
async function report(w: World, rssd: number, quarter: string) {
  const rows = await w.rows<{
    code: string
    value: number | null
    rank: number | null
    average: number | null
  }>(
    `SELECT c.code AS code, r.values[c.position] AS value, r.ranks[c.position] AS rank, p.averages[c.position] AS average
     FROM ubpr_rows AS r CROSS JOIN (SELECT * FROM ubpr_concepts WHERE position > 0) AS c
     LEFT JOIN ubpr_peers AS p ON p.report_date = r.report_date AND p.peer_group = r.peer_group
     WHERE r.rssd_id = ${rssd} AND r.report_date = '${quarter}'`,
  )
  return new Map(rows.map((row) => [row.code, row]))
}

async function thirtyBanks(t: Test): Promise<World> {
  const w = await world(t)
  for (let id = 1; id <= 30; id++) {
    await w.file(id, '2018-09-30', { RCON2170: 800, RIAD4340: 0, RIAD4301: 1 })
    // 1 % to 29 % of assets, and one outlier
    await w.file(id, '2018-12-31', {
      RCON2170: 1000,
      RIAD4340: id === 30 ? 90_000 : 10 * id,
      RCOA7204: 8.5,
      RIAD4301: 1,
    })
  }
  return w
}

t.test('concepts by hand: values, trimmed averages, ranks, and what is refused', async (t) => {
  const w = await thirtyBanks(t)
  await w.insert('ubpr_guide', guide('2019-01-01', formulas))
  await w.derive('all')

  const first = await report(w, 1, '2018-12-31')
  t.equal(first.get('UBPR2170')!.value, 1000)
  t.equal(first.get('UBPRZ001')!.value, 1, 'a year’s income is not annualised')
  t.equal(first.get('UBPRZ002')!.value, 25, '800 to 1000')
  t.equal(first.get('UBPRZ003')!.value, 8.5, 'a filed ratio reaches the guide as a fraction')
  t.equal(first.get('UBPRZ007')!.value, 9, 'the lost minus sign is put back')
  t.equal(first.get('UBPRZ001')!.average, 15.5, 'of 2 to 29: one bank in twenty left out at each end')
  t.equal(first.get('UBPRZ001')!.rank, (100 * 0.5) / 30)
  t.equal((await report(w, 30, '2018-12-31')).get('UBPRZ001')!.rank, (100 * 29.5) / 30)
  t.equal(first.get('UBPRZ002')!.rank, 50, 'equals all round')
  const before = await report(w, 1, '2018-09-30')
  t.equal(before.get('UBPRZ002')!.value, null, 'nothing to compare with')
  t.equal(before.get('UBPRZ002')!.average, null, 'what no bank has')
  t.equal(before.get('UBPRZ007')!.average, -1, 'and the averages after it stay in their places')

  const refused = await w.rows('SELECT code, reason FROM ubpr_concepts WHERE position = 0 ORDER BY code')
  t.match(refused, [
    { code: 'UBPRZ004', reason: 'unknown UBPR concept uc:UBPRZ999' },
    { code: 'UBPRZ005', reason: /depends on itself: uc:UBPRZ005 → uc:UBPRZ006 → uc:UBPRZ005/ },
    { code: 'UBPRZ006', reason: /depends on itself/ },
    { code: 'UBPRZ008', reason: /found the end of the formula/ },
  ])
  const origins = await w.rows(
    "SELECT code, origin FROM ubpr_concepts WHERE code IN ('UBPRZ007', 'UBPRC752') ORDER BY code",
  )
  t.strictSame(origins, [
    { code: 'UBPRC752', origin: 'described' },
    { code: 'UBPRZ007', origin: 'mended' },
  ])
  const [lineage] = await w.rows<{ steps: unknown }>(
    "SELECT steps FROM ubpr_lineage WHERE figure = 'UBPRZ002'",
  )
  t.match(lineage!.steps, [
    { depth: 1, kind: 'ubpr', code: 'UBPR2170', quarters_back: 0 },
    { depth: 1, kind: 'ubpr', code: 'UBPR2170', quarters_back: 1 },
    { depth: 2, kind: 'ubpr', code: 'UBPRC752', quarters_back: 0, used_by: 'UBPR2170' },
    { depth: 2, kind: 'item', code: 'RCFD2170' },
    { depth: 2, kind: 'item', code: 'RCON2170' },
  ])
})

t.test('a newer edition goes before an older one, which fills its gaps', async (t) => {
  const w = await world(t)
  await w.file(1, '2018-12-31', { RCON2170: 1000 })
  await w.insert('ubpr_guide', guide('2017-06-22', { ...assets, UBPRZ001: '1', UBPRZ002: '2' }))
  await w.derive('all')
  t.equal((await report(w, 1, '2018-12-31')).get('UBPRZ001')!.value, 1)

  await w.insert('ubpr_guide', guide('2019-01-01', { ...assets, UBPRZ001: '10', UBPRZ002: '' }))
  await w.derive([])
  const now = await report(w, 1, '2018-12-31')
  t.equal(now.get('UBPRZ001')!.value, 10, 'another guide is noticed without being told')
  t.equal(now.get('UBPRZ002')!.value, 2)
})

t.test('only what changed, and what looks back on it, is worked out again', async (t) => {
  const w = await world(t)
  const quarters = ['2018-03-31', '2018-06-30', '2018-09-30', '2018-12-31']
  for (const quarter of quarters) await w.file(1, quarter, { RCON2170: 1000 })
  await w.insert('ubpr_guide', guide('2019-01-01', { ...assets, UBPRZ002: formulas.UBPRZ002 }))
  await w.derive('all')
  const parts = () =>
    w.rows<{ q: string; name: string }>(
      "SELECT partition AS q, name FROM system.parts WHERE database = currentDatabase() AND table = 'ubpr_rows' AND active ORDER BY q",
    )
  const before = await parts()
  await w.file(1, '2018-06-30', { RCON2170: 500 })
  await w.derive(['2018-06-30'])
  const after = await parts()
  t.strictSame(
    after.filter(({ name }, i) => name !== before[i]!.name).map(({ q }) => q),
    ['2018-06-30', '2018-09-30'],
  )
  t.equal((await report(w, 1, '2018-09-30')).get('UBPRZ002')!.value, 100)
})

t.test('without a guide the metric catalog stands for it', async (t) => {
  const w = await world(t)
  await w.file(1, '2018-12-31', { RCON2170: 1000, RCON3368: 1000, RIAD4340: 12 })
  await w.derive('all')
  const bank = await report(w, 1, '2018-12-31')
  t.equal(bank.get('UBPRE013')!.value, 1.2)
  t.strictSame(await w.rows('SELECT DISTINCT origin FROM ubpr_concepts'), [{ origin: 'catalog' }])
})

t.test('an average of at least five values (User’s Guide, Computing Peer Group Averages)', async (t) => {
  const w = await world(t)
  // Those in thousands of the guide's `##`: four banks have income, five have assets.
  for (let id = 1; id <= 5; id++)
    await w.file(id, '2018-12-31', { RCON2170: 1000 * id, ...(id < 5 && { RIAD4340: 10 * id }) })
  await w.insert('ubpr_guide', guide('2019-01-01', { ...assets, UBPRZ001: 'cc:RIAD4340[P0]' }))
  await w.derive('all')
  const bank = await report(w, 1, '2018-12-31')
  t.equal(bank.get('UBPR2170')!.average, 3000)
  t.equal(bank.get('UBPRZ001')!.average, null)
  t.equal(bank.get('UBPRZ001')!.rank, 12.5, 'the rank stands, of four')
})

t.test('peer groups from filings and FDIC’s institutions', async (t) => {
  const w = await world(t)
  const bank = async (id: number, thousands: number, attributes: object = {}) => {
    for (const quarter of ['2025-09-30', '2025-12-31']) await w.file(id, quarter, { RCON2170: thousands })
    const known = { charter_class: 'NM', offices: 2, established_date: '1900-01-01', specialization_group: 4 }
    await w.insert('fdic_institutions', [
      { report_date: '2025-09-30', cert: id, name: '', ...known, ...attributes },
    ])
  }
  await bank(1, 100_000_001)
  await bank(2, 299_999, { offices: 3, metropolitan: true })
  await bank(3, 49_999, { cbsa_code: '10001', metropolitan: false })
  await bank(4, 200_000, { charter_class: 'SB' })
  await bank(5, 900_000, { specialization_group: 3 })
  await bank(6, 200_000, { established_date: '2021-05-01' })
  await w.file(7, '2025-09-30', { RCON2170: 200_000 })
  await w.derive('all')
  const groups = async (quarter: string) =>
    (
      await w.rows<{ peer_group: string }>(
        `SELECT toString(peer_group) AS peer_group FROM ubpr_rows WHERE report_date = '${quarter}' ORDER BY rssd_id`,
      )
    ).map(({ peer_group }) => peer_group)
  t.strictSame(await groups('2025-09-30'), ['1', '6-many-metro', '8-many-rural', '103', '203', '2021', '6'])
  t.strictSame(await groups('2025-12-31'), ['1', '6', '8', '103', '203', '2021'])
})
