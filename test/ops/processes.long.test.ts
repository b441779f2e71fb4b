// PROCESSES: several processes at one port, led by one.
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { openEngine } from '../../server/engine/open.ts'
import { publishing } from '../../server/publishing.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { answerersOf, startMain } from '../helpers/main-process.ts'
import { copyUniverse } from '../helpers/universe-folder.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** One connection, kept alive: one of the processes takes it. */
const connection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 })

const ask = (url: string, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }))
      response.on('error', reject)
    }).on('error', reject)
  })

t.test('two processes', { skip: process.platform !== 'linux' && 'it looks into /proc' }, async (t) => {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const allowed = 60
  const main = startMain(t, {
    ...{ DATA_DIR: folder, VERSION_POLL_MS: '100', PROCESSES: '2' },
    ...{ ALLOWANCE_NO_KEY: String(allowed), BURST_NO_KEY: '0', TRUSTED_PROXIES: '127.0.0.1' },
  })
  const [, address] = await main.until(/Ready in .*?: (http:\/\/\S+)/)
  const [, ops] = await main.until(/"address":"(http[^"]+)","msg":"operations port"/)
  const [one, other] = answerersOf(main.child.pid!) as [number, number]
  /** Connections that this process takes: the other stands still meanwhile. */
  const connectionsTo = async (pid: number): Promise<Agent[]> => {
    const rest = answerersOf(main.child.pid!).filter((another) => another !== pid)
    for (const another of rest) process.kill(another, 'SIGSTOP')
    const agents = Array.from({ length: 3 }, connection)
    t.teardown(() => {
      for (const agent of agents) agent.destroy()
    })
    for (const agent of agents) await ask(`${address}/health/live`, agent)
    for (const another of rest) process.kill(another, 'SIGCONT')
    return agents
  }
  const ofOne = await connectionsTo(one)
  const ofOther = await connectionsTo(other)
  const agents = ofOne.flatMap((agent, n) => [agent, ofOther[n]!])
  const states = `${address}/api/v1/reference/states/`
  const sample = async (pattern: RegExp): Promise<number> => {
    const { body } = await ask(`${ops}/metrics`, new Agent())
    return Number(pattern.exec(body)?.[1] ?? Number.NaN)
  }
  const answered = /^banking_requests_total\{dataset="reference-states",status="200"\} (\d+)$/m

  await t.test('their clients are counted together, to the last answer', async (t) => {
    const answers = await Promise.all(
      Array.from({ length: 2 * allowed }, (_, n) => ask(states, agents[n % agents.length]!)),
    )
    const given = answers.filter(({ status }) => status === 200)
    t.equal(given.length, allowed)
    t.equal(answers.filter(({ status }) => status === 429).length, allowed)
    const left = given.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    t.equal(Math.min(...left), 0)
    t.ok(left.every((one) => one < allowed))
  })

  await t.test('and so is what they did', async (t) => {
    t.equal(await sample(answered), allowed)
    t.equal(await sample(/^banking_publications_total (\d+)$/m), 2)
    t.equal(await sample(/^banking_engine_up (\d+)$/m), 1)
    t.equal(await sample(/^banking_publication_info\{[^}]*\} (\d+)$/m), 1)
    t.equal((await ask(`${ops}/health/ready`, new Agent())).status, 200)
  })

  await t.test('no client sees a version and then the one before', async (t) => {
    const log = memoryLog()
    const engine = await openEngine(readConfig({ DATA_DIR: folder }), log)
    t.teardown(() => engine.close())
    const seen: string[] = []
    let over = false
    // in turns over connections of both processes, each request after the answer of the last
    const client = (async () => {
      for (let n = 0; !over; n++) {
        const { status, body } = await ask(`${address}/health/ready`, agents[n % agents.length]!)
        if (status !== 200) t.fail(`${status} ${body}`)
        const { data_version: version } = JSON.parse(body) as { data_version: string }
        if (seen.at(-1) !== version) seen.push(version)
      }
    })()
    const published: string[] = [
      JSON.parse((await ask(`${address}/health/ready`, agents[0]!)).body).data_version,
    ]
    for (let n = 0; n < 2; n++) {
      const build = await beginBuild(engine, { synthetic: true, ...publishing }, log)
      published.push((await build.publish()).dataVersion)
      for (let tries = 0; tries < 200 && seen.at(-1) !== published.at(-1); tries++) await wait(50)
    }
    over = true
    await client
    t.strictSame(seen, published)
  })

  await t.test('none answers from a version that another has not read', async (t) => {
    const versionOf = (agent: Agent) =>
      ask(`${address}/health/ready`, agent).then(({ body }) => JSON.parse(body).data_version as string)
    const before = await versionOf(ofOne[0]!)
    process.kill(other, 'SIGSTOP')
    const log = memoryLog()
    const engine = await openEngine(readConfig({ DATA_DIR: folder }), log)
    t.teardown(() => engine.close())
    const build = await beginBuild(engine, { synthetic: true, ...publishing }, log)
    const { dataVersion } = await build.publish()
    // many times VERSION_POLL_MS
    await wait(1500)
    for (const agent of ofOne) t.equal(await versionOf(agent), before)
    process.kill(other, 'SIGCONT')
    for (let tries = 0; tries < 200 && (await versionOf(ofOne[0]!)) !== dataVersion; tries++) await wait(50)
    for (const agent of agents) t.equal(await versionOf(agent), dataVersion)
  })

  await t.test('one that dies is replaced, and no answer of the other is lost', async (t) => {
    let over = false
    const lost = async (agent: Agent): Promise<number> => {
      let count = 0
      while (!over) {
        const asked = await ask(states, agent).catch(() => null)
        // of the allowance nothing is left
        if (asked?.status !== 429) count++
      }
      return count
    }
    const clients = Promise.all([ofOne, ofOther].map((agents) => Promise.all(agents.map(lost))))
    await wait(200)
    process.kill(one, 'SIGKILL')
    let now: number[] = []
    for (let tries = 0; tries < 400 && !(now.length === 2 && !now.includes(one)); tries++) {
      await wait(50)
      now = answerersOf(main.child.pid!)
    }
    t.equal(now.length, 2)
    await main.until(/"msg":"a process that answers has ended: starting another"/)
    over = true
    // each connection of the dead one breaks, with the answer that was under way, and the next goes to one that lives
    const [ofDead, ofLiving] = await clients
    t.ok(
      ofDead!.every((count) => count <= 1),
      ofDead!.join(),
    )
    t.strictSame(ofLiving, [0, 0, 0])
    const [replacement] = now.filter((pid) => pid !== other)
    for (let tries = 0; tries < 400 && !main.written().includes(`"pid":${replacement},`); tries++)
      await wait(50)
    for (const agent of await connectionsTo(replacement!)) t.equal((await ask(states, agent)).status, 429)
  })

  await t.test('SIGTERM ends all of them, with 0', async (t) => {
    const pids = answerersOf(main.child.pid!)
    main.child.kill('SIGTERM')
    t.equal(await main.exited(), 0)
    for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  })
})

t.test('a port that another has is told as for one process', async (t) => {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const taken = startMain(t, { DATA_DIR: folder })
  const [, address] = await taken.until(/Ready in .*?: (http:\/\/\S+)/)
  const main = startMain(t, { DATA_DIR: folder, PROCESSES: '2', PORT: new URL(address!).port })
  t.equal(await main.exited(), 1)
  t.match(main.written(), /PORT is \d+: another process listens there/)
})
