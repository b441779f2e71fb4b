// `npm start` with several processes over several servers, of which the one that writes dies.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { answerersOf, startMain } from '../helpers/main-process.ts'
import { replicas } from '../helpers/replicas.ts'
import { samples } from '../ops/samples.ts'

t.test(
  'two processes over two servers',
  { skip: process.platform !== 'linux' && 'it looks into /proc' },
  async (t) => {
    const { replicas: servers, env } = await replicas(t, 2)
    const main = startMain(t, {
      ...env,
      PROCESSES: '2',
      VERSION_GRACE_SECONDS: '600',
      RESIDENT_MIB: '0',
      HISTORY_MIB: '0',
    })
    const [, address] = await main.until(/Ready in .*?: (http:\/\/\S+)/)
    const [, ops] = await main.until(/"address":"(http[^"]+)","msg":"operations port"/)
    let asked = 0
    /** A screen that was never asked before, over a connection of its own. */
    const screen = async (): Promise<{ status: number; rows: string }> => {
      const url = `${address}/api/v1/screeners/banks/?fields=rssd_id,total_assets&sort=rssd_id&min_total_assets=-${++asked}`
      const answer = await fetch(url, { headers: { connection: 'close' } })
      return {
        status: answer.status,
        rows: JSON.stringify(((await answer.json()) as { data: unknown }).data),
      }
    }
    const up = async (n: number): Promise<number | undefined> =>
      samples(await (await fetch(`${ops}/metrics`)).text()).value('banking_node_up', {
        node: servers[n]!.url,
      })
    const until = async (what: () => Promise<boolean>, seconds = 40): Promise<boolean> => {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(100))
        if (await what().catch(() => false)) return true
      return false
    }
    const before = await screen()
    t.equal(before.status, 200)
    t.ok(await until(async () => (await up(0)) === 1 && (await up(1)) === 1))

    await servers[0]!.kill()
    for (let n = 0; n < 30; n++) t.strictSame(await screen(), before)
    t.ok(await until(async () => (await up(0)) === 0))
    t.equal(await up(1), 1)
    // each process finds out by itself
    const ready = async () => (await (await fetch(`${ops}/health/ready`)).json()) as { nodes: { up: number } }
    t.ok(await until(async () => (await ready()).nodes.up === 1))
    t.match(await ready(), { status: 'ready', nodes: { up: 1, of: 2 } })

    await t.test('a process that ends is replaced without the first server', async (t) => {
      const [one] = answerersOf(main.child.pid!)
      process.kill(one!, 'SIGKILL')
      t.ok(await until(async () => answerersOf(main.child.pid!).filter((pid) => pid !== one).length === 2))
      // until it has read the version it refuses, or takes no connection
      t.ok(
        await until(async () =>
          (await Promise.all(Array.from({ length: 16 }, screen))).every(({ status }) => status === 200),
        ),
      )
      for (let n = 0; n < 30; n++) t.strictSame(await screen(), before)
    })

    await t.test('the first server is back', async (t) => {
      await servers[0]!.start()
      t.ok(await until(async () => (await up(0)) === 1))
      t.strictSame(await screen(), before)
    })
  },
)
