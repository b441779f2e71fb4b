// A version that is published while it is read: no answer mixes it with the one before, on whatever server.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { build } from '../helpers/app.ts'
import type { Cluster } from '../helpers/cluster.ts'
import { fromEngine, nodesOf, renaming, underLoad, until } from '../helpers/under-load.ts'

export async function publish(t: Test, { env }: Cluster): Promise<void> {
  const service = await build(t, {
    data: false,
    env: { ...env, ...fromEngine, VERSION_GRACE_SECONDS: '600' },
  })
  t.ok(await until(() => nodesOf(service).every(({ holds }) => holds)))
  const { versions, ofItsVersion, publish } = renaming(t, service)
  const seen = await underLoad(service, ofItsVersion, async () => {
    await publish()
    t.ok(await until(() => nodesOf(service).every(({ holds }) => holds)), 'all hold it')
    await sleep(1_500)
  })
  t.comment(JSON.stringify(seen))
  t.match(seen, { lost: 0, wrong: 0 })
  t.equal(versions.size, 2, 'both were read')
}
