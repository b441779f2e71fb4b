// A formal enforcement action in force caps the score of management, from its first day to its last.
import t, { type Test } from 'tap'
import { type World, world } from './world.ts'

const quarters = [18, 19, 20].flatMap((year) =>
  ['03-31', '06-30', '09-30', '12-31'].map((day) => `20${year}-${day}`),
)
/** A bank that is run cheaply, and lends on no real estate: 100 points for its efficiency, 3 of 4 drivers at their best. */
const wellRun = {
  ...{ RCON2170: 1000, RCON3210: 110, RIAD4074: 40, RIAD4079: 10, RIAD4093: 10 },
  ...{ RCOA7204: 11, RCOA7205: 17, RCOA8274: 110, RCONF158: 0, RCONF159: 0, RCON1460: 0 },
}

let lot = 0
const action = (
  type: string,
  name: string,
  start_date: string,
  end_date: string | null,
  more: object = {},
) => ({
  ...{ agency: 'FRB', id: String(++lot), type, types: [type], agency_type: type, institution: name },
  ...{
    parties: [[name, 'Here', 'GA', '']],
    persons: [],
    start_date,
    end_date,
    documents: [],
    subjects: [],
    ...more,
  },
})

const scores = async (w: World, bank: number) =>
  new Map(
    (
      await w.rows<{ q: string; capped: number; before: number }>(
        `SELECT toString(report_date) AS q, management_score AS capped, uncapped_management_score AS before
         FROM bank_quarters WHERE rssd_id = ${bank} ORDER BY q`,
      )
    ).map(({ q, capped, before }) => [q, [capped, before] as const]),
  )
/** Quarters in which the score is below what it would be, after proof that it is then 49 and else the same. */
const capped = async (t: Test, w: World, bank: number) => {
  const found = await scores(w, bank)
  t.equal(found.size, quarters.length)
  const below: string[] = []
  for (const [quarter, [score, before]] of found) {
    t.ok(before > 49, `${bank} ${quarter}: ${before}`)
    if (score === before) continue
    t.equal(score, 49)
    below.push(quarter)
  }
  return below
}

t.test('an order caps management from the day on which it begins until it ends', async (t) => {
  const w = await world(t)
  for (const bank of [1, 2, 3, 4, 5, 6]) for (const quarter of quarters) await w.file(bank, quarter, wellRun)
  t.strictSame((await w.derive('all')).derived, quarters)
  for (const bank of [1, 2]) t.strictSame(await capped(t, w, bank), [], 'nothing is loaded')

  await w.insert('enforcement_actions', [
    action('cease_and_desist', 'Bank 1', '2018-06-30', '2020-06-30'),
    // what does not count: a penalty, one against a person, a memorandum, a notice, one that only changes another, one not begun
    action('civil_money_penalty', 'Bank 2', '2018-06-30', null),
    action('cease_and_desist', 'Bank 3', '2018-06-30', null, { persons: ['A. Roe'] }),
    action('formal_agreement', 'Bank 4', '2018-06-30', null, { agency_type: 'Memorandum of Understanding' }),
    action('cease_and_desist', 'Bank 5', '2018-06-30', null, { types: ['cease_and_desist', 'notice'] }),
    action('change', 'Bank 5', '2018-06-30', null),
    action('formal_agreement', 'Bank 6', '2021-01-01', null),
    action('formal_agreement', 'Nobody', '2018-06-30', null),
  ])
  const during = quarters.filter((quarter) => quarter >= '2018-06-30' && quarter < '2020-06-30')
  t.strictSame(
    (await w.derive([])).derived,
    during,
    'the quarters with somebody under an order, and no others',
  )
  t.strictSame(await capped(t, w, 1), during)
  for (const bank of [2, 3, 4, 5, 6]) t.strictSame(await capped(t, w, bank), [], `bank ${bank}`)
  t.strictSame(
    await w.rows(
      `SELECT DISTINCT management_score = uncapped_management_score AS same FROM industry_quarters WHERE cohort = 'all'`,
    ),
    [{ same: 1 }],
    'the industry is not under an order because a bank is',
  )
  t.strictSame((await w.derive([])).derived, [], 'nothing changed')

  await w.client.command({
    query: `ALTER TABLE enforcement_actions DELETE WHERE type = 'cease_and_desist'`,
    clickhouse_settings: { mutations_sync: '1' },
  })
  await w.insert('enforcement_actions', [
    action('cease_and_desist', 'Bank 1', '2018-06-30', '2019-01-15'),
    action('prompt_corrective_action', 'Bank 2', '2020-12-01', null),
  ])
  const changed = [...during.filter((quarter) => quarter > '2019-01-15'), '2020-12-31']
  t.strictSame(
    (await w.derive([])).derived,
    changed,
    'an end that became known, and an action against another',
  )
  t.strictSame(await capped(t, w, 1), ['2018-06-30', '2018-09-30', '2018-12-31'])
  t.strictSame(await capped(t, w, 2), ['2020-12-31'])

  await w.client.command({ query: 'TRUNCATE TABLE enforcement_actions' })
  await w.derive([])
  for (const bank of [1, 2]) t.strictSame(await capped(t, w, bank), [])
})
