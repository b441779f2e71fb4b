// The one download helper, against a publisher with every fault.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { download, NotPublished } from '../../loaders/lib/download.ts'
import { LoadError } from '../../loaders/lib/errors.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { type Answer, inTurn, replay, says } from '../rates/replay.ts'

const quick = { pauseMs: 5, retries: 2, idleMs: 300 }
const whole = says(200, 'date,value\n2024-01-02,1\n')

/** Promises more than it sends, then hangs up. */
const halfSent: Answer = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('date,value\n2024')
  setTimeout(() => response.destroy(), 10)
}
/** The same without a length: chunks whose end never comes. */
const halfChunked: Answer = (_, response) => {
  response.writeHead(200)
  response.write('date,value\n2024')
  setTimeout(() => response.destroy(), 10)
}
const silent: Answer = () => {}
const stalls: Answer = (_, response) => {
  response.writeHead(200)
  response.write('date,value\n')
}

async function attempt(t: import('tap').Test, answer: Answer, options = {}) {
  const { url, asked } = await replay(t, answer)
  const folder = await temporaryFolder(t)
  const path = join(folder, 'file.csv')
  const failure = await download(`${url}/x?id=1`, path, { ...quick, ...options }).then(
    () => null,
    (error: unknown) => error as Error,
  )
  return { failure, asked, folder, text: existsSync(path) ? readFileSync(path, 'utf8') : null }
}

t.test('a fault that passes is tried again', async (t) => {
  const faults: [string, Answer][] = [
    ['500', says(500)],
    ['503', says(503, 'later')],
    ['429', says(429, '', { 'retry-after': '0' })],
    ['half-sent, with a length', halfSent],
    ['half-sent, in chunks', halfChunked],
    ['no answer', silent],
    ['a body that stalls', stalls],
    ['a connection that is closed', (request) => void request.socket.destroy()],
  ]
  for (const [name, fault] of faults) {
    const { failure, asked, text, folder } = await attempt(t, inTurn(fault, whole))
    t.equal(failure, null, name)
    t.equal(text, 'date,value\n2024-01-02,1\n', name)
    t.strictSame(asked, ['/x?id=1', '/x?id=1'], name)
    t.strictSame(readdirSync(folder), ['file.csv'], `${name}: no part of a file is left`)
  }
})

t.test('a fault that stays is told, and no file appears', async (t) => {
  const faults: [string, Answer, RegExp, number][] = [
    ['500', says(500), /answered 500 .*tried 3 times/, 3],
    ['429', says(429), /answered 429 .*tried 3 times/, 3],
    ['half-sent', halfSent, /tried 3 times/, 3],
    ['no answer', silent, /nothing came for 0\.3 s \(tried 3 times\)/, 3],
    ['403', says(403), /answered 403/, 1],
  ]
  for (const [name, fault, words, times] of faults) {
    const { failure, asked, text, folder } = await attempt(t, fault)
    t.ok(failure instanceof LoadError, name)
    t.match(failure?.message, words, name)
    t.match(failure?.message, /127\.0\.0\.1/, `${name}: names the address`)
    t.equal(asked.length, times, name)
    t.equal(text, null, name)
    t.strictSame(readdirSync(folder), [], name)
  }
})

t.test('404 is told at once, as what it is', async (t) => {
  for (const status of [404, 410]) {
    const { failure, asked } = await attempt(t, says(status))
    t.ok(failure instanceof NotPublished)
    t.equal(asked.length, 1)
  }
})

t.test('Retry-After is kept to: seconds or a date, and not beyond patience', async (t) => {
  const started = performance.now()
  const soon = new Date(Date.now() + 2000).toUTCString()
  const answers = inTurn(says(429, '', { 'retry-after': '1' }), says(503, '', { 'retry-after': soon }), whole)
  t.equal((await attempt(t, answers)).failure, null)
  t.ok(performance.now() - started >= 990, 'waited the second that was asked for')
  const { failure, asked } = await attempt(t, says(429, '', { 'retry-after': '86400' }))
  t.match(failure?.message, /asked to wait 86400 s: try again later/)
  t.equal(asked.length, 1)
})

t.test('a body without end is cut off', async (t) => {
  const { failure } = await attempt(t, says(200, 'x'.repeat(5000)), { mostBytes: 1000 })
  t.match(failure?.message, /larger than 1000 bytes/)
})
