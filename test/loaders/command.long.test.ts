import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { sources } from '../../loaders/sources.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { fixture } from './helpers.ts'

const CLI = new URL('../../loaders/cli.ts', import.meta.url).pathname

t.test('the command', { timeout: 240_000 }, async (t) => {
  const env = { ...process.env, DATA_DIR: await temporaryFolder(t) }
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(process.execPath, ['--import', 'tsx', CLI, ...args], { env }, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err })
      })
    })

  t.test('--help lists each source with its publisher and address', async (t) => {
    const { code, out } = await run('--help')
    t.equal(code, 0)
    const text = out.replaceAll(/\s+/g, ' ')
    for (const { key, publisher, address } of sources)
      for (const words of [key, publisher, address]) t.match(text, words)
  })

  t.test('bad usage is 2, and says what is right', async (t) => {
    t.match(await run(), { code: 2, err: /Usage/ })
    t.match(await run('ffiec-call-reports'), {
      code: 2,
      err: /unknown command 'ffiec-call-reports'[\s\S]*ffiec-call-report/,
    })
    t.match(await run('ffiec-call-report', '--jsn'), { code: 2, err: /unknown option/ })
    t.match(await run('ffiec-call-report', '/no/such/folder'), {
      code: 2,
      err: /\/no\/such\/folder: there is no such file/,
    })
    t.match(await run('ffiec-call-report'), {
      code: 2,
      err: /cdr\.ffiec\.gov[\s\S]*npm run load -- ffiec-call-report/,
    })
  })

  t.test('a folder without a file of the source is 1', async (t) => {
    t.match(await run('ffiec-call-report', fixture('mdrm')), { code: 1, err: /No file of this source/ })
  })

  t.test('a load is 0, again is 0, a bad file is 1; the last line sums up', async (t) => {
    const first = await run('mdrm', fixture('mdrm/mdrm_codes'))
    t.match(first, { code: 0, err: /1\/1 mdrm_codes/ })
    t.match(
      first.out,
      /^mdrm: 1 published, 0 already there, 0 failed; 2 rows read, 2 kept, 0 rejected; data version \S+; [\d.]+ s\n$/,
    )
    const again = await run('mdrm', fixture('mdrm/mdrm_codes'), '--json')
    t.equal(again.code, 0)
    t.match(JSON.parse(again.out), {
      source: 'mdrm',
      dataVersion: null,
      exitCode: 0,
      editions: [{ status: 'already-there' }],
    })
    const bad = await run('mdrm', join(fixture('ffiec-call-report'), '.gitattributes'))
    t.match(bad, {
      code: 1,
      out: /not loaded: [\s\S]*expected a header with “Start Date”[\s\S]*1 failed[^\n]*nothing changed[^\n]*\n$/,
    })
  })
})
