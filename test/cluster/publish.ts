// A version that is published while it is read: no answer mixes it with the one before, on whatever server.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { watchPublications } from '../../server/engine/current.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { build } from '../helpers/app.ts'
import type { Cluster } from '../helpers/cluster.ts'
import { memoryLog } from '../helpers/engine.ts'
import { fromEngine, nodesOf, underLoad, until } from '../helpers/under-load.ts'

export async function publish(t: Test, { env }: Cluster): Promise<void> {
  const service = await build(t, {
    data: false,
    env: { ...env, ...fromEngine, VERSION_GRACE_SECONDS: '600' },
  })
  const { engine, published } = service
  t.ok(await until(() => nodesOf(service).every(({ holds }) => holds)))
  const old = published.publication.dataVersion
  const versions = new Set<string>()
  /** In the new version all names end so. */
  const ofItsVersion = ({ data, meta }: { data: unknown; meta: { data_version: string } }): boolean => {
    versions.add(meta.data_version)
    const names = (data as { legal_name: string }[]).map(({ legal_name }) => legal_name)
    return names.length > 50 && names.every((name) => name.endsWith(' II') === (meta.data_version !== old))
  }
  let database = ''
  const stop = watchPublications(
    engine,
    async (publication) => {
      service.serve(await readPublished(engine, publication))
      database = publication.database
    },
    { intervalMs: 50, known: published.publication },
  )
  t.teardown(stop)
  const seen = await underLoad(service, ofItsVersion, async () => {
    const building = await beginBuild(engine, { synthetic: true, ...publishing }, memoryLog())
    await building.client.command({
      query: `ALTER TABLE bank_quarters UPDATE legal_name = concat(legal_name, ' II') WHERE true`,
    })
    await building.publish()
    t.ok(await until(() => database === building.database))
    t.ok(await until(() => nodesOf(service).every(({ holds }) => holds)), 'all hold it')
    await sleep(1_500)
  })
  t.comment(JSON.stringify(seen))
  t.match(seen, { lost: 0, wrong: 0 })
  t.equal(versions.size, 2, 'both were read')
}
