/** Counts that outlive a process and are shared by several, through ClickHouse and through Redis. */
import t, { type Test } from 'tap'
import { Use, type UseOptions, type UseStore } from '../../server/access/use.ts'
import { ClickHouseUse } from '../../server/access/use-clickhouse.ts'
import { RedisUse } from '../../server/access/use-redis.ts'
import { prepareControl } from '../../server/engine/control.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { memoryLog, testEngine } from '../helpers/engine.ts'
import { openRedis, redisPath } from '../helpers/redis.ts'

const client = 'key:k0123456789ab'

/** What holds for every store. @param open another instance's view of the same store */
async function holds(t: Test, open: () => Promise<UseStore>): Promise<void> {
  const log = memoryLog()
  const run = async (options: Partial<UseOptions> = {}) =>
    // never by itself: the test says when
    new Use({ store: await open(), log, intervalMs: 2 ** 31 - 1, ...options })

  await t.test('instances see what the others counted, and a later one what was before it', async (t) => {
    const [one, two] = [await run(), await run()]
    for (let i = 0; i < 7; i++) one.take(client, 'bank-trends')
    one.giveBack(one.take(client, 'bank-trends'), 'bank-trends')
    two.take(client, 'bank-screener')
    two.take('ip:203.0.113.7', 'bank-screener')
    await one.sync()
    await two.sync()
    t.equal(two.used(client), 8)
    one.take(client, 'metrics')
    await one.sync()
    t.equal(one.used(client), 9)
    t.equal(one.used('ip:203.0.113.7'), 1)
    two.take(client, 'metrics')
    await two.sync()
    t.equal(two.used(client), 10)

    const later = await run()
    await later.sync()
    t.equal(later.used(client), 10, 'of a run that was killed, what it had written')
    const date = new Date().toISOString().slice(0, 10)
    t.strictSame(
      await later.history(client, 31),
      [{ date, requests: 10, datasets: { 'bank-trends': 7, metrics: 2, 'bank-screener': 1 } }].map((day) => ({
        ...day,
        datasets: Object.fromEntries(Object.entries(day.datasets).sort()),
      })),
    )
    t.strictSame(await later.history('ip:203.0.113.7', 1), [{ date, requests: 1, datasets: {} }])
    for (const use of [one, two, later]) await use.close()
  })

  await t.test('what is given back after midnight is given back to its day', async (t) => {
    let now = Date.UTC(2031, 1, 28, 23, 59, 59)
    const use = await run({ now: () => now })
    use.take(client, 'metrics')
    const late = use.take(client, 'metrics')
    await use.sync()
    now += 1000
    t.equal(use.used(client), 0)
    use.take(client, 'metrics')
    use.giveBack(late, 'metrics')
    await use.sync()
    t.equal(use.used(client), 1)
    now -= 1000
    const before = await run({ now: () => now })
    await before.sync()
    t.equal(before.used(client), 1)
    await use.close()
    await before.close()
  })

  await t.test('of many addresses those are remembered that had most, and every key', async (t) => {
    const bounded = { now: () => Date.UTC(2032, 0, 1, 12), mostAddresses: 100 }
    const use = await run(bounded)
    const heavy = 'ip:203.0.113.7'
    const swept = Array.from({ length: 5000 }, (_, i) => `ip:10.0.${i >> 8}.${i & 255}`)
    const remembered = (of: Use) => swept.filter((one) => of.used(one) > 0).length
    use.take(client, 'metrics')
    for (let i = 0; i < 40; i++) use.take(heavy, 'metrics')
    for (const [i, one] of swept.entries()) {
      use.take(one, 'metrics')
      // some come more than once, and none as often
      if (i % 10 === 0) for (let again = 0; again < 3; again++) use.take(one, 'metrics')
      if (i % 1000 === 0) await use.sync()
    }
    t.ok(remembered(use) <= 99, `${remembered(use)} of ${swept.length} are remembered`)
    t.ok(use.used(swept.at(-1)!) > 0, 'the last one is')
    t.equal(use.used(heavy), 40)
    t.equal(use.used(client), 1)
    await use.sync()
    const later = await run(bounded)
    await later.sync()
    t.ok(remembered(later) <= 99, `${remembered(later)} by one that reads what the other wrote`)
    t.equal(later.used(heavy), 40)
    t.equal(later.used(client), 1)
    await use.close()
    await later.close()
  })
}

