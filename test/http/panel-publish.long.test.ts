// What a publish does to the files of columns, and panels of more rows than a batch of the engine.
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { banks } from '../../sql/universes/bank/index.ts'
import { universes } from '../../sql/universes/index.ts'
import { build } from '../helpers/app.ts'
import { BothWays } from '../helpers/both-ways.ts'
import { memoryLog, temporaryFolder } from '../helpers/engine.ts'
import { inodesOf, keepHistory } from '../helpers/kept-history.ts'

const served = await build(t)
const { app, engine, serve } = served
const wide = banks.metrics
  .filter(({ tier }) => !tier)
  .slice(0, 100)
  .map(({ key }) => key)
const panel = '/api/v1/screeners/panel/?format=arrow&metrics='

t.test('a publish writes the year that it changed', async (t) => {
  const own = await temporaryFolder(t)
  const { history } = await keepHistory(t, served, own)
  const files = await inodesOf(own)
  const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  await build.client.command({
    query: `ALTER TABLE bank_quarters DELETE WHERE report_date = '2025-06-30' AND hq_state = 'TX'`,
  })
  await build.publish()
  const next = await readPublished(engine, (await currentPublication(engine))!, universes, history)
  await next.resident.warm()
  const now = await inodesOf(own)
  const gone = [...files.keys()].filter((name) => !now.has(name))
  const made = [...now.keys()].filter((name) => !files.has(name))
  const ofYear = ['bank_quarters-2025', 'spelled_bank_quarters-2025']
  for (const names of [gone, made])
    t.strictSame(names.map((name) => name.split('-').slice(0, 2).join('-')).sort(), ofYear)
  for (const [name, inode] of now) if (files.has(name)) t.equal(inode, files.get(name), name)
  const both = new BothWays({ app, serve }, next)
  const asked = [`${panel}roa,nim`, `${panel}${wide}&from=2025Q2&to=2025Q3`]
  await both.same(t, [...asked, ...asked.map((url) => url.replace('=arrow', '=csv'))])
})

t.test('more rows than a batch of the engine', async (t) => {
  const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, memoryLog())
  for (const quarter of ['2024-12-31', '2025-12-31', '2026-03-31'])
    await build.client.command({
      query: `INSERT INTO bank_quarters SELECT * REPLACE (toUInt32(rssd_id + 10000000 * (1 + more)) AS rssd_id)
        FROM bank_quarters ARRAY JOIN range(180) AS more WHERE report_date = '${quarter}'`,
    })
  await build.publish()
  const { published, both } = await keepHistory(t, served, await temporaryFolder(t))
  for (const query of ['roa,nim,asset_growth_3y', `${wide.slice(0, 30)}&min_total_assets=300000`]) {
    const [own, engines] = [both.watched, both.none].map(async (resident) => {
      serve({ ...published, resident })
      return tableFromIPC((await app.inject(panel + query)).rawPayload)
    })
    const [mine, other] = [await own!, await engines!]
    t.ok(
      mine.numRows === other.numRows && (mine.numRows > 65_409 || query !== 'roa,nim,asset_growth_3y'),
      `${mine.numRows} rows`,
    )
    t.strictSame(
      mine.schema.fields.map(({ name, type, nullable, metadata }) => [
        name,
        String(type),
        nullable,
        ...metadata,
      ]),
      other.schema.fields.map(({ name, type, nullable, metadata }) => [
        name,
        String(type),
        nullable,
        ...metadata,
      ]),
    )
    for (const { name } of mine.schema.fields) {
      const [left, right] = [[...mine.getChild(name)!], [...other.getChild(name)!]]
      t.equal(
        left.findIndex((value, n) => String(value) !== String(right[n])),
        -1,
        name,
      )
    }
  }
})
