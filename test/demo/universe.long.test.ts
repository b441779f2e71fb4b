import t from 'tap'
import { buildDemo, demoLastQuarter } from '../../sql/demo/index.ts'
import { consolidated as c, filings, universes } from './universe.ts'

/** Sums that a single changed value would change. */
const fingerprint = `
  SELECT
    (SELECT sum(cityHash64(report_date, rssd_id, mdrm, schedule, value)) FROM call_report_items) AS items,
    (SELECT sum(cityHash64(* EXCEPT (cert, occ_charter, ots_docket, aba_routing), toString(tuple(cert, occ_charter, aba_routing)))) FROM filers) AS filers,
    (SELECT sum(cityHash64(toString(tuple(*)))) FROM fdic_institutions) AS institutions,
    (SELECT sum(cityHash64(*)) FROM item_descriptions) AS descriptions,
    (SELECT sum(cityHash64(toString(tuple(*)))) FROM load_files) AS files`

t.test('the same options give the same rows, another seed others', async (t) => {
  const small = { quarters: 3, liveBanks: 60, closedBanks: 20 }
  const [one, same, other] = await universes(t, small, small, { ...small, seed: 2 })
  const [first] = await one!.rows(fingerprint)
  t.strictSame(await same!.rows(fingerprint), [first])
  const [second] = await other!.rows(fingerprint)
  for (const table of ['items', 'filers', 'institutions']) t.not(second![table], first![table], table)
  t.equal(second!.descriptions, first!.descriptions, 'captions do not depend on the seed')
})

t.test('options out of range are refused by name', async (t) => {
  const never = {
    get client() {
      throw new Error('the engine was asked')
    },
  } as never
  await t.rejects(buildDemo(never, { quarters: 101 }), {
    name: 'RangeError',
    message: /quarters is 101.*1 to 100/,
  })
  await t.rejects(buildDemo(never, { quarters: 4, liveBanks: 1.5 }), { message: /liveBanks is 1.5/ })
  await t.rejects(buildDemo(never, { quarters: 4, closedBanks: -1 }), { message: /closedBanks is -1/ })
})

t.test('the universe has its full breadth', async (t) => {
  const [universe] = await universes(t, { quarters: 2 })
  const { rows, report } = universe!
  const [latest] = await rows(
    `SELECT count() AS n, uniqExact(rssd_id) AS ids, uniqExact(cert) AS certs FROM filers WHERE report_date = '${demoLastQuarter}'`,
  )
  t.strictSame(latest, { n: 4500, ids: 4500, certs: 4500 })
  t.equal(report.quarters.length, 2)
  const [who] =
    await rows(`SELECT uniqExact(rssd_id) AS banks, uniqExact(legal_name) AS names, uniqExact(state) AS states,
    countIf(form = '031' AND report_date = '${demoLastQuarter}') AS f031, countIf(form = '041' AND report_date = '${demoLastQuarter}') AS f041 FROM filers`)
  t.ok(who!.banks! > 6800 && who!.banks! <= 7000, `banks: ${who!.banks}`)
  t.equal(who!.names, who!.banks, 'no two banks of one name')
  t.equal(who!.states, 52, 'every state, DC and Puerto Rico')
  t.ok(who!.f031! >= 50 && who!.f031! <= 100, `form 031: ${who!.f031}`)
  t.ok(who!.f041! > 600, `form 041: ${who!.f041}`)

  const [size] = await rows(`
    SELECT min(assets) AS least, median(assets) AS middle, quantile(0.99)(assets) AS large, max(assets) AS most, sum(assets) AS all,
      countIf(state = 'GA' AND assets > 500000) AS georgians
    FROM (SELECT rssd_id, value AS assets FROM call_report_items WHERE report_date = '${demoLastQuarter}' AND schedule = 'RC' AND mdrm IN ('RCFD2170', 'RCON2170')) AS a
    INNER JOIN (SELECT rssd_id, state FROM filers WHERE report_date = '${demoLastQuarter}') AS f ON f.rssd_id = a.rssd_id`)
  t.ok(size!.least! > 5e3 && size!.least! < 2e4, `the smallest has about $10 million: ${size!.least}`)
  t.ok(size!.middle! > 2e5 && size!.middle! < 6e5, `the median some $300 million: ${size!.middle}`)
  t.ok(
    size!.large! > 1e7 && size!.large! < 1e8,
    `the hundredth largest share tens of billions: ${size!.large}`,
  )
  t.ok(size!.most! > 3e9 && size!.most! < 5e9, `the largest nearly $4 trillion: ${size!.most}`)
  t.ok(size!.all! > 1e10 && size!.all! < 3.5e10, `the industry some $20 trillion: ${size!.all}`)
  t.ok(size!.georgians! > 20, `Georgia has banks above $500 million: ${size!.georgians}`)

  const classes = await rows<{ charter_class: string; regulator: string; n: number }>(
    `SELECT charter_class, regulator, count() AS n FROM fdic_institutions WHERE report_date = '${demoLastQuarter}' GROUP BY 1, 2 ORDER BY 1`,
  )
  t.strictSame(
    classes.map((row) => `${row.charter_class} ${row.regulator}`),
    ['N OCC', 'NM FDIC', 'SA OCC', 'SB FDIC', 'SM FED'],
  )
  for (const { charter_class, n } of classes) t.ok(n > 100, `${charter_class}: ${n}`)
  t.strictSame(
    await rows(
      'SELECT mdrm FROM call_report_items WHERE (schedule, mdrm) NOT IN (SELECT schedule, mdrm FROM item_descriptions) LIMIT 1',
    ),
    [],
    'every item has a caption',
  )
  t.match(
    await rows('SELECT source, count() AS n, sum(rows_rejected) AS rejected FROM load_files GROUP BY 1'),
    [{ source: 'demo', n: 2, rejected: 0 }],
  )
})

