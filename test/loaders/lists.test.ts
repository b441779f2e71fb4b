import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { isoDateOf } from '../../loaders/lib/dates.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { collected } from '../refresh/helpers.ts'
import { fixture, loaderEngine } from './helpers.ts'

t.test('dates in each form of the agencies', (t) => {
  t.equal(isoDateOf('1/1/1880'), '1880-01-01')
  t.equal(isoDateOf('12/31/2018 11:59:59 PM'), '2018-12-31')
  t.equal(isoDateOf('2018-12-31T00:00:00'), '2018-12-31')
  t.equal(isoDateOf('20181231'), '2018-12-31')
  t.equal(isoDateOf('12/31/9999 12:00:00 AM'), null, 'open')
  for (const none of ['', '0', 'NA', '2/30/2018', '13/1/2018', '4654.0']) t.equal(isoDateOf(none), null, none)
  t.end()
})

/** What these files have no column for. */
const notTold = {
  ...{
    domestic_offices: null,
    foreign_offices: null,
    territory_offices: null,
    micropolitan: null,
    csa_name: null,
  },
  ...{ county_fips: null, minority_status: null, minority_code: null, latitude: null, longitude: null },
}

t.test('fdic-institutions', async (t) => {
  const { load, rows } = await loaderEngine(t)
  const outcome = await load('fdic-institutions', [fixture('fdic-institutions')])
  t.match(outcome.editions, [
    { reportDate: '2018-06-30', status: 'published', rowsRead: 2, rowsKept: 2 },
    { reportDate: '2018-12-31', status: 'published', rowsRead: 4, rowsKept: 2, rowsRejected: 2 },
  ])

  t.test('BankFind: quotes, BOM, dates, zeros that mean none', async (t) => {
    const found = await rows("SELECT * FROM fdic_institutions WHERE report_date = '2018-12-31' ORDER BY cert")
    t.strictSame(found, [
      {
        report_date: '2018-12-31',
        cert: 9001,
        rssd_id: 101,
        name: 'First Bank of Nowhere',
        address: '1 Main Street',
        city: 'Nowhere',
        county: 'Nowhere County',
        state: 'GA',
        zip: '31001',
        charter_class: 'NM',
        regulator: 'FDIC',
        holding_company_rssd_id: 555001,
        holding_company_name: 'FIRST HOLDINGS, INC.',
        established_date: '1880-01-01',
        insured_date: '1934-01-01',
        cbsa_code: '10001',
        cbsa_name: 'Nowhere, GA',
        web_address: 'www.first.example',
        active: true,
        specialization_group: 4,
        subchapter_s: true,
        mutual: false,
        ...notTold,
        offices: 3,
        metropolitan: null,
      },
      {
        report_date: '2018-12-31',
        cert: 9002,
        rssd_id: 202,
        name: 'Second "Old" National Bank',
        address: '2 Oak Avenue',
        city: 'Elsewhere',
        county: 'Oak',
        state: 'TX',
        zip: '79002',
        charter_class: 'N',
        regulator: 'OCC',
        holding_company_rssd_id: null,
        holding_company_name: null,
        established_date: '2004-01-31',
        insured_date: '2004-01-31',
        cbsa_code: null,
        cbsa_name: null,
        web_address: null,
        active: false,
        specialization_group: 8,
        subchapter_s: false,
        mutual: true,
        ...notTold,
        offices: 1,
        metropolitan: null,
      },
    ])
  })

  t.test('SDI: lower case, dotted names, numbers as 41180.0', async (t) => {
    const found = await rows("SELECT * FROM fdic_institutions WHERE report_date = '2018-06-30' ORDER BY cert")
    t.match(found, [
      {
        cert: 9003,
        rssd_id: 303,
        address: '3 Elm Road, Suite 1',
        zip: '04003',
        established_date: '1863-02-03',
        cbsa_code: '41180',
        cbsa_name: 'Somewhere, ME',
        metropolitan: true,
        web_address: 'http://third.example',
        active: null,
        mutual: true,
        offices: 5,
      },
      {
        cert: 9004,
        holding_company_rssd_id: 777004,
        cbsa_code: null,
        metropolitan: false,
        mutual: false,
        offices: 48,
      },
    ])
  })

  t.test('what is refused is listed', async (t) => {
    t.strictSame(await rows('SELECT line, reason FROM load_rejects ORDER BY line'), [
      { line: 4, reason: 'CERT is blank, expected a whole number' },
      { line: 5, reason: 'report_date 2018-12-31, cert 9001 stands with other values on line 2' },
    ])
    t.match(await load('fdic-institutions', [fixture('mdrm/MDRM_CSV.csv')]), {
      dataVersion: null,
      editions: [{ status: 'failed', reason: /expected a header with “CERT”, “NAME”/ }],
    })
  })

  t.test('again changes nothing; another edition of the date replaces', async (t) => {
    t.match(await load('fdic-institutions', [fixture('fdic-institutions')]), { dataVersion: null })
    const json = join(await temporaryFolder(t), 'answer.json')
    await writeFile(
      json,
      JSON.stringify({
        data: [{ data: { CERT: 9009, NAME: 'Ninth', REPDTE: '2018-12-31', FED_RSSD: 909 } }],
      }),
    )
    t.match(await load('fdic-institutions', [json]), {
      editions: [{ status: 'published', reportDate: '2018-12-31' }],
    })
    t.strictSame(await rows("SELECT cert, rssd_id FROM fdic_institutions WHERE report_date = '2018-12-31'"), [
      { cert: 9009, rssd_id: 909 },
    ])
  })
})

