// The log: one line a request with its id, what it cost, and never a key.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { openLog } from '../../server/ops/log.ts'
import { build } from '../helpers/app.ts'

const written: string[] = []
const log = openLog({ logLevel: 'info' }, { write: (line) => void written.push(line) })
const lines = () => written.splice(0).map((line) => JSON.parse(line))

t.test('a request is one line', async (t) => {
  const { app } = await build(t, { deps: { logger: log } })
  lines()
  const answer = await app.inject('/api/v1/banks/?limit=3')
  const [line, ...more] = lines()
  t.strictSame(more, [])
  t.match(line, {
    level: 30,
    reqId: answer.headers['x-request-id'],
    method: 'GET',
    url: '/api/v1/banks/?limit=3',
    dataset: 'bank-directory',
    status: 200,
    rows: 3,
    msg: 'request',
  })
  t.ok(line.ms >= line.engineMs && line.engineMs > 0, JSON.stringify(line))

  await app.inject('/api/v1/banks/?limit=-1')
  t.match(lines(), [{ status: 400, problem: 'invalid-parameter' }])
})

t.test('a key is in no line, wherever the client put it', async (t) => {
  const { app } = await build(t, { deps: { logger: log } })
  const key = `bds_p_${randomBytes(32).toString('base64url')}`
  for (const url of [
    `/api/v1/banks/?api_key=${key}`,
    `/api/v1/banks/?q=${key}&limit=1`,
    `/${key}`,
    '/api/v1/banks/?limit=1',
  ])
    await app.inject({ url, headers: { authorization: `Bearer ${key}`, cookie: key, referer: key } })
  log.error({ err: new Error(`refused ${key}`) }, key)
  const text = written.splice(0).join('')
  t.equal(text.match(/"msg":"request"/g)?.length, 4)
  t.match(text, /api_key=\[key\]/, 'what stood there is said')
  t.notOk(text.includes(key.slice(6)))

  await app.inject(`/api/v1/banks/?q=${key.replace('bds', '%62ds')}`)
  t.notOk(written.splice(0).join('').includes(key.slice(6)), 'nor in escapes')
})

t.test('REQUEST_LOG', async (t) => {
  const { app, serve } = await build(t, { deps: { logger: log }, env: { REQUEST_LOG: 'failed' } })
  lines()
  await app.inject('/api/v1/banks/?limit=1')
  await app.inject('/nothing')
  t.strictSame(lines(), [])
  serve(null)
  await app.inject('/api/v1/banks/?limit=1')
  t.match(lines(), [{ status: 503, problem: 'no-data', msg: 'request' }])
})
