import t from 'tap'
import { consolidated as c, filings, universes } from './universe.ts'

/** The accounts of the demo filings hold to the thousand, for every bank in every quarter. */
const add = (...terms: string[]) => terms.join(' + ')
const d = (code: string) => `m['RCON${code}']`
const i = (code: string) => `m['RIAD${code}']`

/** Form 031 has loans to farmers beside all other loans; on the shorter forms they are among them, and stand again in the memoranda. */
const ofFarmers = (item: string) => `if(form = '031', ${item}, 0)`

const equal: Record<string, [string, string]> = {
  'assets = liabilities + equity': [c('2170'), add(c('2948'), c('3210'))],
  'assets add up': [
    c('2170'),
    `${add(...['0081', '0071', 'JJ34', '1773', 'JA22', 'B989', '5369', 'B529', '3545', '2145', '2150', '2130', '3656', '2143', '2160'].map(c))} + ${d('B987')}`,
  ],
  'liabilities add up': [
    c('2948'),
    `${add(...['B995', '3548', '3190', '3200', '2930'].map(c))} + ${d('2200')} + m['RCFN2200'] + ${d('B993')}`,
  ],
  'equity adds up': [c('3210'), add(...['3838', '3230', '3839', '3632', 'B530', 'A130'].map(c))],
  'loans add up': [
    c('2122'),
    `${add(...['F158', 'F159', '1420', '1797', '5367', '5368', '1460', 'F160', 'F161', '2165'].map(d))}
     + ${add(...['1590', 'B538', 'B539', 'K137', 'K207', '2107'].map(c))}
     + if(form = '031', m['RCFD1763'] + m['RCFD1764'] + m['RCFD1563'] + m['RCFDB533'], m['RCON1766'] + m['RCON1288'] + m['RCONJ454'] + m['RCONJ464'])`,
  ],
  'real estate total of form 031': [
    "m['RCFD1410']",
    `if(form = '031', ${add(...['F158', 'F159', '1420', '1797', '5367', '5368', '1460', 'F160', 'F161'].map(d))}, 0)`,
  ],
  'loans held for sale and investment': [c('2122'), add(c('5369'), c('B528'))],
  'net loans': [c('B529'), `${c('B528')} - ${c('3123')}`],
  'domestic deposits by interest': [d('2200'), add(d('6631'), d('6636'))],
  'domestic deposits by account': [d('2200'), add(d('2215'), d('2385'))],
  'transaction accounts by holder': [
    d('2215'),
    add(...['B549', '2202', '2203', 'B551', '2213', '2216'].map(d)),
  ],
  'nontransaction accounts by holder': [d('2385'), add(...['B550', '2520', '2530', 'B552'].map(d))],
  'nontransaction accounts by kind': [d('2385'), add(...['6810', '0352', '6648', 'J473', 'J474'].map(d))],
  'deposits by size of account': [d('2200'), add(d('F049'), d('F051'))],
  'other assets add up': [c('2160'), add(...['B556', '2148', 'K201', '2168'].map(c))],
  'borrowings by lender and maturity': [`${add(...['F055', 'F056', 'F057', 'F058'].map(c))}`, c('F065')],
  'held-to-maturity at cost': [
    c('1754'),
    `${add(...['0211', 'HT50', '8496', 'G312', 'K142', '1737'].map(c))} + if(form = '051', ${d('HT54')}, ${c('G304')})`,
  ],
  'available-for-sale at fair value': [
    c('1773'),
    `${add(...['1287', 'HT53', '8499', 'G315', 'K145', '1741'].map(c))} + if(form = '051', ${d('HT57')}, ${c('G307')})`,
  ],
  'interest on loans': [
    i('4010'),
    add(...['4435', '4436', '4012', '4024', 'B485', 'B486', 'B487', '4056', '4058', '4059'].map(i)),
  ],
  'interest income': [
    i('4107'),
    add(...['4010', '4065', '4115', 'B488', 'B489', '4060', '4069', '4020', '4518'].map(i)),
  ],
  'interest expense': [
    i('4073'),
    add(...['4508', '0093', 'HK03', 'HK04', '4172', '4180', '4185', '4200', 'GW44'].map(i)),
  ],
  'net interest income': [i('4074'), `${i('4107')} - ${i('4073')}`],
  'noninterest income': [
    i('4079'),
    add(
      ...[
        '4070',
        '4080',
        'A220',
        'C886',
        'C888',
        'C887',
        'C386',
        'C387',
        'HT73',
        'HT74',
        'B491',
        'B492',
        'B493',
        '5416',
        '5415',
        'B496',
        'B497',
      ].map(i),
    ),
  ],
  'noninterest expense': [i('4093'), add(...['4135', '4217', 'C216', 'C232', '4092'].map(i))],
  'income before taxes': [
    i('4301'),
    `${i('4074')} - ${i('JJ33')} + ${i('4079')} + ${i('3521')} + ${i('3196')} - ${i('4093')} + ${i('HT70')}`,
  ],
  'net income': [i('4340'), `${i('4301')} - ${i('4302')}`],
  'changes in equity': [
    i('3210'),
    `${add(...['B508', '4340', 'B509', 'B510', '4356', 'B511', '4415'].map(i))} - ${i('4470')} - ${i('4460')}`,
  ],
  'equity of RI-A and RC': [i('3210'), c('3210')],
  'changes in the allowance': [
    i('3123'),
    `${add(...['B522', '4605', '4230', 'C233'].map(i))} - ${i('C079')} - ${i('5523')}`,
  ],
  'allowance of RI-B and RC': [i('3123'), c('3123')],
  'charge-offs by kind': [
    i('4635'),
    `${add(
      ...[
        'C891',
        'C893',
        '3584',
        '5411',
        'C234',
        'C235',
        '3588',
        'C895',
        'C897',
        '4638',
        '4645',
        '4646',
        'B514',
        'K129',
        'K205',
        '4644',
        '4266',
        'C880',
      ].map(i),
    )} + ${ofFarmers(i('4655'))}`,
  ],
  'recoveries by kind': [
    i('4605'),
    `${add(
      ...[
        'C892',
        'C894',
        '3585',
        '5412',
        'C217',
        'C218',
        '3589',
        'C896',
        'C898',
        '4608',
        '4617',
        '4618',
        'B515',
        'K133',
        'K206',
        '4628',
        '4267',
        'F188',
      ].map(i),
    )} + ${ofFarmers(i('4665'))}`,
  ],
  'nonaccrual by kind': [
    c('1403'),
    `${add(...['F176', 'F177', '3495', '5400', 'C229', 'C230', '3501', 'F182', 'F183'].map(d))}
     + ${add(...['B577', 'K215', 'K218', '5461'].map(c))} + ${ofFarmers(c('1583'))} + if(form = '031', m['RCFD1253'] + m['RCFDF171'], m['RCON1608'] + m['RCON1228'])`,
  ],
  'tier 1 capital': [
    `if(form = '031', m['RCFA8274'], m['RCOA8274'])`,
    `if(form = '031', m['RCFAP859'] + m['RCFAP865'], m['RCOAP859'] + m['RCOAP865'])`,
  ],
}

