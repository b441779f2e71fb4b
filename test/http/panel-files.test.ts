// A panel out of files of columns has the engine's own bytes as text; in Arrow its schema and values, and bytes and tags of its own.
import { type Table, tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { banks } from '../../sql/universes/bank/index.ts'
import { build } from '../helpers/app.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { keepHistory } from '../helpers/kept-history.ts'

const served = await build(t)
const { app, engine, serve, published: first } = served
const { database } = first.publication
const panel = '/api/v1/screeners/panel/?format=arrow&'
const open = banks.metrics.filter(({ tier }) => !tier).map(({ key }) => key)

const folder = await temporaryFolder(t)
const kept = await keepHistory(t, served, folder)
const { both, history } = kept
// batches of some rows, and columns of them one by one
const small = await keepHistory(t, served, folder, { limits: { oneBatch: 100, batch: 90, whole: 1 } })

const [range] = await engine.rows<{ states: string[]; quarters: string[]; middling: number }>({
  database,
  sql: `SELECT arraySort(groupUniqArray(toString(hq_state))) AS states, arraySort(groupUniqArray(toString(report_date))) AS quarters,
    quantileExact(total_assets) AS middling FROM bank_quarters`,
})
const { states, quarters, middling } = range!
const [early, late] = [quarters[1]!, quarters.at(-2)!]
const few = states.filter((_, n) => n % 7 === 0)
const queries = [
  'metrics=roa,total_assets',
  `metrics=${open.slice(40, 60)}`,
  `metrics=${open.slice(60, 80)}&state=${states[3]}`,
  `metrics=${open.slice(80, 100)}&state=${few}`,
  `metrics=roa&state=${states}`,
  'metrics=roa&state=GU',
  `metrics=nim&from=${early}`,
  `metrics=nim&to=${late}&state=${few}`,
  `metrics=nim,roa&from=${early}&to=${late}`,
  `metrics=roa&from=2030Q1`,
  `metrics=roa&as_of=${late}`,
  'metrics=roa&charter=N',
  'metrics=roa&charter=SM,N&regulator=FED,OCC',
  `metrics=roa,nim&min_total_assets=${middling}`,
  `metrics=asset_growth_3y&min_asset_growth_3y=-1000&max_total_assets=${middling}&state=${few}&from=${early}`,
  'metrics=roa&min_roa=1e9',
  'fields=rssd_id',
  'fields=report_date,hq_state,roa',
  'fields=legal_name',
]

t.test('selections', async (t) => {
  await both.same(
    t,
    queries.map((query) => panel + query),
  )
  t.equal(history.panels.read, queries.length)
  t.equal(history.panels.lost, 0)
})

t.test('as text, with the bytes of the engine', async (t) => {
  const texts = '/api/v1/screeners/panel/?format='
  const read = history.panels.read
  const asked = [...queries, `metrics=${open}`].flatMap((query) =>
    ['json', 'ndjson', 'csv'].map((format) => `${texts}${format}&${query}`),
  )
  await both.same(t, asked)
  t.equal(history.panels.read - read, asked.length)
  t.equal(history.panels.lost, 0)
})

t.test('every column', (t) =>
  both.same(t, [`${panel}metrics=${open}`, `${panel}metrics=${open}&state=${few}`]),
)

t.test('columns that are asked for again are held, as far as there is room', async (t) => {
  const room = 0.02
  const tight = await keepHistory(t, served, folder, { memoryMib: room })
  for (const { both, history } of [kept, tight]) {
    for (let again = 0; again < 3; again++)
      await both.same(
        t,
        queries.map((query) => panel + query),
      )
    t.ok(history.memory.bytes > 0)
    t.equal(history.panels.lost, 0)
  }
  t.ok(tight.history.memory.bytes <= room * 2 ** 20)
  t.ok(tight.history.memory.bytes < history.memory.bytes)
})

const rowsOf = (table: Table): string =>
  JSON.stringify(table.toArray().map((row) => Object.values(row.toJSON()).map(String)))

t.test('in batches', async (t) => {
  const ask = async (resident: typeof both.watched, query: string) => {
    serve({ ...small.published, resident })
    return app.inject(panel + query)
  }
  for (const query of [...queries, `metrics=${open.slice(0, 50)}`]) {
    const answer = await ask(small.both.watched, query)
    const [own, engines] = [answer, await ask(small.both.none, query)].map((one) =>
      tableFromIPC(one.rawPayload),
    )
    t.equal(rowsOf(own!), rowsOf(engines!), query)
    t.strictSame([...own!.schema.metadata], [...engines!.schema.metadata], query)
    const one = own!.numRows <= 100
    if (!one) t.ok(own!.batches.every(({ numRows }) => numRows <= 90) && own!.batches.length > 1, query)
    const codes = own!.schema.fields.filter(({ name }) => name === 'hq_state')
    for (const { type } of codes) t.equal(String(type).startsWith('Dictionary'), one, query)
    t.strictSame(
      (await ask(small.both.watched, query)).rawPayload,
      answer.rawPayload,
      `${query}: the same bytes`,
    )
  }
})
