// Traces, against a collector of the test's own that takes OTLP over HTTP (its JSON form).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { openTracer } from '../../server/ops/tracing.ts'
import { build } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

const attributes = (span: Span) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

t.test('traces', async (t) => {
  const spans: Span[] = []
  const asked: { url: string | undefined; key: string | string[] | undefined }[] = []
  const services: unknown[] = []
  const collector = createServer(async (request, response) => {
    asked.push({ url: request.url, key: request.headers['x-team'] })
    // biome-ignore lint/suspicious/noExplicitAny: the form is what is tested
    const body = (await json(request)) as any
    for (const { resource, scopeSpans } of body.resourceSpans) {
      services.push(attributes(resource)['service.name'])
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  t.teardown(() => collector.close())
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=rates%20desk',
    OTEL_SERVICE_NAME: 'banking-test',
  }
  const tracer = openTracer(readConfig(env), memoryLog())
  const { app } = await build(t, { deps: { tracer } })

  const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const before = Date.now()
  const answer = await app.inject({
    url: '/api/v1/banks/?limit=2&q=private',
    headers: { traceparent: `00-${parent.traceId}-${parent.spanId}-01`, cookie: 'secret' },
  })
  await app.inject({
    url: '/api/v1/banks/?limit=2',
    headers: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00` },
  })
  await app.inject('/nothing?x=1')
  await tracer.close()
  const after = Date.now()

  t.ok(asked.length > 0)
  t.ok(asked.every(({ url, key }) => url === '/v1/traces' && key === 'rates desk'))
  t.ok(services.every((name) => name === 'banking-test'))

  const [server, ...rest] = spans.filter(({ name }) => name === 'GET /api/v1/banks/')
  t.strictSame(rest, [], "what its caller's trace left out is left out here")
  t.match(server, { traceId: parent.traceId, parentSpanId: parent.spanId, kind: 2 })
  t.match(attributes(server!), {
    'http.request.method': 'GET',
    'http.route': '/api/v1/banks/',
    'url.path': '/api/v1/banks/',
    'banking.dataset': 'bank-directory',
    'banking.request_id': answer.headers['x-request-id'],
  })
  t.equal(Number(attributes(server!)['http.response.status_code']), 200)
  const parts = spans.filter(({ parentSpanId }) => parentSpanId === server!.spanId)
  t.strictSame([...new Set(parts.map(({ name }) => name))].sort(), ['engine', 'gate'])
  const ms = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1000n) / 1000
  for (const span of [server!, ...parts]) {
    t.ok(ms(span.startTimeUnixNano) >= before - 50 && ms(span.endTimeUnixNano) <= after + 50, span.name)
    t.ok(ms(span.endTimeUnixNano) >= ms(span.startTimeUnixNano), span.name)
    t.ok(
      BigInt(span.startTimeUnixNano) >= BigInt(server!.startTimeUnixNano),
      `${span.name} is within the request`,
    )
  }
  const missing = spans.find((span) => attributes(span)['url.path'] === '/nothing')
  t.equal(attributes(missing!)['error.type'], 'not-found')
  const text = JSON.stringify(spans)
  t.notOk(/secret|private/.test(text), 'neither headers nor queries travel')
})

t.test('a collector that is not there is told in the log, and costs no request', async (t) => {
  const log = memoryLog()
  const tracer = openTracer(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }), log)
  const { app } = await build(t, { deps: { tracer } })
  t.equal((await app.inject('/api/v1/banks/?limit=1')).statusCode, 200)
  await tracer.close()
  t.match(log.lines, [{ level: 'warn', message: 'a trace was not sent' }])
})