const atMost: Record<string, [string, string]> = {
  'troubled loans ≤ loans': [add(c('1403'), c('1406'), c('1407')), c('2122')],
  'risk-weighted assets ≤ 1.3 × assets': [
    `if(form = '031', m['RCFAA223'], m['RCOAA223'])`,
    `1.3 * ${c('2170')}`,
  ],
  'uninsured ≤ domestic deposits': [d('5597'), d('2200')],
  'brokered ≤ time deposits': [d('2365'), add(d('6648'), d('J473'))],
  'insured brokered ≤ brokered': [d('HK05'), d('2365')],
  'no negative deposits': [
    '0',
    `least(${['6631', '6636', '0352', '6810', '6648', 'J473', 'J474', '2365'].map(d).join(', ')})`,
  ],
  'no negative assets': [
    '0',
    `least(${['0081', '0071', 'JJ34', '1773', 'B529', '2145', '2160', '2170'].map(c).join(', ')})`,
  ],
}

t.test('the accounts hold for every bank and quarter', async (t) => {
  const [universe] = await universes(t, { quarters: 9, liveBanks: 240, closedBanks: 60 })
  const { rows, client } = universe!
  await client.command({
    query: `CREATE TABLE f ENGINE = MergeTree ORDER BY (report_date, rssd_id) AS ${filings}`,
  })
  const [{ n }] = (await rows<{ n: number }>('SELECT count() AS n FROM f')) as [{ n: number }]
  t.equal(n, universe!.report.filings, 'a filing for each filer')

  const checks = [
    ...Object.entries(equal).map(([name, [a, b]]) => [name, `abs((${a}) - (${b})) > 0.001`]),
    ...Object.entries(atMost).map(([name, [a, b]]) => [name, `(${a}) > (${b})`]),
  ] as [string, string][]
  const [broken] = await rows(
    `SELECT ${checks.map(([, wrong], k) => `groupArrayIf(3)((report_date, rssd_id), ${wrong}) AS c${k}`).join(', ')} FROM f`,
  )
  for (const [k, [name]] of checks.entries()) t.strictSame(broken![`c${k}`], [], name)

  const [sums] = await rows(
    `SELECT countIf(${c('2170')} > 0) AS assets, countIf(m['RIAD4010'] > 0) AS interest FROM f`,
  )
  t.equal(sums!.assets, n, 'every filer has assets: the checks do not compare nothing with nothing')
  t.equal(sums!.interest, n, 'and interest on loans')

  t.strictSame(
    await rows(
      'SELECT mdrm, rssd_id, report_date FROM call_report_items GROUP BY 1, 2, 3 HAVING uniqExact(value) > 1 LIMIT 3',
    ),
    [],
    'an item of two schedules has one value',
  )
  t.strictSame(
    await rows(
      'SELECT rssd_id, report_date, mdrm FROM call_report_items GROUP BY 1, 2, 3, schedule HAVING count() > 1 LIMIT 3',
    ),
    [],
    'no item twice in one schedule',
  )

  const carried = await rows(`
    SELECT a.rssd_id AS rssd_id, a.report_date AS report_date FROM f AS a
    INNER JOIN f AS b ON a.rssd_id = b.rssd_id AND b.report_date = makeDate(toYear(a.report_date) - 1, 12, 31)
    WHERE a.m['RIAD3217'] != b.m['RIAD3210'] OR a.m['RIADB522'] != b.m['RIAD3123'] LIMIT 3`)
  t.strictSame(carried, [], 'a year begins with the equity and allowance that the last one ended with')

  const shrunk = await rows(`
    SELECT a.rssd_id AS rssd_id, a.report_date AS report_date FROM f AS a
    INNER JOIN f AS b ON a.rssd_id = b.rssd_id AND toYear(a.report_date) = toYear(b.report_date) AND toQuarter(a.report_date) = toQuarter(b.report_date) + 1
    WHERE arrayExists(k -> a.m[k] < b.m[k], ['RIAD4010', 'RIAD4073', 'RIAD4135', 'RIAD4093', 'RIAD4635', 'RIAD4605', 'RIAD4460']) LIMIT 3`)
  t.strictSame(shrunk, [], 'year-to-date flows only grow within a year')

  const [reset] = await rows(`
    SELECT avg(a.m['RIAD4010'] / b.m['RIAD4010']) AS ratio FROM f AS a
    INNER JOIN f AS b ON a.rssd_id = b.rssd_id AND toQuarter(a.report_date) = 1 AND b.report_date = makeDate(toYear(a.report_date) - 1, 12, 31)`)
  t.ok(
    reset!.ratio! > 0.2 && reset!.ratio! < 0.32,
    `the first quarter holds about a quarter of last year's interest: ${reset!.ratio}`,
  )
})