t.test('the figures look like banking', async (t) => {
  const [universe] = await universes(t, { quarters: 28, liveBanks: 300, closedBanks: 150 })
  const { rows, client } = universe!
  // Only what the checks read: the map of all items would be large for so many quarters.
  const codes = ['2170', '3210', '2122', '1403', '1407', '3123', 'B530'].flatMap((code) => [
    `RCFD${code}`,
    `RCON${code}`,
  ])
  const flows = ['4340', '4074', '4079', '4093', '4230', '4635', '4605', '4356', '4460', '4073'].map(
    (code) => `RIAD${code}`,
  )
  const wanted = [...codes, ...flows, 'RCFA7204', 'RCOA7204', 'RCON2200', 'RIADA530']
    .map((code) => `'${code}'`)
    .join(', ')
  await client.command({
    query: `CREATE TABLE f ENGINE = MergeTree ORDER BY (report_date, rssd_id) AS
      WITH call_report_items AS (SELECT * FROM {database:Identifier}.call_report_items WHERE mdrm IN (${wanted})) ${filings}`,
    query_params: { database: 'demo_kept_0' },
  })
  const years = await rows<Record<string, number>>(`
    SELECT toYear(report_date) AS year, median(100 * m['RIAD4340'] / ${c('2170')}) AS roa, avg(m['RIAD4340'] < 0) AS losing,
      median(100 * m['RIAD4074'] / ${c('2170')}) AS margin, median(100 * m['RIAD4093'] / (m['RIAD4074'] + m['RIAD4079'])) AS efficiency,
      median(100 * (${c('1403')} + ${c('1407')}) / ${c('2122')}) AS noncurrent, median(100 * m['RIAD4073'] / ${c('2170')}) AS funding,
      sum(${c('B530')}) / sum(${c('2170')}) * 100 AS unrealised, median(100 * ${c('3210')} / ${c('2170')}) AS equity
    FROM f WHERE toMonth(report_date) = 12 GROUP BY 1 ORDER BY 1`)
  const of = (year: number) => years.find((row) => row.year === year)!
  for (const row of years) {
    t.ok(row.roa! > 0.6 && row.roa! < 1.5, `${row.year}: median return on assets ${row.roa}`)
    t.ok(row.losing! > 0.003 && row.losing! < 0.2, `${row.year}: share with a loss ${row.losing}`)
    t.ok(row.margin! > 2.5 && row.margin! < 4, `${row.year}: net interest income to assets ${row.margin}`)
    t.ok(row.efficiency! > 50 && row.efficiency! < 75, `${row.year}: efficiency ratio ${row.efficiency}`)
    t.ok(row.equity! > 8 && row.equity! < 13, `${row.year}: equity to assets ${row.equity}`)
  }
  t.ok(of(2020).noncurrent! > 1.3 * of(2019).noncurrent!, 'a recession raises noncurrent loans')
  t.ok(of(2020).roa! < of(2019).roa!, 'and lowers returns')
  t.ok(of(2023).funding! > 3 * of(2021).funding!, 'dear money raises the cost of funds')
  t.ok(of(2022).unrealised! < -1 && of(2020).unrealised! > 0, 'and leaves unrealised losses on securities')

  const [failures] = await rows(`
    SELECT count() AS n, median(equity[-1]) AS equity_last, median(equity[-8]) AS equity_before, median(noncurrent[-1]) AS noncurrent_last,
      median(noncurrent[-8]) AS noncurrent_before, avg(income[-1] < 0) AS losing
    FROM (
      SELECT rssd_id, groupArray(100 * ${c('3210')} / ${c('2170')}) AS equity, groupArray(100 * (${c('1403')} + ${c('1407')}) / ${c('2122')}) AS noncurrent,
        groupArray(m['RIAD4340']) AS income, max(report_date) AS ended, argMax(if(form = '031', m['RCFA7204'], m['RCOA7204']), report_date) AS leverage
      FROM (SELECT * FROM f ORDER BY rssd_id, report_date) GROUP BY rssd_id
    ) WHERE ended < '${demoLastQuarter}' AND leverage < 4 AND length(equity) >= 8`)
  t.ok(failures!.n! >= 5, `banks that ended short of capital: ${failures!.n}`)
  t.ok(
    failures!.equity_last! < 0.6 * failures!.equity_before!,
    `their equity ran out: ${failures!.equity_before} to ${failures!.equity_last} percent`,
  )
  t.ok(
    failures!.noncurrent_last! > 2 * failures!.noncurrent_before!,
    `their loans went bad: ${failures!.noncurrent_before} to ${failures!.noncurrent_last} percent`,
  )
  t.equal(failures!.losing, 1, 'all of them lost money')

  const [mergers] = await rows(`
    SELECT count() AS n, median(a.assets / b.assets) AS growth FROM
      (SELECT rssd_id, report_date, ${c('2170')} AS assets, m['RIAD4356'] AS combined FROM f WHERE toMonth(report_date) = 3) AS a
    INNER JOIN (SELECT rssd_id, report_date, ${c('2170')} AS assets FROM f) AS b ON a.rssd_id = b.rssd_id AND b.report_date = toLastDayOfMonth(a.report_date - INTERVAL 3 MONTH)
    WHERE a.combined > 0.05 * a.assets * 0.1`)
  t.ok(mergers!.n! > 5, `takeovers in first quarters: ${mergers!.n}`)
  t.ok(mergers!.growth! > 1.04, `the acquirer grows: ${mergers!.growth}`)

  const [entries] = await rows(
    `SELECT countIf(first > (SELECT min(report_date) FROM filers)) AS n FROM (SELECT rssd_id, min(report_date) AS first FROM filers GROUP BY 1)`,
  )
  t.ok(entries!.n! > 10, `new banks: ${entries!.n}`)
  t.strictSame(
    await rows(
      `SELECT rssd_id FROM filers GROUP BY 1 HAVING count() != dateDiff('quarter', min(report_date), max(report_date)) + 1 LIMIT 3`,
    ),
    [],
    'a bank files every quarter from its first to its last',
  )
})
