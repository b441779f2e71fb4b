// The Model Context Protocol, spoken by the SDK's own client: the same figures, tiers, allowances and refusals as the API.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import t from 'tap'
import { catalog } from '../../server/catalog/catalog.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { build } from '../helpers/app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('tools over the API', async (t) => {
  const { app, listen, published, newKey } = await build(t, { key: false, env: { ALLOWANCE_FREE: '10' } })
  const base = await listen()
  const { bank, credit_union: creditUnion } = published.examples
  const free = await newKey('free')
  const premium = await newKey('premium')

  const connected = async (transport: unknown) => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport as Transport)
    t.teardown(() => client.close())
    return async (name: string, args: object = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...args } })
      const [{ text }] = content as [{ text: string }]
      return { text, isError: isError === true, json: () => JSON.parse(text) }
    }
  }
  const over = (headers: Record<string, string> = {}) =>
    connected(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }))
  const api = async (url: string, headers = {}) =>
    (await app.inject({ url: `/api/v1${url}`, headers })).json()

  const call = await over()

  await t.test('all descriptions fit into 4,000 tokens', async (t) => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)) as Transport)
    const { tools } = await client.listTools()
    await client.close()
    t.strictSame(tools.map(({ name }) => name).sort(), [
      'describe',
      'find_data',
      'find_institution',
      'query',
      'trace_figure',
    ])
    // a token is hardly ever less than three characters of JSON
    t.ok(JSON.stringify(tools).length < 3 * 4000, `${JSON.stringify(tools).length} characters`)
  })

  await t.test('an institution is found, and its figures are those of the API', async (t) => {
    const snapshot = await api(`/banks/${bank}/`)
    const { legal_name: name } = snapshot.data
    const found = (await call('find_institution', { name })).json()
    t.ok(found.bank.largest.some(({ rssd_id }: { rssd_id: number }) => String(rssd_id) === String(bank)))
    const one = (await call('find_institution', { name: 'a', kind: 'credit_union' })).json()
    t.strictSame(Object.keys(one), ['credit_union'])
    t.strictSame((await call('query', { dataset: 'bank-snapshot', parameters: { rssd_id: bank } })).json(), {
      data: snapshot.data,
      meta: snapshot.meta,
      all: `/api/v1/banks/${bank}/`,
    })
    const trends = { dataset: 'bank-trends', parameters: { rssd_id: bank, metrics: 'roa,nim' }, limit: 2 }
    const { data, meta, all } = (await call('query', trends)).json()
    t.equal(data.length, 2)
    t.ok(meta.total > 2)
    t.equal(all, `/api/v1/banks/${bank}/trends/?metrics=roa%2Cnim`)
    t.ok(
      (
        await call('query', { dataset: 'credit-union-snapshot', parameters: { cu_number: creditUnion } })
      ).json().data,
    )
  })

  await t.test('every dataset is described, and so are metrics; a figure is traced', async (t) => {
    for (const key of (await loadDatasets()).keys()) {
      const { text, isError } = await call('describe', { dataset: key })
      t.notOk(isError, `${key}: ${text.slice(0, 200)}`)
    }
    t.match((await call('describe', { metric: 'roa' })).json().data, { key: 'roa', unit: 'percent' })
    t.match((await call('find_data', { words: 'charge-offs' })).json().metrics[0], { unit: String })
    t.equal((await call('find_data')).json().length, catalog.length)
    const traced = (await call('trace_figure', { metric: 'roa', rssd_id: bank })).json()
    t.equal(traced.data.value, (await api(`/banks/${bank}/?fields=roa`)).data.roa)
    t.ok(traced.data.lineage.length > 2)
    const ofUnion = (await call('trace_figure', { metric: 'roa', cu_number: creditUnion })).json().data
    t.equal(ofUnion.universe, 'credit_union')
    t.equal(ofUnion.value, (await api(`/cus/${creditUnion}/?fields=roa`)).data.roa)
    const asked = { metric: 'double_leverage', universe: 'holding_company' }
    t.equal((await call('describe', asked)).json().data.universe, 'holding_company')
  })

  await t.test('what is wrong is said so that it can be put right', async (t) => {
    const cases: [string, object, RegExp][] = [
      ['query', { dataset: 'bank-trend', parameters: { rssd_id: bank } }, /did you mean `bank-trends`/],
      ['query', { dataset: 'bank-trends' }, /needs the parameter `rssd_id`/],
      ['query', { dataset: 'bank-screener', parameters: { min_roaa: 1 } }, /did you mean/],
      ['query', { dataset: 'bank-snapshot', parameters: { rssd_id: 1 } }, /not-found/],
      ['query', { dataset: 'screener-panel', limit: 1000 }, /200/],
      ['describe', {}, /one of `dataset` and `metric`/],
      ['trace_figure', { metric: 'roa' }, /one of `rssd_id` and `cu_number`/],
      ['nothing', {}, /not found/i],
    ]
    for (const [name, args, says] of cases) {
      const { text, isError } = await call(name, args).catch((error: Error) => ({
        text: error.message,
        isError: true,
      }))
      t.ok(isError, `${name} ${JSON.stringify(args)}`)
      t.match(text, says)
    }
  })

  await t.test('tiers and allowances are those of the API', async (t) => {
    const panel = { dataset: 'screener-panel', parameters: { metrics: 'roa' }, limit: 1 }
    t.match((await call('query', panel)).text, /key-required/)
    t.match((await (await over({ authorization: 'Bearer bds_p_wrong' }))('query', panel)).text, /key-invalid/)
    const asFree = await over(free.headers)
    t.match((await asFree('query', panel)).text, /plan-required/)
    t.equal((await (await over(premium.headers))('query', panel)).isError, false)
    const account = async () => (await app.inject({ url: '/api/v1/account/', headers: free.headers })).json()
    const before = JSON.stringify(await account())
    await asFree('query', { dataset: 'bank-snapshot', parameters: { rssd_id: bank } })
    t.not(JSON.stringify(await account()), before, 'a call counts as the request that it is')
    for (let n = 0; n < 12; n += 1)
      await asFree('query', { dataset: 'bank-trends', parameters: { rssd_id: bank, quarters: n + 1 } })
    t.match((await asFree('query', panel)).isError, true)
    t.match(
      (await asFree('query', { dataset: 'bank-peers', parameters: { rssd_id: bank } })).text,
      /allowance-used-up/,
    )
  })

  await t.test('over stdio', async (t) => {
    const stdio = await connected(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--import', 'tsx', 'server/mcp/cli.ts', '--url', base],
        cwd: root,
        env: { PATH: process.env.PATH!, BANKING_API_KEY: premium.secret },
      }),
    )
    t.equal(
      (await stdio('query', { dataset: 'screener-panel', parameters: { metrics: 'roa' }, limit: 1 })).isError,
      false,
    )
    t.match(
      (await stdio('query', { dataset: 'bank-snapshot', parameters: { rssd_id: 1 } })).text,
      /not-found/,
    )
  })

  await t.test('what is no call is refused, and nothing else is posted to', async (t) => {
    const post = (payload: string, headers: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url: '/mcp',
        payload,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      })
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    t.equal((await post(call)).statusCode, 200)
    for (const [payload, headers, status] of [
      ['{', {}, 400],
      ['[]', {}, 202],
      ['{"a":1}', {}, 400],
      ['{"__proto__":{"a":1}}', {}, 400],
      [call, { 'content-type': 'text/plain' }, 415],
      [call, { accept: 'text/html' }, 406],
      [call, { origin: 'https://elsewhere.example' }, 400],
      [`{"a":"${'x'.repeat(70_000)}"}`, {}, 400],
      [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, {}, 400],
    ] as [string, Record<string, string>, number][]) {
      const answer = await post(payload, headers)
      t.equal(
        answer.statusCode,
        status,
        `${payload.slice(0, 40)} ${JSON.stringify(headers)}: ${answer.body.slice(0, 200)}`,
      )
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
      const answer = await app.inject({ method, url: '/mcp' })
      t.equal(answer.statusCode, 405, method)
      t.equal(answer.headers.allow, 'POST')
    }
    t.equal((await app.inject({ method: 'POST', url: '/api/v1/banks/' })).statusCode, 405)
  })

  await t.test('a model that comes by reads what is here', async (t) => {
    const short = await app.inject('/llms.txt')
    t.match(short.headers['content-type'], /^text\/markdown/)
    const long = await app.inject('/llms-full.txt')
    for (const { key } of catalog) {
      t.ok(short.body.includes(`(/docs/${key})`), key)
      t.ok(long.body.includes(`\`${key}\``), key)
    }
  })
})
