// Every example of every dataset, answered by a cluster as by one server.
import type { Test } from 'tap'
import type { Dataset } from '../../server/catalog/define.ts'
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

/** Relations that the API's memory and its files of the history answer for. */
const REMEMBERED = ['bank_quarters', 'bank_rows', 'credit_union_rows', 'holding_company_rows', 'benchmarks']

export async function matrix(t: Test, env: Record<string, string>): Promise<void> {
  const datasets = [...new Set((await loadDatasets()).values())]
  const remembered = datasets.filter(({ from }) => typeof from === 'string' && REMEMBERED.includes(from))
  t.ok(remembered.length > 5)
  const compare = (way: string, settings: Record<string, string>, of: readonly Dataset[]) =>
    t.test(way, async (t) => {
      const one = await build(t, { env: settings })
      const many = await build(t, { data: false, env: { ...env, ...settings } })
      for (const dataset of of)
        for (const { title, path, query } of dataset.examples) {
          const url = exampleUrl(dataset, path ?? {}, query, one.published.examples)
          const [expected, found] = await Promise.all([answer(one, url), answer(many, url)])
          t.equal(found, expected, `${dataset.key}: ${title} (${url})`)
        }
    })
  await compare('the engine alone', fromEngine, datasets)
  await compare('memory, where it answers', {}, remembered)
}
