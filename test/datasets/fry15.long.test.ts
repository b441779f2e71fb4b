// FR Y-15: the files by the names of items that their publisher documents, the scores worked by hand, and who is not in the panel.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { indicators } from '../../sql/gsib.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { universe } from '../helpers/universe.ts'
import { loaderEngine } from '../loaders/helpers.ts'

t.test('the snapshot of a year and the report of one institution', { timeout: 120_000 }, async (t) => {
  const { load, rows } = await loaderEngine(t)
  const folder = await temporaryFolder(t)
  const write = async (name: string, ...lines: string[]) => {
    await writeFile(join(folder, name), `${lines.join('\r\n')}\r\n`)
    return join(folder, name)
  }
  // a byte order mark that was encoded twice has been seen
  const snapshot = await write(
    'FRY15_20231231.csv',
    'ï»¿ID_RSSD,NAME,AsOfDate,RISKY832,RISIY832,RISOY832,RISKM362',
    '1039502,"JPMORGAN CHASE & CO.",20231231,4500000000,,,500000000',
    '2816906,TD GROUP US HOLDINGS LLC,20231231,0,560000000,0,',
  )
  const { editions } = await load('fr-y-15', [snapshot])
  t.match(editions, [{ status: 'published', reportDate: '2023-12-31', rowsRead: 2, rowsRejected: 0 }])
  const items = (where: string) =>
    rows(`SELECT mdrm, value FROM fry15_items WHERE ${where} AND value IS NOT NULL ORDER BY mdrm`)
  t.strictSame(await items('rssd_id = 1039502'), [
    { mdrm: 'RISKM362', value: 500000000 },
    { mdrm: 'RISKY832', value: 4500000000 },
  ])
  t.strictSame(await items("rssd_id = 2816906 AND mdrm = 'RISIY832'"), [
    { mdrm: 'RISIY832', value: 560000000 },
  ])

  const single = await write(
    'FRY15_1039502_20231231.csv',
    'ItemName,Description,Value',
    'Institution Name,,JPMORGAN CHASE & CO.',
    'Report Date,,20231231',
    'ID_RSSD,,1039502',
    'RISKY832,TOTAL EXPOSURES,4600000000',
  )
  t.match((await load('fr-y-15', [single])).editions, [{ status: 'published', reportDate: '2023-12-31' }])
  t.strictSame(
    await rows(`SELECT rssd_id, legal_name FROM fry15_filers ORDER BY rssd_id`),
    [
      { rssd_id: 1039502, legal_name: 'JPMORGAN CHASE & CO.' },
      { rssd_id: 2816906, legal_name: 'TD GROUP US HOLDINGS LLC' },
    ],
    'it replaces one filer and no other',
  )
})

t.test(
  'a bank whose holder is in the panel, and one whose holder is not',
  { timeout: 300_000 },
  async (t) => {
    const { rows, get, engine, published } = await universe()
    const query = <T>(sql: string) => engine.rows<T>({ sql, database: published!.publication.database })
    const [one] = await query<{ bank: number; holder: number; report_date: string }>(`
    SELECT b.rssd_id AS bank, f.rssd_id AS holder, toString(max(f.report_date)) AS report_date
    FROM fry15_filers AS f INNER JOIN holding_company_banks AS b ON b.holding_company_rssd_id = f.rssd_id AND b.report_date = f.report_date
    GROUP BY bank, holder ORDER BY bank LIMIT 1`)
    const answers = await rows(`/api/v1/banks/${one!.bank}/fry15/`)
    const last = answers.at(-1)!
    t.equal(last.report_date, one!.report_date)
    t.equal(last.holding_company_rssd_id, one!.holder)
    const filed = new Map(
      (
        await query<{ item: string; value: number }>(
          `SELECT substring(toString(mdrm), 5) AS item, value FROM fry15_items WHERE rssd_id = ${one!.holder} AND report_date = '${one!.report_date}'`,
        )
      ).map(({ item, value }) => [item, value]),
    )
    const sums = new Map(
      (
        await query<{ indicator: string; amount: number }>(
          `SELECT indicator, amount FROM gsib_denominators WHERE year = ${one!.report_date.slice(0, 4)}`,
        )
      ).map(({ indicator, amount }) => [indicator, amount]),
    )
    let [others, substitutability, second] = [0, 0, 0]
    for (const { key, item, weight, coefficient } of indicators) {
      t.equal(last[key], filed.get(item), key)
      const score = (weight / 100) * (filed.get(item)! / sums.get(item)!) * 10_000
      if (coefficient === 0) substitutability += score
      else others += score
      second += (filed.get(item)! / 1e6) * (coefficient / 100)
    }
    const [{ assets }] = (await query<{ assets: number }>(
      `SELECT risk_weighted_assets AS assets FROM holding_company_quarters WHERE rssd_id = ${one!.holder} AND report_date = '${one!.report_date}'`,
    )) as [{ assets: number }]
    const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.abs(b)
    t.ok(near(last.method1_score, others + Math.min(100, substitutability)), 'method 1')
    t.ok(near(last.method2_score, second + (350 * filed.get('Y896')!) / assets), 'method 2')
    t.strictSame(
      await rows(`/api/v1/banks/${one!.bank}/fry15/?to=1990`),
      [],
      'of the panel, and nothing so early',
    )

    const [small] = await query<{ bank: number }>(
      'SELECT rssd_id AS bank FROM banks WHERE active ORDER BY total_assets LIMIT 1',
    )
    const absent = await get(`/api/v1/banks/${small!.bank}/fry15/`)
    t.equal(absent.status, 404)
    t.match(absent.json().detail, /no holding company of this bank is in the panel of FR Y-15/)
  },
)
