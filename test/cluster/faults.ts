// Settings that do not fit the servers, or the data that is there: each is named, and nothing is changed.
import type { Test } from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { beginBuild } from '../../server/engine/build.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import { openEngine } from '../../server/engine/open.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { publishing } from '../../server/publishing.ts'
import type { Cluster } from '../helpers/cluster.ts'
import { memoryLog } from '../helpers/engine.ts'
import { rebuild } from '../helpers/universe-folder.ts'

export async function faults(t: Test, { nodes, env }: Cluster): Promise<void> {
  const built = async (settings: Record<string, string>, synthetic = true) => {
    const engine = await openEngine(
      readConfig({ ...env, VERSION_GRACE_SECONDS: '0', ...settings }),
      memoryLog(),
    )
    t.teardown(() => engine.close())
    const build = beginBuild(engine, { synthetic, what: 'a test' }, memoryLog())
    return { engine, build }
  }
  await t.test('a cluster that nobody knows', async (t) => {
    const { engine, build } = await built({ CLICKHOUSE_CLUSTER: 'others' })
    await t.rejects(build, { code: 'CLUSTER', message: /knows no cluster others \(remote_servers\)/ })
    t.ok(await currentPublication(engine))
  })
  await t.test('a shard without a server at CLICKHOUSE_URL', async (t) => {
    const { build } = await built({ CLICKHOUSE_URL: nodes[0]!.url })
    await t.rejects(build, { code: 'ENGINE_UNAVAILABLE', message: /of shard 2 of banks no server answers/ })
  })
  await t.test('one server of a version that is divided', async (t) => {
    const { build } = await built({ CLICKHOUSE_URL: nodes[0]!.url, CLICKHOUSE_CLUSTER: '' })
    await t.rejects(build, {
      message: /is divided between the servers of a cluster: CLICKHOUSE_CLUSTER has to name it/,
    })
  })
  await t.test('a cluster over a version of one server', async (t) => {
    const alone = { CLICKHOUSE_DATABASE: 'alone' }
    const one = readConfig({ ...env, ...alone, CLICKHOUSE_URL: nodes[0]!.url, CLICKHOUSE_CLUSTER: '' })
    const engine = await openEngine(one, memoryLog())
    t.teardown(() => engine.close())
    await ensureCurrent(engine, { ...publishing, rebuild }, memoryLog())
    // as what is served there: a build of the other kind starts empty
    const { build } = await built(alone, false)
    await t.rejects(build, { code: 'CLUSTER', message: /lies on one server, and is not divided/ })
  })
}
