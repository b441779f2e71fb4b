/** The Python client: it is what the generator writes, its types hold, it works against a server, its wheel installs. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'tap'
import { generated } from '../../clients/generate/files.ts'
import { readModel } from '../../clients/generate/methods.ts'
import { catalog } from '../../server/catalog/catalog.ts'
import { build } from '../helpers/app.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { python, withoutModules } from '../helpers/python.ts'

const clients = fileURLToPath(new URL('../../clients/', import.meta.url))
const folder = join(clients, 'python')
const modules = 'duckdb, hatchling, httpx, mypy, pandas, polars, pyarrow, pytest'

const run = (command: string, args: string[], env: Record<string, string> = {}): Promise<string> =>
  promisify(execFile)(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    maxBuffer: 1 << 26,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr, message }) => {
      throw new Error(`${message}\n${stdout}\n${stderr}`)
    },
  )

test('clients have what the descriptions of the datasets say: `npm run clients` writes it', async (t) => {
  for (const [path, text] of await generated())
    t.ok(
      (await readFile(join(clients, path), 'utf8')) === text,
      `clients/${path} is what the generator writes`,
    )
  const { methods } = await readModel()
  t.strictSame(
    methods.map(({ key }) => key),
    catalog.map(({ key }) => key),
  )
  t.equal(methods.find(({ key }) => key === 'screener-panel')!.resumes, 'report_date')
})

test('the Python client', { skip: withoutModules(modules), timeout: 600_000 }, async (t) => {
  const place = await temporaryFolder(t)

  t.test('has types that hold', async (t) => {
    t.match(await run(python, ['-m', 'mypy', '--cache-dir', join(place, 'mypy')]), /no issues found/)
    const wrong = ['import us_banking', 'client = us_banking.Client()', 'client.screen(state="XX")']
    wrong.push('client.screen(min_roaa=1)', 'client.bank("852218")', 'client.get("bank-peerz")')
    const file = join(place, 'wrong.py')
    await writeFile(file, wrong.join('\n'))
    const told = await run(python, ['-m', 'mypy', '--cache-dir', join(place, 'mypy'), file]).catch(String)
    for (const line of [3, 4, 5, 6]) t.ok(told.includes(`wrong.py:${line}: error`), wrong[line - 1]!)
  })

  t.test('works against a server', async (t) => {
    const whole = await build(t)
    const limited = await build(t, { env: { BURST_PREMIUM: '3', ALLOWANCE_PREMIUM: '30' } })
    const told = await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      PYTHONPATH: 'src',
      PYTHONDONTWRITEBYTECODE: '1',
      BANKING_URL: await whole.listen(),
      BANKING_KEY: keyOf(whole),
      BANKING_LIMITED_URL: await limited.listen(),
      BANKING_LIMITED_KEY: keyOf(limited),
    })
    t.match(told, /\d\d passed/)
    t.notMatch(told, /skipped|failed/)
  })

  t.test('installs from its wheel, and then the lines of its README run', async (t) => {
    await run(python, ['-m', 'pip', 'wheel', '-q', '--no-deps', '--no-build-isolation', '-w', place, folder])
    await run(python, ['-m', 'venv', join(place, 'fresh')])
    const fresh = join(place, 'fresh', 'bin', 'python')
    const wheel = join(place, 'us_banking-0.1.0-py3-none-any.whl')
    const quiet = ['-q', '--disable-pip-version-check']
    await run(fresh, ['-m', 'pip', 'install', ...quiet, `${wheel}[pandas,polars]`])
    const server = await build(t)
    const lines = await run(fresh, ['tests/run_readme.py', await server.listen(), keyOf(server)])
    t.match(lines, /total_assets +roa\n0 /, 'a data frame')
    t.match(lines, /'total_assets': 'thousands of US dollars'/)
    t.match(lines, /report_date ┆ roa/)
    t.match(lines, /\nroa\n/, 'what was meant')
  })
})

const keyOf = ({ headers }: { headers: { authorization: string } }): string =>
  headers.authorization.replace('Bearer ', '')
