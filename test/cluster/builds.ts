// A server that dies while a version is built leaves what is served as it was; the next build finds nothing in its way.
import type { Test } from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { type Build, beginBuild } from '../../server/engine/build.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { publishing } from '../../server/publishing.ts'
import { derive } from '../../sql/universes/index.ts'
import type { Cluster } from '../helpers/cluster.ts'
import { memoryLog } from '../helpers/engine.ts'
import { until } from '../helpers/under-load.ts'

const NEWEST = '(SELECT max(report_date) FROM filers)'

/** What a reader sees of the cohorts and of the figures. */
const figures = async (engine: Engine): Promise<unknown> =>
  engine.rows({
    database: (await currentPublication(engine))!.database,
    sql: `SELECT report_date, count() AS banks, sum(total_assets) AS assets, (SELECT count() FROM call_report_items) AS items
          FROM bank_quarters GROUP BY report_date ORDER BY report_date`,
  })

/** Of each server that answers, which versions it has. */
async function versions(engine: Engine): Promise<string[]> {
  return engine.places!.databases()
}

export async function builds(t: Test, { nodes, env }: Cluster): Promise<void> {
  const open = async (t: Test): Promise<Engine> => {
    const engine = await openEngine(readConfig({ ...env, VERSION_GRACE_SECONDS: '0' }), memoryLog())
    t.teardown(() => engine.close())
    return engine
  }
  const back = async (engine: Engine): Promise<void> => {
    t.ok(await until(() => engine.nodes!().every(({ state }) => state === 'ready')), 'all answer again')
  }
  const begin = (engine: Engine): Promise<Build> =>
    beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  const newest = async (build: Build): Promise<string> => {
    const result = await build.client.query({
      query: `SELECT toString(${NEWEST}) AS day`,
      format: 'JSONEachRow',
    })
    return (await result.json<{ day: string }>())[0]!.day
  }
  /** Takes away the filings of a quarter, which is derived again. */
  const change = async (build: Build): Promise<void> => {
    const day = await newest(build)
    await build.client.command({
      query: `ALTER TABLE call_report_items DELETE WHERE report_date = '${day}' AND rssd_id % 10 = 1`,
    })
    await build.client.command({
      query: `ALTER TABLE filers DELETE WHERE report_date = '${day}' AND rssd_id % 10 = 1`,
    })
  }

  const stages: Record<string, (build: Build, kill: () => Promise<void>) => Promise<unknown>> = {
    'before anything is changed': async (build, kill) => {
      await kill()
      await change(build)
    },
    'while it is derived': async (build, kill) => {
      await change(build)
      const day = await newest(build)
      let killed: Promise<void> | undefined
      await derive(build, { bank: [day] }, (step) => {
        if (step.startsWith('ranks')) killed ??= kill()
      })
      await killed
      await build.publish()
    },
    'before it is published': async (build, kill) => {
      await change(build)
      await derive(build, { bank: [await newest(build)] })
      await kill()
      await build.publish()
    },
  }
  // the second builds the other shard, the first is where the control database is
  for (const n of [1, 0])
    for (const [stage, work] of Object.entries(stages).slice(n === 1 ? 0 : 2))
      await t.test(`server ${n + 1} dies ${stage}`, async (t) => {
        const engine = await open(t)
        const before = await figures(engine)
        const served = await currentPublication(engine)
        const build = await begin(engine)
        await t.rejects(work(build, () => nodes[n]!.kill()))
        await build.discard().catch(() => {})
        await nodes[n]!.start()
        await back(engine)
        t.strictSame(await currentPublication(engine), served)
        t.strictSame(await figures(engine), before)
        const next = await begin(engine)
        t.strictSame(
          (await versions(engine)).sort(),
          [served!.database, next.database].sort(),
          'nothing is left of it',
        )
        await next.discard()
      })

  await t.test('a copy that dies is left out, and has the next version', async (t) => {
    const engine = await open(t)
    const build = await begin(engine)
    await change(build)
    const day = await newest(build)
    await derive(build, { bank: [day] })
    const copy = nodes.length - 1
    await nodes[copy]!.kill()
    const { database } = await build.publish()
    const after = await figures(engine)
    await nodes[copy]!.start()
    await back(engine)
    t.strictSame(await figures(engine), after)
    t.ok(await until(() => engine.nodes!()[0]!.holds))
    t.equal(engine.nodes!()[copy]!.holds, false, 'it lacks the version')
    const next = await begin(engine)
    const published = await next.publish()
    t.not(published.database, database)
    await figures(engine)
    t.ok(await until(() => engine.nodes!().every(({ holds }) => holds)), 'it has this one')
    t.strictSame(await figures(engine), after)
  })
}
