// Growth without mergers over NIC's own transformations and real filings, beside a walk of NIC's file written here.
import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import t from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { build } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'
import { bulkFile, noRealData, realData } from './quarters.ts'

const nic = 'nic/2024-2025/CSV_TRANSFORMATIONS.CSV'
const institutions = 'fdic-sdi/20171231/bank_data.csv'
const [from, to] = ['2017-12-31', '2018-12-31'] as const
const skip = noRealData('ffiec-call-report', nic, institutions)

interface Bank {
  rssd_id: number
  total_assets: number
  organic_asset_growth: number | null
  asset_growth: number | null
  merged_banks: number | null
  merged_total_assets: number | null
}

t.test('growth of 2018 without its mergers', { skip, timeout: 600_000 }, async (t) => {
  const { app, engine, serve } = await build(t, { data: false })
  const options = { progress: silent, log: memoryLog(), publishing }
  for (const [source, files] of [
    ['nic-transformations', [realData + nic]],
    ['fdic-institutions', [realData + institutions]],
    ['ffiec-call-report', [from, to].map(bulkFile)],
  ] as const)
    await runLoad(engine, findSource(source)!, [...files], options)
  serve(await readPublished(engine, (await currentPublication(engine))!))
  const get = async (query: string): Promise<Bank[]> => {
    const answer = await app.inject(`/api/v1/screeners/${query}&limit=10000`)
    t.equal(answer.statusCode, 200, answer.body.slice(0, 300))
    return answer.json().data
  }
  const grown = await get(`growth/?horizon=1y&as_of=${to}`)
  const then = new Map(
    (await get(`banks/?as_of=${from}&fields=rssd_id,total_assets`)).map((bank) => [bank.rssd_id, bank]),
  )
  const now = new Set(grown.map(({ rssd_id }) => rssd_id))

  const growthOf = (later: number, before: number) => (100 * (later - before)) / before
  const { mergedInto, gone, lost } = await walk(then, now)
  t.equal(gone, 273, 'banks that filed at the end of 2017 and no more a year later')
  t.equal(lost, 10, 'of which NIC says nothing, or that they became part of no bank')

  const apart = grown.filter((bank) => {
    const merged = mergedInto.get(bank.rssd_id)
    const before = then.get(bank.rssd_id)
    if ((bank.merged_banks ?? 0) !== (merged?.banks ?? 0)) return true
    if ((bank.merged_total_assets ?? 0) !== (merged?.assets ?? 0)) return true
    if (!before?.total_assets) return bank.organic_asset_growth !== null
    const organic = growthOf(bank.total_assets, before.total_assets + (merged?.assets ?? 0))
    return (
      Math.abs(organic - bank.organic_asset_growth!) > 1e-9 ||
      Math.abs(growthOf(bank.total_assets, before.total_assets) - bank.asset_growth!) > 1e-9
    )
  })
  t.strictSame(apart, [], `${grown.length} banks, ${mergedInto.size} of which took over others`)

  // mBank of Manistique bought First Federal of Northern Michigan (Alpena) and Lincoln Community Bank (Merrill) in 2018
  const mbank = grown.find(({ rssd_id }) => rssd_id === 132554)!
  t.equal(mbank.merged_banks, 2)
  t.ok(mbank.asset_growth! > 33 && mbank.organic_asset_growth! < 0, 'what looks like growth was bought')
})

/** Where the business of each bank that is gone was at the end, by NIC's file read from its first day to its last. */
async function walk(then: ReadonlyMap<number, Bank>, now: ReadonlySet<number>) {
  const changes = (parse(await readFile(realData + nic), { columns: true }) as Record<string, string>[])
    .map((row) => ({
      day: row.DT_TRANS!,
      predecessor: Number(row['#ID_RSSD_PREDECESSOR']),
      successor: Number(row.ID_RSSD_SUCCESSOR),
    }))
    .filter(({ day }) => day > from.replaceAll('-', '') && day <= to.replaceAll('-', ''))
    .sort((a, b) => a.day.localeCompare(b.day))
  const became = new Map(changes.map(({ predecessor, successor }) => [predecessor, successor]))
  const mergedInto = new Map<number, { banks: number; assets: number }>()
  let [gone, lost] = [0, 0]
  for (const { rssd_id, total_assets } of then.values()) {
    if (now.has(rssd_id)) continue
    gone++
    let into: number | undefined = rssd_id
    for (let steps = 0; steps < 9 && into !== undefined && !now.has(into); steps++) into = became.get(into)
    if (into === undefined || !now.has(into)) lost++
    else {
      const { banks, assets } = mergedInto.get(into) ?? { banks: 0, assets: 0 }
      mergedInto.set(into, { banks: banks + 1, assets: assets + total_assets })
    }
  }
  return { mergedInto, gone, lost }
}
