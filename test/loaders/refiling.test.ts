import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { edit, type Files, loaderEngine, memberOf, quarterFiles, zipOf } from './helpers.ts'

const KEY = 'ffiec-call-report'

t.test('editions of one quarter', async (t) => {
  const { load, rows } = await loaderEngine(t)
  const folder = await temporaryFolder(t)
  const zip = async (name: string, files: Files) => {
    const path = join(folder, `${name} 12312018.zip`)
    await writeFile(path, zipOf(files))
    return path
  }
  const assets = () =>
    rows("SELECT value FROM call_report_items WHERE mdrm = 'RCON2170' AND schedule = 'RC' AND rssd_id = 101")
  const inForce = () => rows('SELECT name, in_force FROM load_files ORDER BY loaded_at')

  const first = await quarterFiles('2018Q4')
  const refiled = edit(
    edit(first, 'RC', (text) => text.replace('150000', '151000')),
    'POR',
    (text) => text.replace('2019-02-01T09:09:36', '2019-05-01T09:09:36'),
  )
  const firstZip = await zip('first', first)
  await load(KEY, [firstZip])

  t.test('a re-filed quarter replaces the older', async (t) => {
    const { editions } = await load(KEY, [await zip('refiled', refiled)])
    t.match(editions, [
      { status: 'published', notes: [/replaces the edition .* up to 2019-02-01 09:09:36/, /items/] },
    ])
    t.strictSame(await assets(), [{ value: 151000 }])
    t.strictSame(await inForce(), [
      { name: 'first 12312018.zip', in_force: false },
      { name: 'refiled 12312018.zip', in_force: true },
    ])
  })

  t.test('an older edition does not, unless told to', async (t) => {
    const { dataVersion, editions } = await load(KEY, [firstZip])
    t.equal(dataVersion, null)
    t.match(editions, [
      {
        status: 'failed',
        reason:
          /does not replace 2018-12-31: its newest submission is of 2019-02-01 09:09:36, that of the edition in force of 2019-05-01 09:09:36 \(--force/,
      },
    ])
    t.strictSame(await assets(), [{ value: 151000 }])
    t.match(await load(KEY, [firstZip], true), { editions: [{ status: 'published' }] })
    t.strictSame(await assets(), [{ value: 150000 }])
  })

  t.test('an edition that lacks a schedule does not, unless told to', async (t) => {
    const fewer = new Map(refiled)
    fewer.delete(memberOf(refiled, 'SU'))
    const { editions } = await load(KEY, [await zip('fewer', fewer)])
    t.match(editions, [{ status: 'failed', reason: /it lacks SU, which the edition in force has/ }])
  })

  t.test('a schedule that no quarter had before is loaded and named', async (t) => {
    const name = memberOf(first, 'SU').replace(' SU ', ' RCZZ ')
    const bytes = Buffer.from(
      first.get(memberOf(first, 'SU'))!.toString('latin1').replace('RCONFT00', 'RCONZZ00'),
    )
    const more = new Map([...refiled, [name, bytes]])
    const { editions } = await load(KEY, [await zip('more', more)])
    t.match(editions, [
      { status: 'published', notes: [/schedule RCZZ is new here, and was loaded/, /replaces/, /items/] },
    ])
    t.strictSame(await rows("SELECT count() AS items FROM call_report_items WHERE schedule = 'RCZZ'"), [
      { items: 3 },
    ])
  })
})
