import { Type, tableFromIPC } from 'apache-arrow'
import { parquetMetadata } from 'hyparquet'
import t from 'tap'
import { column } from '../../server/catalog/columns.ts'
import { dataset } from '../../server/catalog/define.ts'
import { build } from '../helpers/app.ts'

t.test('facts outside JSON', async (t) => {
  const { app, published } = await build(t)
  const url = '/api/v1/screeners/banks/?fields=rssd_id,hq_state,report_date,total_assets,roa&limit=5'
  const json = (await app.inject(url)).json()

  t.test('the headers say what the envelope says', async (t) => {
    for (const format of ['ndjson', 'csv', 'arrow', 'parquet', 'columns', 'xlsx']) {
      const { headers } = await app.inject(`${url}&format=${format}`)
      t.match(headers, {
        'x-dataset': 'bank-screener',
        'x-as-of': '2026-06-30',
        'x-data-version': published.publication.dataVersion,
        'x-total-count': String(json.meta.total),
      })
      t.match(headers.link, /^<\/api\/v1\/screeners\/banks\/\?.*cursor=.*>; rel="next"$/, format)
    }
  })

  t.test('Arrow has real types, the envelope in its schema, unit and label on its fields', async (t) => {
    const { rawPayload } = await app.inject(`${url}&format=arrow`)
    const { schema, numRows } = tableFromIPC(rawPayload)
    t.equal(numRows, 5)
    const types = Object.fromEntries(schema.fields.map(({ name, type }) => [name, type.typeId]))
    t.equal(types.rssd_id, Type.Int)
    t.equal(String(schema.fields[0]!.type), 'Uint32')
    t.equal(types.hq_state, Type.Dictionary)
    t.equal(types.report_date, Type.Date)
    t.equal(String(schema.fields[4]!.type), 'Float64')
    const envelope = JSON.parse(schema.metadata.get('banking.meta')!)
    t.same(envelope.meta, json.meta)
    t.match(envelope.links, { docs: '/docs/bank-screener', next: /cursor=/ })
    const roa = schema.fields.find(({ name }) => name === 'roa')!
    t.equal(roa.metadata.get('unit'), 'percent')
    t.ok(roa.metadata.get('label'))
  })

  t.test('an Arrow answer without rows has its schema', async (t) => {
    const { rawPayload, statusCode } = await app.inject(
      '/api/v1/screeners/banks/?min_total_assets=1e18&format=arrow',
    )
    t.equal(statusCode, 200)
    const table = tableFromIPC(rawPayload)
    t.equal(table.numRows, 0)
    t.ok(table.schema.fields.length > 10)
  })

  t.test(
    'Arrow with dictionaries is one batch, however many threads and parts its rows come from',
    async (t) => {
      const panel = '/api/v1/screeners/panel/?metrics=roa,nim&format=arrow&min_total_assets='
      const [bank] = (await app.inject('/api/v1/screeners/banks/?fields=rssd_id&limit=1')).json().data
      const urls = Array.from({ length: 12 }, (_, k) => `${panel}${10_000_000 + k}`)
      // a UNION of the Call Report and the UBPR
      for (let k = 1; k <= 4; k++)
        urls.push(`/api/v1/banks/${bank.rssd_id}/deep-dive/?format=arrow&limit=${500 + k}`)
      const batches = await Promise.all(
        urls.map(async (url) => {
          const { rawPayload } = await app.inject(url)
          const { data, schema } = tableFromIPC(rawPayload)
          t.ok(schema.fields.some(({ type }) => type.typeId === Type.Dictionary))
          return data.length
        }),
      )
      t.ok(
        batches.every((count) => count === 1),
        `${batches}`,
      )
    },
  )

  t.test('Parquet has the envelope in its footer', async (t) => {
    const { rawPayload } = await app.inject(`${url}&format=parquet`)
    const file = rawPayload.buffer.slice(rawPayload.byteOffset, rawPayload.byteOffset + rawPayload.byteLength)
    const metadata = parquetMetadata(file as ArrayBuffer)
    t.equal(Number(metadata.num_rows), 5)
    const entry = metadata.key_value_metadata?.find(({ key }) => key === 'banking.meta')
    t.same(JSON.parse(entry!.value!).meta, json.meta)
    t.match(metadata.created_by, /ClickHouse/, 'what follows the metadata is still there')
  })

  t.test('the example of a parameter has the type of its schema', async (t) => {
    interface Schema {
      type?: string
      items?: Schema
    }
    const fits = ({ type, items }: Schema, example: unknown): boolean =>
      type === 'array'
        ? Array.isArray(example) && example.every((one) => fits(items!, one))
        : type === 'integer'
          ? Number.isInteger(example)
          : type === undefined || typeof example === type
    const document = (await app.inject('/api/v1/openapi.json')).json()
    let lists = 0
    for (const [template, { get: operation }] of Object.entries<{ get: { parameters?: [] } }>(document.paths))
      for (const { name, schema, example } of operation.parameters ?? []) {
        if (example === undefined) continue
        if (Array.isArray(example)) lists++
        t.ok(fits(schema, example), `${template} ${name}: ${JSON.stringify(example)}`)
      }
    t.ok(lists > 4, `${lists} lists`)
  })
})

t.test('a long Arrow answer has the same bytes each time', async (t) => {
  const ranks = dataset({
    key: 'recent-failures',
    summary: 'A rank of a bank, quarter and metric.',
    from: 'SELECT report_date, rssd_id, position, percentile FROM bank_ranks',
    grain: ['report_date', 'rssd_id', 'position'],
    columns: [
      column('Date', 'report_date', 'Quarter'),
      column('UInt32', 'rssd_id', 'RSSD ID'),
      column('UInt16', 'position', 'Position'),
      column('Float64', 'percentile', 'Percentile', { nullable: true }),
    ],
    sources: [],
    examples: [{ title: 'All' }],
  })
  const { app } = await build(t, { datasets: [ranks], env: { CACHE_MIB: '0', MAX_WAIT_MS: '60000' } })
  const answers = await Promise.all(
    Array.from(
      { length: 5 },
      async () => (await app.inject('/api/v1/failures/recent/?format=arrow')).rawPayload,
    ),
  )
  t.ok(tableFromIPC(answers[0]!).numRows > 100_000, 'longer than one batch with dictionaries')
  for (const answer of answers) t.ok(answer.equals(answers[0]!))
})
