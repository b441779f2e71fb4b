import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { enginePaths, readEngineFile } from '../../server/engine/address.ts'
import { answers } from '../../server/engine/child.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { findLibraries } from '../../server/engine/library.ts'
import { openEngine } from '../../server/engine/open.ts'
import { memoryLog, temporaryFolder, testEngine } from '../helpers/engine.ts'
import { otherProcess } from '../helpers/other-process.ts'

const database = 'banking_v_test'

async function until(what: () => boolean | Promise<boolean>, seconds = 10): Promise<boolean> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(10)) {
    if (await what()) return true
  }
  return false
}

async function enginePid(engine: Engine): Promise<number> {
  return (await readEngineFile(enginePaths(engine.config).address))!.pid
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function keepOneRow(engine: Engine): Promise<void> {
  await engine.loader('default').command({ query: `CREATE DATABASE ${database}` })
  await engine
    .loader(database)
    .command({ query: 'CREATE TABLE kept (a UInt8) ENGINE = MergeTree ORDER BY a' })
  await engine.loader(database).insert({ table: 'kept', values: [{ a: 7 }], format: 'JSONEachRow' })
}

const keptRow = (engine: Engine) => engine.rows({ sql: 'SELECT a FROM kept', database })

t.test('the engine ends with close() and has its data when it is opened again', async (t) => {
  const { engine, config } = await testEngine(t)
  const pid = await enginePid(engine)
  await keepOneRow(engine)
  t.equal(
    (await stat(enginePaths(config).address)).mode & 0o777,
    0o600,
    'the passwords are for this user alone',
  )
  t.equal((await stat(enginePaths(config).users)).mode & 0o777, 0o600)
  await engine.close()
  t.equal(engine.state(), 'down')
  t.notOk(lives(pid))
  await t.rejects(keptRow(engine), { code: 'ENGINE_UNAVAILABLE' })

  const again = await openEngine(config, memoryLog())
  t.teardown(() => again.close())
  t.strictSame(await keptRow(again), [{ a: 7 }])
})

t.test('a killed engine is started again with its data, and the clients go on', async (t) => {
  const { engine, log } = await testEngine(t)
  await keepOneRow(engine)
  const loader = engine.loader(database)
  const pid = await enginePid(engine)
  process.kill(pid, 'SIGKILL')
  t.ok(await until(() => engine.state() === 'down'))
  await t.rejects(keptRow(engine), { code: 'ENGINE_UNAVAILABLE', retryAfterSeconds: 2 })
  t.ok(await until(() => engine.state() === 'ready'))
  t.not(await enginePid(engine), pid)
  t.strictSame(await keptRow(engine), [{ a: 7 }])
  await loader.insert({ table: 'kept', values: [{ a: 8 }], format: 'JSONEachRow' })
  t.equal((await keptRow(engine)).length, 2)
  t.ok(
    log.lines.some(
      ({ level, message }) => level === 'error' && /has ended: starting it again/.test(message!),
    ),
  )
})

t.test('several processes share one engine, and outlive the one that started it', async (t) => {
  const dataDir = await temporaryFolder(t)
  const [one, two] = await Promise.all([otherProcess(t, dataDir, 'hold'), otherProcess(t, dataDir, 'hold')])
  t.equal(one.pid, two.pid, 'of two that race, one starts it and the other finds it')
  t.not(one.started, two.started)
  const [owner, guest] = one.started ? [one, two] : [two, one]

  const { engine, log } = await testEngine(t, { DATA_DIR: dataDir })
  t.ok(log.lines.some(({ message }) => message === 'embedded ClickHouse found running'))
  await keepOneRow(engine)
  await owner.kill()
  t.ok(await until(() => !lives(owner.pid)), 'the engine ends with the process that started it')
  t.ok(
    await until(async () => {
      const file = await readEngineFile(enginePaths(engine.config).address)
      return (
        file !== null && file.pid !== owner.pid && engine.state() === 'ready' && (await answers(file, 500))
      )
    }),
    'one of the others starts it again',
  )
  t.strictSame(await keptRow(engine), [{ a: 7 }])
  await guest.end()
  t.ok(
    await until(
      async () => engine.state() === 'ready' && (await keptRow(engine).catch(() => [])).length === 1,
    ),
  )
})

t.test('a data folder that another ClickHouse has is refused', async (t) => {
  const config = readConfig({ DATA_DIR: await temporaryFolder(t) })
  const paths = enginePaths(config)
  // the same program under another lock stands for a ClickHouse of somebody else
  const foreign = spawn(process.execPath, [join(import.meta.dirname, '../../server/engine/child.mjs')], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {
      PATH: process.env.PATH,
      ENGINE_START: JSON.stringify({
        libraries: findLibraries(),
        port: 0,
        listen: ['HTTP'],
        lockFile: join(config.dataDir, 'another.lock'),
        dataDir: paths.data,
        configFile: join(config.dataDir, 'config.xml'),
        files: { [join(config.dataDir, 'config.xml')]: '<clickhouse/>' },
      }),
    },
  })
  t.teardown(() => foreign.kill('SIGKILL'))
  t.ok(await until(async () => (await stat(join(paths.data, 'status')).catch(() => null)) !== null))
  await t.rejects(openEngine(config, memoryLog()), {
    code: 'DATA_DIR_IN_USE',
    message: /in use by another ClickHouse/,
  })
  foreign.stdin!.end()
  await once(foreign, 'exit')
})