const sorted = (store: UseStore): UseStore => {
  const history = store.history.bind(store)
  store.history = async (...of) =>
    (await history(...of)).map((day) => ({
      ...day,
      datasets: Object.fromEntries(Object.entries(day.datasets).sort()),
    }))
  return store
}

t.test('through ClickHouse', async (t) => {
  const { engine } = await testEngine(t)
  await prepareControl(engine)
  await holds(t, async () => sorted(new ClickHouseUse(engine)))

  await t.test('what cannot be written is written later, once', async (t) => {
    const log = memoryLog()
    let down = true
    // an engine that breaks off after it has written: the answer is lost, not the rows
    const cut = {
      ...engine,
      loader: () => {
        const real = engine.loader()
        return Object.assign(Object.create(real), {
          query: real.query.bind(real),
          insert: async (rows: Parameters<typeof real.insert>[0]) => {
            const done = await real.insert(rows)
            if (down) throw new Error('socket hang up')
            return done
          },
        })
      },
    } as Engine
    const use = new Use({ store: new ClickHouseUse(cut), log, intervalMs: 2 ** 31 - 1 })
    for (let i = 0; i < 3; i++) use.take('key:kcafecafecafe', 'metrics')
    await use.sync()
    await use.sync()
    t.equal(log.lines.filter(({ level }) => level === 'error').length, 1, 'told once')
    down = false
    use.take('key:kcafecafecafe', 'metrics')
    const [today] = await use.history('key:kcafecafecafe', 1)
    t.match(today, { requests: 4, datasets: { metrics: 4 } })
    await use.close()
  })
})

const redis = await redisPath()
const skip = redis ? false : 'no redis-server is installed (REDIS_SERVER may name one)'

t.test('through Redis', { skip }, async (t) => {
  const { url, kill, start } = await openRedis(t, redis!)
  const open = async (log = memoryLog()) => {
    const store = new RedisUse(url, 'banking', log)
    await store.open()
    return sorted(store)
  }
  await holds(t, open)

  await t.test('a Redis that is killed loses nothing that it had, and is caught up with', async (t) => {
    const log = memoryLog()
    const use = new Use({ store: await open(log), log, intervalMs: 2 ** 31 - 1 })
    use.take('key:kcafecafecafe', 'metrics')
    await use.sync()
    await kill()
    use.take('key:kcafecafecafe', 'metrics')
    await use.sync()
    t.equal(use.used('key:kcafecafecafe'), 2, 'goes on counting')
    t.match(log.lines, [{ level: 'error' }])
    await start()
    for (
      let i = 0;
      i < 100 && (await use.history('key:kcafecafecafe', 1).catch(() => [])).length === 0;
      i++
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await use.sync()
    t.match(await use.history('key:kcafecafecafe', 1), [{ requests: 2, datasets: { metrics: 2 } }])
    const other = new Use({ store: await open(), log, intervalMs: 2 ** 31 - 1 })
    await other.sync()
    t.equal(other.used('key:kcafecafecafe'), 2)
    await use.close()
    await other.close()
  })

  await t.test('a Redis that is not there stops nobody', async (t) => {
    await kill()
    const log = memoryLog()
    const store = new RedisUse(url, 'banking', log)
    await store.open()
    const use = new Use({ store, log, intervalMs: 2 ** 31 - 1 })
    use.take(client, 'metrics')
    await use.sync()
    t.equal(use.used(client), 1)
    t.ok(log.lines.every(({ level }) => level === 'error') && log.lines.length > 0)
    t.notOk(JSON.stringify(log.lines).includes('redis://'))
    await use.close()
  })
})
