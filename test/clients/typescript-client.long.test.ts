/** The TypeScript client: wrong requests are errors of types, and right ones answer. */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import ts from 'typescript'
import { AnswerCut, Client, Problem } from '../../clients/typescript/src/index.ts'
import { build } from '../helpers/app.ts'

const source = fileURLToPath(new URL('../../clients/typescript/src/index.ts', import.meta.url))

/** What the strict compiler says of lines that use a client, by line; nothing of Node is there, as in a browser. */
function told(lines: readonly string[]): string[] {
  const file = fileURLToPath(new URL('./typed-lines.ts', import.meta.url))
  const text = [`import { Client } from '${source}'`, 'const client = new Client()', ...lines].join(';\n')
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, erasableSyntaxOnly: true },
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest)
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? text : readFile(name))
  const program = ts.createProgram([file], options, host)
  return ts.getPreEmitDiagnostics(program).map((one) => {
    const where =
      one.file?.fileName === file ? ts.getLineAndCharacterOfPosition(one.file, one.start!).line : -1
    const message = ts.flattenDiagnosticMessageText(one.messageText, ' ').slice(0, 200)
    return where < 0 ? `${one.file?.fileName}: ${message}` : lines[where - 2]!
  })
}

test('types hold in strict mode, and a wrong request is an error', async (t) => {
  const readme = await readFile(new URL('../README.md', `file://${source}`), 'utf8')
  const [, shown] = /```ts\nimport .*\n([^`]*)```/.exec(readme)!
  const right = [
    "const banks = await client.get('bank-screener', { state: ['GA', 'TX'], min_total_assets: 500_000, sort: '-roa' })",
    'const roa: number | null | undefined = banks.data[0]?.roa',
    "const few = await client.get('bank-screener', { fields: ['legal_name', 'roa'] })",
    'const name: string | undefined = few.data[0]?.legal_name',
    "const peers = await client.get('bank-peers', { rssd_id: 852218, cohort: 'similar', n: 3 })",
    'const why: string | undefined = peers.data[0]?.why',
    'const bank = (await client.bank(852218)).data.legal_name satisfies string',
    "for await (const row of client.rows('screener-panel', { metrics: ['roa'], from: '2025Q3' })) row.report_date satisfies string",
    'export { roa, name, why, bank }',
  ]
  t.same(told(right), [])
  t.same(told([shown!.replace(/const client.*/, '')]), [], 'the lines of its README')
  const wrong = [
    "await client.get('bank-peerz', { rssd_id: 852218 })",
    "await client.get('bank-peers', {})",
    "await client.get('bank-peers', { rssd_id: '852218' })",
    "await client.get('bank-peers', { rssd_id: 852218, cohort: 'simular' })",
    "await client.get('bank-peers', { rssd_id: 852218, peers: 3 })",
    "await client.get('bank-screener', { min_total_asset: 1 })",
    "await client.get('bank-screener', { fields: ['legal_nam'] })",
    "await client.get('screener-panel', { metrics: ['roaa'] })",
    "(await client.get('bank-screener', { fields: ['roa'] })).data[0]?.legal_name",
    "(await client.get('bank-peers', { rssd_id: 852218 })).data.rssd_id",
    'await client.bank(852218, { as_off: "2026Q2" })',
  ]
  t.same(told(wrong), wrong, 'each line is an error')
})

test('right ones answer', async (t) => {
  const { app, listen, headers } = await build(t)
  const baseUrl = await listen()
  const apiKey = headers.authorization.replace('Bearer ', '')
  const client = new Client({ baseUrl, apiKey })
  const plain = async (url: string) => (await app.inject(url)).json()

  const asked = {
    min_total_assets: 100_000,
    fields: ['rssd_id', 'legal_name'],
    sort: '-total_assets',
  } as const
  const banks = await client.get('bank-screener', asked)
  const query = 'fields=rssd_id,legal_name&min_total_assets=100000&sort=-total_assets'
  t.same(banks, await plain(`/api/v1/screeners/banks/?${query}&format=json`))
  const { rssd_id } = banks.data[0]!
  t.equal((await client.bank(rssd_id)).data.rssd_id, rssd_id)
  t.equal((await client.trends(rssd_id, { quarters: 3 })).data.length, 3)
  t.equal((await client.get('bank-scorecard', { rssd_id })).data.rssd_id, rssd_id)

  t.test('by pages', async (t) => {
    let page = await client.get('bank-screener', { limit: 50, fields: ['rssd_id'] })
    const ids = page.data.map((row) => row.rssd_id)
    for (let next = await client.next(page); next; next = await client.next(next)) {
      ids.push(...next.data.map((row) => row.rssd_id))
      page = next
    }
    t.same(
      ids,
      (await client.get('bank-screener', { fields: ['rssd_id'] })).data.map((row) => row.rssd_id),
    )
  })

  t.test('as Arrow and as CSV', async (t) => {
    const table = await client.arrow('bank-screener', { fields: ['report_date', 'total_assets'] })
    t.equal(table.numRows, (await client.screen()).meta.total)
    t.equal(table.schema.fields[1]!.metadata.get('unit'), 'thousands of US dollars')
    const csv = await client.response('bank-peers', { rssd_id, n: 2 }, 'csv')
    t.equal((await csv.text()).trim().split('\n').length, 3)
  })

  t.test('with a problem where they are refused', async (t) => {
    // @ts-expect-error there is no such parameter
    const refused = await client.screen({ min_total_asset: 1 }).catch((error) => error)
    t.type(refused, Problem)
    t.match(refused, { code: 'invalid-parameter', status: 400, suggestion: 'min_total_assets' })
    await t.rejects(client.bank(1), { code: 'not-found', message: /RSSD ID 1 is unknown/ })
    await t.rejects(client.get('bank-peers', {} as never), /needs rssd_id/, 'before anything is asked')
  })

  t.test('from memory while they stay the same, within a bound', async (t) => {
    const statuses: number[] = []
    const counting: typeof fetch = async (...args) => {
      const response = await fetch(...args)
      statuses.push(response.status)
      return response
    }
    const kept = new Client({ baseUrl, apiKey, fetch: counting, cache: 100_000 })
    const first = await kept.screen({ limit: 1 })
    t.same(await kept.screen({ limit: 1 }), first)
    t.same(statuses.splice(0), [200, 304])
    for (let limit = 2; limit < 60; limit++) await kept.screen({ limit, fields: ['rssd_id', 'legal_name'] })
    await kept.screen({ limit: 1 })
    t.equal(statuses.at(-1), 200, 'the oldest has gone')
  })

  t.test('row by row, and on from where they broke off', async (t) => {
    const parameters = { metrics: ['roa', 'total_assets'] } as const
    const whole = (await client.get('screener-panel', parameters)).data
    const all = async (from: Client) => {
      const rows = []
      for await (const row of from.rows('screener-panel', parameters)) rows.push(row)
      return rows
    }
    t.same(await all(client), whole)
    const bytes = (await (await client.response('screener-panel', parameters, 'ndjson')).text()).length
    const proxy = await cutting(baseUrl, [bytes / 2, bytes / 3, 100])
    t.teardown(() => proxy.server.close())
    t.same(await all(new Client({ baseUrl: proxy.url, apiKey })), whole)
    t.equal(proxy.asked.length, 4)
    t.match(proxy.asked[1], /from=\d{4}-\d\d-\d\d/)
    const broken = await cutting(baseUrl, Array(20).fill(50))
    t.teardown(() => broken.server.close())
    await t.rejects(all(new Client({ baseUrl: broken.url, apiKey })), AnswerCut)
  })

  t.test('after a while where the server asks for it, within the limit', async (t) => {
    const { listen, headers } = await build(t, { env: { BURST_PREMIUM: '2' } })
    const options = { baseUrl: await listen(), apiKey: headers.authorization.replace('Bearer ', '') }
    const patient = new Client(options)
    for (let limit = 1; limit < 6; limit++) t.equal((await patient.screen({ limit })).data.length, limit)
    const hasty = new Client({ ...options, maxWait: 0 })
    const ask = async () => {
      for (let limit = 1; limit < 6; limit++) await hasty.screen({ limit })
    }
    await t.rejects(ask(), { code: 'too-many-requests' })
  })
})

/** Passes answers on, and breaks each off after so many bytes. */
async function cutting(
  to: string,
  most: number[],
): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = []
  const server = createServer(async (request, reply) => {
    asked.push(request.url!)
    const headers = { authorization: request.headers.authorization! }
    const response = await fetch(to + request.url, { headers })
    const length = most.shift()
    const bytes = Buffer.from(await response.arrayBuffer())
    for (const name of ['content-type', 'x-data-version', 'x-total-count'])
      reply.setHeader(name, response.headers.get(name) ?? '')
    if (length === undefined) return void reply.end(bytes)
    reply.write(bytes.subarray(0, length), () => reply.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server }
}
