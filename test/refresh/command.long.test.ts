// `npm run refresh` as a process of its own, over one data folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { openEngine } from '../../server/engine/open.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { replay } from '../rates/replay.ts'
import { quick, shelf } from './helpers.ts'

const CLI = new URL('../../loaders/refresh/cli.ts', import.meta.url).pathname
const PMMS = '/pmms/docs/PMMS_history.csv'
const survey = (...weeks: string[]) =>
  `date,pmms30,pmms30p,pmms15\n${weeks.map((week) => `${week},6.15,,5.44\n`).join('')}`

t.test('the command', { timeout: 300_000 }, async (t) => {
  const files = new Map([[PMMS, survey('1/2/2026')]])
  const inner = shelf(files)
  let standing = false
  const { url, asked } = await replay(t, (request, response) => {
    if (!standing) inner(request, response)
  })
  const dataDir = await temporaryFolder(t)
  const env = {
    ...process.env,
    ...{ ...quick, FETCH_IDLE_SECONDS: '60', DATA_DIR: dataDir, SOURCE_URL_PMMS: url },
  }
  // holds the engine of the folder, so that no run has to start it
  const engine = await openEngine(readConfig({ DATA_DIR: dataDir }), memoryLog())
  t.teardown(() => engine.close())

  const start = (...args: string[]) => {
    const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...args], { env })
    t.teardown(() => child.kill('SIGKILL'))
    const written = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      written.out += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      written.err += chunk
    })
    return {
      child,
      written,
      end: once(child, 'close').then(([code]) => ({ code: code as number, ...written })),
    }
  }
  const run = (...args: string[]) => start(...args).end
  const until = async (child: ChildProcess, is: () => boolean | Promise<boolean>) => {
    while (!(await is())) {
      if (child.exitCode !== null) throw new Error(`the command ended with ${child.exitCode}`)
      await wait(50)
    }
  }
  const version = async () => (await currentPublication(engine))?.dataVersion

  await t.test('bad usage is 2, and says what is right', async (t) => {
    const [source, time, folder, mistyped] = await Promise.all([
      run('--source', 'mdrm'),
      run('--every', '6 hours'),
      run('--watch', '/no/such/folder'),
      run('--dryrun'),
    ])
    t.match(source, { code: 2, err: /mdrm cannot be fetched: expected one of .*treasury/ })
    t.match(time, { code: 2, err: /30m, 6h or 1d/ })
    t.match(folder, { code: 2, err: /no such folder/ })
    t.match(mistyped, { code: 2, err: /unknown option/ })
  })

  await t.test('new is 0, nothing new is 0, a failure is 1; JSON is the last line', async (t) => {
    t.match(await run('--source', 'pmms', '--dry-run'), {
      code: 0,
      out: /^asks pmms PMMS_history\.csv: was never loaded\n$/,
    })
    t.equal(asked.length, 0)
    t.match(await run('--source', 'pmms'), {
      code: 0,
      out: /^pmms: published; 1 new, 0 unchanged, 0 failed; 1 rows kept\n1 published, .*data version \S+; [\d.]+ s\n$/,
    })
    const again = await run('--source', 'pmms', '--json')
    t.match(JSON.parse(again.out.trim().split('\n').at(-1)!), {
      dataVersion: null,
      exitCode: 0,
      sources: [{ status: 'unchanged' }],
    })
    files.set(PMMS, '<html>')
    t.match(await run('--source', 'pmms'), { code: 1, out: /failed: PMMS_history\.csv: .*web page/ })
    t.match(await run('--source', 'ubpr-formulas'), {
      code: 1,
      out: /not asked: SOURCE_URL_UBPR_FORMULAS is not set/,
    })
  })

  await t.test(
    '--every and --watch stay; SIGTERM ends them while they fetch, and what is served stays',
    async (t) => {
      const before = await version()
      t.ok(before)
      standing = true
      asked.length = 0
      const staying = start('--source', 'pmms', '--every', '1h')
      await until(staying.child, () => asked.length > 0)
      staying.child.kill('SIGTERM')
      t.match(await staying.end, { code: 0 })
      t.equal(await version(), before)
      standing = false
    },
  )

  await t.test(
    '--watch takes up what is dropped once it is whole, and says what it cannot place',
    async (t) => {
      const folder = await temporaryFolder(t)
      const before = await version()
      const watching = start('--watch', folder, '--settle', '0.2', '--json')
      const part = join(folder, 'PMMS_history.csv.part')
      await writeFile(part, survey('1/2/2026', '1/9/2026'))
      await writeFile(join(folder, 'holiday.txt'), 'the beach')
      await mkdir(join(folder, 'both'))
      await writeFile(join(folder, 'both', 'DGS10.csv'), 'observation_date,DGS10\n2026-01-02,4.1\n')
      await writeFile(join(folder, 'both', 'readme.txt'), 'nothing')
      await until(watching.child, () => watching.written.out.includes('\n'))
      const told = JSON.parse(watching.written.out) as { loads: unknown; unplaced: { path: string }[] }
      t.match(told.loads, [{ source: 'fred', editions: [{ name: 'DGS10.csv', status: 'published' }] }])
      t.strictSame(
        told.unplaced.map(({ path }) => path).sort(),
        [join(folder, 'both', 'readme.txt'), join(folder, 'holiday.txt')].sort(),
      )
      const between = await version()
      t.not(between, before)
      await rename(part, part.replace('.part', ''))
      await until(watching.child, async () => (await version()) !== between)
      watching.child.kill('SIGTERM')
      const { code, out } = await watching.end
      t.equal(code, 0)
      t.equal(out.trim().split('\n').length, 2, 'what cannot be placed is told once')
    },
  )
})
