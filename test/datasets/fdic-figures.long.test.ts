// The FDIC's own figures and demographics of a bank, from BankFind's files; what is served is what they say.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { ratesApp } from '../rates/rates-app.ts'

const institutions = (date: string, more: Record<string, unknown>) =>
  JSON.stringify({
    data: [
      {
        data: {
          CERT: 77,
          FED_RSSD: 7700,
          NAME: 'Example Bank',
          STALP: 'MA',
          CITY: 'Springfield',
          REPDTE: date,
          ...more,
        },
      },
    ],
  })

t.test('figures and demographics', async (t) => {
  const { loadText, data, get } = await ratesApp(t)
  await loadText(
    'fdic-institutions',
    institutions('03/31/2020', {
      CBSA_METRO_FLG: '0',
      CBSA_METRO: '0',
      CBSA_MICRO_FLG: '1',
      OFFDOM: 3,
      OFFFOR: 0,
      OFFICES: 3,
      LATITUDE: 42.1,
      LONGITUDE: -72.5,
      MDI_STATUS_CODE: 'B',
      MDI_STATUS_DESC: 'BLACK OR AFRICAN AMERICAN',
      WEBADDR: 'www.bank.example',
    }),
    'institutions.json',
  )
  await loadText(
    'fdic-institutions',
    institutions('06/30/2021', {
      CBSA_METRO_FLG: '1',
      CBSA_METRO: '44140',
      OFFDOM: 5,
      OFFFOR: 1,
      OFFOA: 2,
      WEBADDR: '0',
    }),
    'institutions.json',
  )
  const of = async (query: string) => (await get(`/banks/7700/fdic/demographics/${query}`)).json()
  const now = await of('')
  t.match(now, { meta: { count: 1, as_of: null } })
  t.match(now.data[0], {
    report_date: '2021-06-30',
    area: 'metropolitan',
    offices: 6,
    domestic_offices: 5,
    foreign_offices: 1,
    territory_offices: 2,
    web_address: null,
    minority_status: null,
    latitude: null,
  })
  const then = {
    report_date: '2020-03-31',
    area: 'micropolitan',
    offices: 3,
    latitude: 42.1,
    minority_status: 'BLACK OR AFRICAN AMERICAN',
    web_address: 'www.bank.example',
  }
  t.match(await of('?as_of=2021Q1'), { meta: { as_of: '2021-03-31' }, data: [then] })
  t.match(await of('?as_of=2001Q1'), { data: [then] }, 'before the first there is the first')
  t.match(await of('?as_of=2021Q2'), { data: [{ report_date: '2021-06-30' }] })

  const record = (date: string, more: object) => ({
    data: { CERT: 77, REPDTE: date, ID: `77_${date}`, ...more },
    score: 1,
  })
  for (const [date, more] of [
    ['20201231', { ASSET: 1000, ROA: 1.25, LNRECONS: 17 }],
    ['20210331', { ASSET: 1100, ROA: null, DEP: '900' }],
  ] as const)
    await loadText(
      'fdic-financials',
      JSON.stringify({ data: [record(date, more)] }),
      `financials-${date}.json`,
    )
  const rows = await data('/banks/7700/fdic/financials/')
  t.match(rows, [
    { rssd_id: 7700, cert: 77, report_date: '2021-03-31', ASSET: 1100, ROA: null, DEP: 900 },
    { report_date: '2020-12-31', ASSET: 1000, ROA: 1.25, DEP: null },
  ])
  t.notOk('LNRECONS' in rows[0], 'what is not usual is named')
  t.strictSame(await data('/banks/7700/fdic/financials/?to=2020&fields=LNRECONS,report_date'), [
    { LNRECONS: 17, report_date: '2020-12-31' },
  ])
  t.equal((await data('/banks/7700/fdic/financials/?quarters=1'))[0].report_date, '2021-03-31')
  t.match((await get('/banks/7700/fdic/financials/?fields=ASET')).json(), {
    status: 400,
    errors: [{ parameter: 'fields', did_you_mean: 'ASSET' }],
  })
  t.match((await get('/banks/7700/fdic/financials/?quarters=1')).json().meta.units, {
    ASSET: 'thousands of US dollars',
    ROA: 'percent',
    NUMEMP: 'count',
  })
  t.match(await loadText('fdic-financials', 'CERT,REPDTE,ASSET\n77,20210315,1\n', 'financials.csv'), {
    editions: [{ status: 'failed', reason: /expected the end of a quarter/ }],
  })
  t.match(
    await loadText('fdic-financials', 'CERT,REPDTE,OFFDOM\n77,20210331,1\n', 'offices.csv'),
    { editions: [{ reason: /expected a header with “one of ASSET, .*, …”; the first line is “CERT,/ }] },
    'a file without any figure is of another source',
  )
})

const real = join(import.meta.dirname, '../../../shared/data')
const skip = !existsSync(real) && 'the real files are not here'
t.test('every value of BankFind’s files is served as it is', { skip, timeout: 300_000 }, async (t) => {
  const { load, sql } = await ratesApp(t)
  const file = join(real, 'fdic-bankfind/fdic_2018_q4.csv')
  t.match(await load('fdic-financials', [file]), { editions: [{ status: 'published' }] })
  const theirs = parse(await readFile(file), { columns: true }) as Record<string, string>[]
  const names = ['ASSET', 'ASTEMPM', 'ESAL', 'NCLNLSR', 'NONIXAY', 'NUMEMP', 'RBC1AAJ', 'ROA']
  const ours = await sql<Record<string, number | null>>(
    `SELECT cert, ${names.map((name) => `${name.toLowerCase()} AS ${name}`).join(', ')} FROM fdic_financials WHERE report_date = '2018-12-31' ORDER BY cert`,
  )
  t.equal(ours.length, theirs.length)
  const told = new Map(ours.map((row) => [row.cert, row]))
  const apart = theirs.filter((row) =>
    names.some((name) => {
      const [is, was] = [told.get(Number(row.CERT))?.[name], row[name]]
      return was === '' || was === 'NA' ? is !== null : is !== Number(was)
    }),
  )
  t.strictSame(apart.slice(0, 3), [], `${ours.length * names.length} values`)
})
