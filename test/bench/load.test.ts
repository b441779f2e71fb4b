import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { test } from 'tap'
import { Connection, wire } from '../../bench/load/connection.ts'
import { quantile, runJob } from '../../bench/load/job.ts'

/** A server whose answers the load generator must read right. */
async function serve(t: { teardown(done: () => void): unknown }, listener: RequestListener): Promise<URL> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return new URL(`http://127.0.0.1:${port}`)
}

test('the bytes of a body are counted, however it is framed and cut into packets', async (t) => {
  const origin = await serve(t, async ({ url }, response) => {
    if (url === '/long') return void response.end(Buffer.alloc(1_000_000))
    if (url === '/empty') return void response.end()
    // no length: chunks, some of one byte
    for (let i = 0; i < 40; i++) {
      response.write(Buffer.alloc(i % 3 === 0 ? 1 : 5_000))
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    response.end()
  })
  const connection = new Connection(origin)
  t.teardown(() => connection.close())
  const ask = (path: string) => connection.ask(wire({ path }, origin.host))
  t.match(await ask('/chunks'), { status: 200, bytes: 14 + 26 * 5_000 })
  t.match(await ask('/long'), { status: 200, bytes: 1_000_000 })
  t.match(await ask('/empty'), { status: 200, bytes: 0 })
  t.match(await ask('/chunks'), { bytes: 14 + 26 * 5_000 }, 'on the same connection as before')
})

test('an answer that is cut is an error, not a short answer', async (t) => {
  const origin = await serve(t, ({ url }, response) => {
    if (url === '/length') response.writeHead(200, { 'content-length': 100 })
    response.write('half')
    setTimeout(() => response.destroy(), 5)
  })
  for (const path of ['/length', '/chunks']) {
    const connection = new Connection(origin)
    await t.rejects(connection.ask(wire({ path }, origin.host)), { message: /cut before the answer ended/ })
    t.equal(connection.usable, false)
  }
})

test('a job sends each new request once, and says what went wrong', async (t) => {
  const asked: string[] = []
  const origin = await serve(t, (request, response) => {
    asked.push(request.url!)
    if (request.url === '/3') response.statusCode = 503
    response.end('x'.repeat(request.url === '/grows' ? asked.length : 10))
  })
  const requests = Array.from({ length: 10 }, (_, i) => ({ path: `/${i}` }))
  const job = { origin: origin.href, connections: 4, seconds: 10 }
  const once = await runJob({ ...job, requests, once: true })
  t.same([...asked].sort(), requests.map(({ path }) => path).sort())
  t.match(once, { requests: 10, bytes: 10, errors: { 'status 503': 1 } })

  const again = await runJob({ ...job, seconds: 0.05, requests: [{ path: '/grows' }], once: false })
  t.ok(again.requests > 1)
  t.equal(
    again.errors['another length than before'],
    again.requests - 1,
    'the same request must have the same answer',
  )
})

test('a request with a body is sent with its length in bytes', async (t) => {
  const origin = await serve(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(`${request.method} ${body}`)
  })
  const request = { path: '/', method: 'POST' as const, body: 'SELECT ‘é’', headers: { accept: 'text/csv' } }
  const result = await runJob({
    origin: origin.href,
    requests: [request],
    connections: 1,
    seconds: 5,
    once: true,
  })
  t.equal(result.bytes, Buffer.byteLength('POST SELECT ‘é’'))
  t.same(result.errors, {})
})

test('quantiles are values that occurred', async (t) => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  t.equal(quantile(hundred, 0.5), 50)
  t.equal(quantile(hundred, 0.99), 99)
  t.equal(quantile(hundred, 1), 100)
  t.equal(quantile([7], 0.99), 7)
  t.equal(quantile([], 0.5), 0)
})
