/** Keys and counts of running servers: the command beside them, two of them, and one that is killed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { temporaryFolder } from '../helpers/engine.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

const file = (path: string): string => fileURLToPath(new URL(`../../server/${path}`, import.meta.url))
const ANSWER = '/api/v1/rates/treasury-bill/?limit=1'

t.test('keys beside running servers', { timeout: 900_000 }, async (t) => {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DEMO_QUARTERS: '8',
    ALLOWANCE_FREE: '40',
  }

  /** Exit code and words of `npm run keys`. */
  const keys = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      execFile(
        process.execPath,
        ['--import', 'tsx', file('access/cli.ts'), ...args],
        { env },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      )
    })
  const json = async (...args: string[]) => JSON.parse((await keys(...args, '--json')).out)
  const said: string[] = []
  const start = async (): Promise<{ child: ChildProcess; origin: string }> => {
    const child = spawn(process.execPath, ['--import', 'tsx', file('main.ts')], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    child.stdout!.on('data', (chunk) => said.push(String(chunk)))
    for await (const line of createInterface({ input: child.stderr! })) {
      said.push(line)
      const [, origin] = /^Ready in .*?: (http:\/\/\S+)/.exec(line) ?? []
      if (origin) return { child, origin }
    }
    throw new Error(said.join('\n'))
  }
  const status = async (origin: string, secret: string, path = ANSWER): Promise<number> => {
    const response = await fetch(origin + path, { headers: { authorization: `Bearer ${secret}` } })
    await response.arrayBuffer()
    return response.status
  }
  const account = async (origin: string, secret: string) => {
    const response = await fetch(`${origin}/api/v1/account/`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there
    return ((await response.json()) as any).data
  }
  /** Waits for a status on each server; milliseconds that it took. */
  const until = async (wanted: number, origins: string[], secret: string, path?: string): Promise<number> => {
    const began = Date.now()
    for (const origin of origins) {
      while ((await status(origin, secret, path)) !== wanted && Date.now() - began < 10_000) await wait(50)
    }
    return Date.now() - began
  }

  const before = await json('create', '--plan', 'free', '--name', 'Before any server')
  t.match(before.key, /^bds_f_[\w-]{43}$/)
  const [one, two] = [await start(), await start()]
  const origins = [one.origin, two.origin]

  await t.test('a key made before a server started is in force in it', async (t) => {
    t.equal(await status(one.origin, before.key), 200)
  })

  const made = await json('create', '--plan', 'free', '--name', 'Beside them')
  await t.test(
    'one made, promoted, rotated and revoked beside them is so on each within 5 seconds',
    async (t) => {
      const panel = '/api/v1/screeners/panel/?limit=1&metrics=roa'
      t.ok((await until(403, origins, made.key, panel)) < 5000)
      t.equal((await json('set-plan', made.id, 'premium')).plan, 'premium')
      t.ok((await until(200, origins, made.key, panel)) < 5000)
      const rotated = await json('rotate', made.id, '--overlap', '3600')
      t.ok((await until(200, origins, rotated.key, panel)) < 5000)
      for (const origin of origins)
        t.equal(await status(origin, made.key, panel), 200, 'the key before, for a while')
      const again = await json('rotate', made.id)
      t.ok((await until(200, origins, again.key, panel)) < 5000)
      for (const origin of origins) {
        t.equal(await status(origin, made.key), 401)
        t.equal(await status(origin, rotated.key), 401)
      }
      t.match((await json('revoke', made.id)).revoked_at, /Z$/)
      t.ok((await until(401, origins, again.key)) < 5000)
      t.match(await json('list'), [
        { name: 'Before any server', revoked_at: null },
        { id: made.id, plan: 'premium' },
      ])
      t.equal((await keys('rotate', made.id)).code, 1, 'for ever')
    },
  )

  await t.test('the command says what it wants, and repeats no key', async (t) => {
    const cases: [string[], number, RegExp][] = [
      [['create', '--plan', 'gold', '--name', 'x'], 2, /Allowed choices are free, premium/],
      [['create', '--plan', 'free'], 2, /required option '--name <name>'/],
      [['revoke', before.key], 2, /Expected an id/],
      [['set-plan', before.id, 'none'], 2, /Expected one of free, premium/],
      [['rotate', before.id, '--overlap', 'soon'], 2, /Expected whole seconds/],
      [['revoke', 'k000000000000'], 1, /There is no key with the id/],
    ]
    for (const [args, code, words] of cases) {
      const result = await keys(...args)
      t.equal(result.code, code, args.join(' ').slice(0, 8))
      t.match(result.err, words)
      t.notOk(result.err.includes(before.key.slice(8)))
    }
    t.notOk((await keys('list')).out.includes('bds_'))
  })

  await t.test('both count for the same allowance, and kill -9 loses at most the last second', async (t) => {
    for (let i = 0; i < 12; i++) t.equal(await status(origins[i % 2]!, before.key), 200)
    await wait(1000)
    one.child.kill('SIGKILL')
    await once(one.child, 'exit')
    const three = await start()
    t.equal((await account(three.origin, before.key)).allowance.used, 13, 'and the one before')
    for (let i = 0; i < 27; i++) t.equal(await status(three.origin, before.key), 200)
    t.equal(await status(three.origin, before.key), 429)
    await wait(1500)
    // it hears of others' counts when it is asked itself
    await status(two.origin, before.key)
    await wait(1500)
    t.equal(await status(two.origin, before.key), 429)
    const { use } = await account(three.origin, before.key)
    t.match(use, [{ datasets: [{ dataset: 'rates-treasury-bill' }] }])
  })

  await t.test('nothing that a server wrote has a key in it', async (t) => {
    t.notOk(/bds_[fp]_/.test(said.join('')))
  })
})