t.test('BankFind is fetched page by page, and a failing page is tried again', async (t) => {
  const all = Array.from({ length: 25_000 }, (_, index) => ({
    data: { CERT: index + 1, NAME: `Bank ${index + 1}` },
  }))
  const seen: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://local')
    seen.push(url)
    if (seen.length === 2) return void response.writeHead(503).end()
    const [offset, limit] = [Number(url.searchParams.get('offset')), Number(url.searchParams.get('limit'))]
    response.end(JSON.stringify({ meta: { total: all.length }, data: all.slice(offset, offset + limit) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/banks/`
  const { files, failed } = await collected(t, 'fdic-institutions', { SOURCE_URL_FDIC_INSTITUTIONS: base })
  t.strictSame(failed, [])
  const { data } = JSON.parse(await readFile(files[0]!.path, 'utf8')) as { data: typeof all }
  t.equal(data.length, 25_000)
  t.equal(data.at(-1)!.data.CERT, 25_000)
  t.strictSame(
    seen.map((url) => url.searchParams.get('offset')),
    ['0', '10000', '10000', '20000'],
  )
  t.equal(seen[0]!.pathname, '/banks/institutions')
  t.match(seen[0]!.searchParams.get('fields'), /^ACTIVE,ADDRESS,BKCLASS,.*ZIP$/)
})

t.test('mdrm', async (t) => {
  const { load, rows } = await loaderEngine(t)
  t.match(await load('mdrm', [fixture('mdrm/MDRM_CSV.csv')]), {
    editions: [{ status: 'published', rowsRead: 3, rowsKept: 2, rowsRejected: 1 }],
  })
  t.strictSame(await rows('SELECT * FROM mdrm_dictionary ORDER BY mdrm'), [
    {
      mdrm: 'RCFD2170',
      start_date: '1959-01-01',
      end_date: null,
      name: 'TOTAL ASSETS',
      description: 'The sum of all assets, as "reported" & consolidated.',
      confidential: false,
      forms: ['FFIEC 031'],
    },
    {
      mdrm: 'RCON0093',
      start_date: '2001-03-31',
      end_date: '2010-12-31',
      name: 'SAVINGS',
      description: '',
      confidential: true,
      forms: ['FFIEC 041'],
    },
  ])
  t.match(await load('mdrm', [fixture('mdrm/mdrm_codes')]), {
    editions: [{ status: 'published', rowsKept: 2 }],
  })
  t.match(await rows('SELECT mdrm, end_date, name FROM mdrm_dictionary ORDER BY mdrm'), [
    { mdrm: 'RIAD0093', end_date: null },
    { mdrm: 'RIAD1244', end_date: '1995-12-31', name: 'TAX ADJUSTMENT TO "INCOME"' },
  ])
})
