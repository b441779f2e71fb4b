// A cluster of two shards, each with a copy, answers every example of every dataset as one server does.
import t from 'tap'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { readConfig } from '../../server/config/config.ts'
import { openEngine } from '../../server/engine/open.ts'
import { build, type TestApp } from '../helpers/app.ts'
import { cluster } from '../helpers/cluster.ts'
import { memoryLog } from '../helpers/engine.ts'
import { publishUniverse } from '../helpers/universe-folder.ts'

t.setTimeout(900_000)

/** The engine's answers, or those of memory and the files of the history too. */
const WAYS = { 'the engine alone': { RESIDENT_MIB: '0', HISTORY_MIB: '0' }, 'memory and engine': {} }

/** What an answer says of the data, without what is another one at each publish. */
async function answer({ app }: TestApp, url: string): Promise<unknown> {
  const { statusCode, body, headers } = await app.inject(url)
  if (!String(headers['content-type']).includes('json')) return { statusCode, length: body.length }
  const { meta, ...rest } = JSON.parse(body)
  const { data_version: _, generated_at: __, ...kept } = meta ?? {}
  return JSON.stringify({ statusCode, ...rest, meta: kept })
}

t.test('two shards with two copies each', async (t) => {
  const { nodes, env } = await cluster(t, { shards: 2, copies: 2 })
  const engine = await openEngine(readConfig({ ...env, VERSION_GRACE_SECONDS: '0' }), memoryLog())
  await publishUniverse(engine, memoryLog())
  await engine.close()
  t.equal(nodes.length, 4)

  for (const [way, settings] of Object.entries(WAYS))
    await t.test(way, async (t) => {
      const one = await build(t, { env: settings })
      const many = await build(t, { data: false, env: { ...env, ...settings } })
      for (const dataset of new Set((await loadDatasets()).values()))
        for (const { title, path, query } of dataset.examples) {
          const url = exampleUrl(dataset, path ?? {}, query, one.published.examples)
          const [expected, found] = await Promise.all([answer(one, url), answer(many, url)])
          t.equal(found, expected, `${dataset.key}: ${title} (${url})`)
        }
    })
})