t.test('an engine of ours that does not answer is named', async (t) => {
  const { engine, config } = await testEngine(t)
  const pid = await enginePid(engine)
  process.kill(pid, 'SIGSTOP')
  t.teardown(() => process.kill(pid, 'SIGCONT'))
  await t.rejects(openEngine({ ...config, engineStartSeconds: 1 }, memoryLog()), {
    code: 'DATA_DIR_IN_USE',
    message: new RegExp(`in use by process ${pid}\\b`),
  })
  process.kill(pid, 'SIGCONT')
})

t.test('each failure to start says what it was', async (t) => {
  t.throws(() => findLibraries({ CHDB_LIBCHDB_PATH: '/nowhere/libchdb.so' }), {
    code: 'LIBRARY_MISSING',
    message: /set CLICKHOUSE_URL/,
  })
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'file'), '')
  const unusable = readConfig({ DATA_DIR: join(folder, 'file') })
  await t.rejects(openEngine(unusable, memoryLog()), {
    code: 'DATA_DIR_UNUSABLE',
    message: /cannot be written/,
  })

  const broken = readConfig({ DATA_DIR: folder })
  await writeFile(enginePaths(broken).data, 'not a folder')
  await t.rejects(openEngine(broken, memoryLog()), {
    code: 'DIED',
    message: /ended before it was ready[\s\S]*EEXIST/,
  })

  const nobody = readConfig({ CLICKHOUSE_URL: 'http://127.0.0.1:1', CLICKHOUSE_READER_USER: 'r' })
  await t.rejects(openEngine(nobody, memoryLog()), {
    code: 'UNREACHABLE',
    message: /127.0.0.1:1\) does not answer/,
  })
})

t.test('the same interface serves a ClickHouse at CLICKHOUSE_URL', async (t) => {
  const { engine, config } = await testEngine(t)
  await keepOneRow(engine)
  const { url, reader, loader } = (await readEngineFile(enginePaths(config).address))!
  const env = {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: loader.name,
    CLICKHOUSE_PASSWORD: loader.password,
    CLICKHOUSE_READER_USER: reader.name,
    CLICKHOUSE_READER_PASSWORD: reader.password,
  }
  const external = await openEngine(readConfig(env), memoryLog())
  t.equal(external.state(), 'ready')
  t.strictSame(await keptRow(external), [{ a: 7 }])
  await external.close()
  t.equal(engine.state(), 'ready', 'closing it does not end a server that others run')
  t.strictSame(await keptRow(engine), [{ a: 7 }])
  await t.rejects(openEngine(readConfig({ ...env, CLICKHOUSE_PASSWORD: 'wrong' }), memoryLog()), {
    code: 'UNREACHABLE',
    message: /refuses its user/,
  })
})
