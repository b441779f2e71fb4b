import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { Filings } from '../../server/query/filings.ts'
import { build } from '../helpers/app.ts'

type Row = Record<string, unknown>

t.test('panels', async (t) => {
  const { app, engine, published } = await build(t)
  const { database } = published.publication
  const get = async (query: string) => {
    const response = await app.inject(`/api/v1/screeners/panel/?metrics=roa,total_assets${query}`)
    t.equal(response.statusCode, 200, response.body.slice(0, 200))
    return response
  }
  const whole = (await get('')).json().data as Row[]
  const states = [...new Set(whole.map(({ hq_state }) => String(hq_state)))].sort()
  const days = [...new Set(whole.map(({ report_date }) => String(report_date)))].sort()
  const middle = days[Math.floor(days.length / 2)]!

  t.test('of some states are the rows of the whole panel, in its order', async (t) => {
    const [one, other] = [states[0]!, states.at(-1)!]
    const least = Number(whole.find(({ hq_state }) => hq_state === other)!.total_assets)
    for (const [query, passes] of [
      [`&state=${other},${one}`, ({ hq_state }: Row) => hq_state === one || hq_state === other],
      [
        `&state=${one}&from=${middle}`,
        ({ hq_state, report_date }: Row) => hq_state === one && String(report_date) >= middle,
      ],
      [
        `&state=${other}&min_total_assets=${least}`,
        ({ hq_state, total_assets }: Row) => hq_state === other && (total_assets as number) >= least,
      ],
    ] as const) {
      const wanted = whole.filter(passes)
      t.ok(wanted.length > 0, `${query}: ${wanted.length} rows`)
      t.same((await get(query)).json().data, wanted, query)
      const lines = (await get(`${query}&format=ndjson`)).body.trimEnd().split('\n')
      t.same(
        lines.map((line) => JSON.parse(line)),
        wanted,
        `${query} as lines`,
      )
    }
  })

  t.test('are one batch in Arrow where they are short, whichever table they are read from', async (t) => {
    for (const query of ['', `&state=${states.join(',')}`, `&state=${states[0]}`]) {
      const answers = []
      for (const metrics of ['roa,nim', 'nim,roa', 'roa,nim'])
        answers.push(
          (await app.inject(`/api/v1/screeners/panel/?metrics=${metrics}${query}&format=arrow`)).rawPayload,
        )
      const tables = answers.map((bytes) => tableFromIPC(bytes))
      t.same(
        tables.map(({ batches }) => batches.length),
        [1, 1, 1],
        query,
      )
      const wanted = whole.filter(({ hq_state }) => query !== `&state=${states[0]}` || hq_state === states[0])
      for (const table of tables)
        t.same(
          Array.from(table.getChild('rssd_id')!),
          wanted.map(({ rssd_id }) => rssd_id),
        )
    }
  })

  t.test('have the total that the engine counts', async (t) => {
    for (const [query, condition] of [
      ['', 'true'],
      [`&state=${states[0]}`, `hq_state = '${states[0]}'`],
      [`&from=${middle}`, `report_date >= '${middle}'`],
      [`&to=${middle}`, `report_date <= '${middle}'`],
      [`&as_of=${middle}&state=${states.join(',')}`, `report_date <= '${middle}'`],
      ['&charter=N', "charter = 'N'"],
      ['&max_total_assets=300000', 'total_assets <= 300000'],
    ] as const) {
      const [counted] = await engine.rows<{ rows: number }>({
        database,
        sql: `SELECT toUInt32(count()) AS rows FROM bank_quarters WHERE ${condition}`,
      })
      const { headers } = await get(`${query}&format=csv`)
      t.equal(Number(headers['x-total-count']), counted!.rows, query)
      const { meta } = (await get(`${query}&limit=2`)).json()
      t.equal(meta.total, counted!.rows, `${query}, a page`)
    }
  })
})

t.test('counts by quarter and state know nothing of other columns', async (t) => {
  const filings = new Filings([
    { report_date: '2026-03-31', hq_state: 'GA', filings: 3 },
    { report_date: '2026-06-30', hq_state: 'GA', filings: 2 },
    { report_date: '2026-06-30', hq_state: 'TX', filings: 7 },
  ])
  const inGeorgia = { column: 'hq_state', operator: 'IN', value: ['GA'] } as const
  const latest = { column: 'report_date', operator: '=', value: '2026-06-30' } as const
  t.equal(filings.rows('bank_quarters', []), 12)
  t.equal(filings.rows('state_quarters', [inGeorgia]), 5)
  t.equal(filings.rows('bank_quarters', [inGeorgia, latest]), 2)
  t.equal(filings.rows('bank_quarters', [{ column: 'charter', operator: 'IN', value: ['N'] }]), undefined)
  t.equal(filings.rows('bank_rows', []), undefined, 'another relation')
})
