/** What a request costs before and after the engine, by itself: parsing, planning, the envelope. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bench, do_not_optimize, group, run } from 'mitata'
import type { CatalogKey } from '../server/catalog/catalog.ts'
import { loadDatasets } from '../server/catalog/registry.ts'
import { closing } from '../server/formats/envelope.ts'
import { envelopeRows } from '../server/formats/json.ts'
import { tagOf } from '../server/http/cache/tags.ts'
import type { Coverage } from '../server/query/coverage.ts'
import { parse } from '../server/query/parse.ts'
import { plan } from '../server/query/plan.ts'
import { hundredMetrics } from './universe.ts'

const VERSION = '2026Q2-00000000'
const LAST = 2026 * 4 + 1
const quarters = Uint16Array.from({ length: 100 }, (_, i) => LAST - 99 + i)
const coverage: Coverage = {
  filed: () => ({ quarters, latest: LAST }),
  knows: () => true,
  quartersOf: () => quarters,
}
const list = (count: number): string => hundredMetrics.slice(0, count).join(',')

/** The workloads' requests as path parameters and query. */
const requests: readonly {
  name: string
  dataset: CatalogKey
  path: Record<string, string>
  query: Record<string, string>
}[] = [
  { name: 'W1 snapshot', dataset: 'bank-snapshot', path: { rssd_id: '90000013' }, query: {} },
  {
    name: 'W2 screen',
    dataset: 'bank-screener',
    path: {},
    query: { state: 'TX', min_total_assets: '500000', fields: `rssd_id,legal_name,hq_state,${list(6)}` },
  },
  {
    name: 'W4 working set',
    dataset: 'screener-dataset',
    path: {},
    query: { fields: `rssd_id,${list(100)}` },
  },
  {
    name: 'W5 series',
    dataset: 'bank-trends',
    path: { rssd_id: '90000013' },
    query: { from: '2001Q3', metrics: list(10) },
  },
  { name: 'W6 panel', dataset: 'screener-panel', path: {}, query: { state: 'IA,TX', metrics: list(20) } },
  {
    name: 'W7 rank',
    dataset: 'bank-peer-ranking',
    path: { rssd_id: '90000013' },
    query: { metrics: list(60) },
  },
]

export async function micro(): Promise<void> {
  const datasets = await loadDatasets()
  for (const { name, dataset: key, path, query } of requests) {
    const dataset = datasets.get(key)!
    const parsed = parse(dataset, path, query, VERSION)
    const planned = plan(parsed, coverage)
    group(name, () => {
      bench('parse', () => do_not_optimize(parse(dataset, path, query, VERSION)))
      bench('plan', () => do_not_optimize(plan(parsed, coverage)))
      bench('plan and its SELECT', () => do_not_optimize(plan(parsed, coverage).rows()))
      bench('ETag', () => do_not_optimize(tagOf('x', VERSION, `json ${parsed.path}?${parsed.canonical} 0`)))
      bench('end of the envelope', () =>
        do_not_optimize(
          closing(
            {
              ...{ dataset: key, as_of: '2026-06-30', data_version: VERSION, synthetic: true },
              ...{ sources: dataset.sources, count: 1, total: 1, limit: null },
              columns: planned.columns,
            },
            { self: parsed.path, next: null, docs: `/docs/${key}` },
          ),
        ),
      )
    })
  }
  const line = Buffer.from(
    `${JSON.stringify(Object.fromEntries(hundredMetrics.map((key) => [key, 1.5])))},\n`,
  )
  const chunk = Buffer.concat(Array.from({ length: 20 }, () => line))
  const chunks = Array.from({ length: Math.ceil(2 ** 20 / chunk.length) }, () => chunk)
  group('envelope around 1 MB of rows', () => {
    bench('envelopeRows', async () => {
      let bytes = 0
      await pipeline(
        Readable.from(chunks),
        envelopeRows(() => '{}'),
        async (body) => {
          for await (const part of body) bytes += (part as Buffer).length
        },
      )
      do_not_optimize(bytes)
    })
  })
  await run({ colors: process.stdout.isTTY })
}
