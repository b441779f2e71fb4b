import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { fixture, loaderEngine, quarterFiles, writeFiles, zipOf } from './helpers.ts'

const KEY = 'ffiec-call-report'

t.test('every layout of the bulk files', async (t) => {
  const { load, rows } = await loaderEngine(t)
  const outcome = await load(KEY, [fixture(KEY)])
  t.strictSame(
    outcome.editions.map(({ name, reportDate, status }) => [name, reportDate, status]),
    [
      ['2012Q2', '2012-06-30', 'published'],
      ['2014Q1', '2014-03-31', 'published'],
      ['2018Q4', '2018-12-31', 'published'],
    ],
  )

  const item = async (mdrm: string, rssd: number, date: string, schedule?: string) =>
    (
      await rows<{ schedule: string; value: number | null; text: string | null }>(
        `SELECT schedule, value, text FROM call_report_items WHERE mdrm = '${mdrm}' AND rssd_id = ${rssd}
         AND report_date = '${date}' ${schedule ? `AND schedule = '${schedule}'` : ''} ORDER BY schedule`,
      )
    ).map(({ schedule: place, value, text }) => [place, value, text])

  t.test('a ratio is in percent, whatever the file has', async (t) => {
    t.strictSame(await item('RCON7204', 101, '2012-06-30'), [['RCR', 20.45, null]])
    t.strictSame(await item('RCFD7204', 404, '2012-06-30'), [['RCR', 8.4198, null]])
    t.strictSame(await item('RCON7273', 101, '2012-06-30'), [['RCR', 0, null]])
    t.strictSame(await item('RCON7204', 101, '2014-03-31'), [['RCRIA', 21.27, null]])
    t.strictSame(await item('RCFAP793', 404, '2014-03-31'), [['RCRIB', 17.3401, null]])
    t.strictSame(await item('RCOA7204', 101, '2018-12-31'), [['RCRI', 18.562, null]])
    t.strictSame(await item('RCFWH312', 404, '2018-12-31'), [['RCRI', 7.5, null]])
  })

  t.test('numbers, booleans and text', async (t) => {
    t.strictSame(await item('RCFD2170', 404, '2018-12-31'), [['RC', 2.5e9, null]])
    t.strictSame(await item('RCONB704', 202, '2018-12-31'), [['RCRII', 5.4e10, null]], 'the third part')
    t.strictSame(await item('RCON3545', 404, '2018-12-31'), [['RC', -12, null]])
    t.strictSame(await item('RCON6979', 101, '2018-12-31'), [['NARR', 1, null]])
    t.strictSame(await item('RCONFT00', 202, '2018-12-31'), [['SU', 0, null]])
    t.strictSame(await item('RCONFT00', 303, '2018-12-31'), [['SU', 1, null]])
    t.strictSame(await item('RIAD4146', 101, '2018-12-31'), [['RIE', null, 'CONF']])
    t.strictSame(await item('TEXT4461', 101, '2018-12-31'), [['RIE', null, '007']])
    t.strictSame(await item('TEXT4461', 303, '2018-12-31'), [['RIE', null, 'true']])
    t.strictSame(await item('TEXT6980', 404, '2018-12-31'), [['NARR', null, '2019']])
    t.strictSame(await item('RIAD9106', 101, '2018-12-31'), [['RIE', null, '00000000']])
    t.strictSame(await item('RIAD9106', 202, '2018-12-31'), [['RIE', null, '0']])
    t.strictSame(await item('RCON8678', 202, '2012-06-30'), [['RCL', null, '0630']])
    t.strictSame(await item('RSSD9050', 101, '2018-12-31'), [['ENT', null, '09001']])
  })

  t.test('a narrative keeps its line feed and its quotes', async (t) => {
    t.strictSame(await item('TEXT6980', 202, '2018-12-31'), [
      ['NARR', null, 'Two lines:\nthe "second" one has 12.5%'],
    ])
  })

  t.test('a code in two schedules is kept in both, a blank in none', async (t) => {
    t.strictSame(await item('RCON2170', 101, '2018-12-31'), [
      ['RC', 150000, null],
      ['RCE', 150000, null],
    ])
    t.strictSame(await item('RCON2170', 303, '2018-12-31', 'RC'), [['RC', 0, null]], 'zero is not blank')
    t.strictSame(await item('RCFD2170', 101, '2018-12-31'), [])
  })

  t.test('identity comes from the POR', async (t) => {
    const filers = await rows(
      `SELECT * EXCEPT (ots_docket, aba_routing) FROM filers WHERE report_date = '2014-03-31' AND rssd_id IN (202, 303, 404)
       ORDER BY rssd_id`,
    )
    t.match(filers, [
      {
        rssd_id: 202,
        cert: 9002,
        occ_charter: 501,
        legal_name: 'SECOND NATIONAL BANK, "THE OLD"',
        address: '2 OAK AVENUE',
        city: 'ELSEWHERE',
        state: 'TX',
        zip: '79002',
        form: '041',
        submitted_at: '2014-04-25 09:00:00',
      },
      { rssd_id: 303, cert: null, occ_charter: null, zip: '04003' },
      { rssd_id: 404, form: '031', submitted_at: null },
    ])
  })

  t.test('descriptions are kept in order, across parts', async (t) => {
    const described = await rows<{ mdrm: string; position: number; description: string }>(
      `SELECT mdrm, position, description FROM item_descriptions
       WHERE report_date = '2018-12-31' AND schedule = 'RCRII' ORDER BY position`,
    )
    t.strictSame(described, [
      { mdrm: 'RCONA223', position: 1, description: 'RISK-WEIGHTED ASSETS' },
      { mdrm: 'RCFDA223', position: 2, description: 'RISK-WEIGHTED ASSETS' },
      { mdrm: 'RCONB704', position: 3, description: 'DERIVATIVES' },
    ])
  })
})

t.test('the same content changes nothing, however it is packed', async (t) => {
  const { load, rows } = await loaderEngine(t)
  const folder = await temporaryFolder(t)
  const files = await quarterFiles('2018Q4')
  const zip = join(folder, 'FFIEC CDR Call Bulk All Schedules 12312018.zip')
  await writeFile(zip, zipOf(files))
  const first = await load(KEY, [zip])
  t.match(first, { dataVersion: /^2018Q4-/, editions: [{ status: 'published', rowsRejected: 0 }] })

  const again = await load(KEY, [zip])
  t.match(again, { dataVersion: null, editions: [{ status: 'already-there', reportDate: '2018-12-31' }] })

  const packedAnew = join(folder, 'again 12312018.zip')
  await writeFile(packedAnew, zipOf([...files].reverse(), { store: true }))
  t.match(await load(KEY, [packedAnew]), { dataVersion: null, editions: [{ status: 'already-there' }] })

  const unpacked = await writeFiles(
    await temporaryFolder(t),
    new Map([...files, ['Readme.txt', Buffer.from('hello')]]),
  )
  t.match(await load(KEY, [unpacked]), { dataVersion: null, editions: [{ status: 'already-there' }] })
  const one = [...files.keys()].map((name) => join(unpacked, name))
  t.match(await load(KEY, one), { dataVersion: null, editions: [{ status: 'already-there' }] })

  const manifest = await rows<{ name: string; sha256: string; in_force: boolean }>('SELECT * FROM load_files')
  t.match(manifest, [{ source: KEY, report_date: '2018-12-31', rows_rejected: 0, in_force: true }])
  t.match(manifest[0]!.sha256, /^[0-9a-f]{64}$/)
})
