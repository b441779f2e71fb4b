// Every example of every dataset, answered by a cluster as by one server.
import type { Test } from 'tap'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { build, type TestApp } from '../helpers/app.ts'
import { fromEngine } from '../helpers/under-load.ts'

/** What an answer says, without what is another one at each publish: its version, and what its pages are found by. */
async function answer({ app }: TestApp, url: string): Promise<unknown> {
  const { statusCode, body, headers } = await app.inject(url)
  if (!String(headers['content-type']).includes('json')) return `${statusCode} ${body}`
  const { meta, links: _, ...rest } = JSON.parse(body)
  const { data_version: __, next_cursor, ...kept } = meta ?? {}
  const text = JSON.stringify({ statusCode, ...rest, meta: kept, more: next_cursor !== undefined })
  return text.replaceAll(/"trained_at":"[^"]+"/g, '')
}

export async function matrix(t: Test, env: Record<string, string>): Promise<void> {
  for (const [way, settings] of Object.entries({
    'the engine alone': fromEngine,
    'memory, files of the history and the engine': {},
  }))
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
}
