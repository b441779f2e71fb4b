// The same service over two shards with two copies each: what it answers, and what it bears.
import t from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { openEngine } from '../../server/engine/open.ts'
import { cluster } from '../helpers/cluster.ts'
import { memoryLog } from '../helpers/engine.ts'
import { publishUniverse } from '../helpers/universe-folder.ts'
import { builds } from './builds.ts'
import { faults } from './faults.ts'
import { matrix } from './matrix.ts'
import { publish } from './publish.ts'
import { reads } from './reads.ts'

t.setTimeout(1_800_000)

t.test('two shards with two copies each', async (t) => {
  const made = await cluster(t, { shards: 2, copies: 2 })
  const log = memoryLog()
  const engine = await openEngine(readConfig({ ...made.env, VERSION_GRACE_SECONDS: '0' }), log)
  await publishUniverse(engine, log)
  await engine.close()
  t.notOk(log.lines.some(({ message }) => message === 'a copy of a shard is left out'))

  await t.test('every example of every dataset', (t) => matrix(t, made.env))
  await t.test('reads', (t) => reads(t, made))
  await t.test('builds', (t) => builds(t, made))
  await t.test('a publish under load', (t) => publish(t, made))
  await t.test('servers that are no such cluster', (t) => faults(t, made))
})
