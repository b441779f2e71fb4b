// The one download helper, against a publisher with every fault.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { download } from '../../loaders/fetch/download.ts'
import { NotPublished } from '../../loaders/fetch/faults.ts'
import { LoadError } from '../../loaders/lib/errors.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { type Answer, inTurn, replay, says } from '../rates/replay.ts'

const quick = { pauseMs: 5, tries: 3, idleMs: 300 }
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

/** Sends half of a text and hangs up; sends the rest to who asks for it. */
const resumable =
  (text: string, { etag = '"one"' as string | undefined, changed = false } = {}): Answer =>
  (request, response) => {
    const validators = etag ? { etag } : { 'last-modified': 'Fri, 02 Jan 2026 00:00:00 GMT' }
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1])
    if (Number.isNaN(from)) {
      response.writeHead(200, { ...validators, 'content-length': String(text.length) })
      response.write(text.slice(0, text.length / 2))
      setTimeout(() => response.destroy(), 100)
    } else if (changed) response.writeHead(200, { etag: '"two"' }).end('another text')
    else if (request.headers['if-range'] !== Object.values(validators)[0]) response.writeHead(400).end()
    else {
      const range = `bytes ${from}-${text.length - 1}/${text.length}`
      response.writeHead(206, { ...validators, 'content-range': range }).end(text.slice(from))
    }
  }

t.test('a download that was cut is gone on with, not begun again', async (t) => {
  const text = Array.from({ length: 20_000 }, (_, n) => `${n}\n`).join('')
  for (const etag of ['"one"', undefined]) {
    const seen: (string | undefined)[] = []
    const answer = resumable(text, { etag })
    const outcome = await attempt(t, (request, response) => {
      seen.push(request.headers.range)
      answer(request, response)
    })
    t.equal(outcome.failure, null)
    t.ok(outcome.text === text, 'byte for byte')
    t.equal(seen[0], undefined)
    t.match(seen.at(-1), /^bytes=[1-9]\d+-$/)
    t.strictSame(readdirSync(outcome.folder), ['file.csv'])
  }
  const changed = await attempt(t, resumable(text, { changed: true }))
  t.equal(changed.text, 'another text', 'what changed meanwhile is taken whole')
  t.equal((await attempt(t, resumable(text, { etag: 'W/"weak"' }))).asked.length, 3, 'a weak tag does not do')
})

t.test('what goes on elsewhere than asked, or cannot, is begun again', async (t) => {
  for (const [name, status, range] of [
    ['another place', 206, 'bytes 0-99/200'],
    ['no such range', 416, 'bytes */5'],
  ] as const) {
    let times = 0
    const { failure, text } = await attempt(t, (request, response) => {
      if (request.headers.range) return void response.writeHead(status, { 'content-range': range }).end('x')
      times += 1
      if (times === 2) return void response.writeHead(200).end('whole')
      response.writeHead(200, { etag: '"one"', 'content-length': '200' })
      response.write('y'.repeat(100))
      setTimeout(() => response.destroy(), 100)
    })
    t.equal(failure, null, name)
    t.equal(text, 'whole', name)
  }
})

t.test('what is held is asked for by its tag and date, and not sent again', async (t) => {
  const held = { etag: '"one"', lastModified: 'Fri, 02 Jan 2026 00:00:00 GMT', bytes: 5 }
  const headers = { etag: '"one"', 'last-modified': held.lastModified, 'content-length': '5' }
  const ask = async (answer: Answer, known: object = held) => {
    const { url } = await replay(t, answer)
    return download(`${url}/x`, join(await temporaryFolder(t), 'file'), { ...quick, held: known })
  }
  t.equal(
    await ask((request, response) => {
      t.equal(request.headers['if-none-match'], '"one"')
      t.equal(request.headers['if-modified-since'], held.lastModified)
      response.writeHead(304).end()
    }),
    'unchanged',
  )
  t.equal(await ask(says(200, 'whole', headers)), 'unchanged', 'sent all the same, with the same tag')
  const { etag, ...undated } = held
  t.ok(etag)
  t.equal(
    await ask(says(200, 'whole', { 'last-modified': held.lastModified, 'content-length': '5' }), undated),
    'unchanged',
  )
  const longer = { 'last-modified': held.lastModified, 'content-length': '6' }
  t.match(await ask(says(200, 'longer', longer), undated), { bytes: 6, lastModified: held.lastModified })
  t.match(await ask(says(200, 'whole', { etag: '"two"' })), { etag: '"two"', bytes: 5 })
})

t.test(
  'redirects: the file is taken from there, what was sent along is for the publisher alone',
  async (t) => {
    const seen: object[] = []
    const other = await replay(t, (request, response) => {
      seen.push({ token: request.headers.authentication, agent: request.headers['user-agent'] })
      response.end('there')
    })
    const redirecting = (location: string) => (t: import('tap').Test) =>
      attempt(
        t,
        (request, response) => {
          t.equal(request.headers.authentication, 'Bearer x')
          response.writeHead(302, { location }).end()
        },
        { headers: { Authentication: 'Bearer x', 'user-agent': 'me' } },
      )
    const { text } = await redirecting(`${other.url}/moved.csv`)(t)
    t.equal(text, 'there')
    t.strictSame(seen, [{ token: undefined, agent: 'me' }])
    t.match((await redirecting('file:///etc/passwd')(t)).failure?.message, /redirects to file:.*not followed/)
    const round = await redirecting('/x?id=1')(t)
    t.match(round.failure?.message, /redirects more than 5 times/)
    t.equal(round.asked.length, 6)
  },
)

t.test('a body that only drips is given up', async (t) => {
  const { failure, asked } = await attempt(
    t,
    (_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.once('close', () => clearInterval(drip))
    },
    { tries: 1 },
  )
  t.match(failure?.message, /nothing came for 0\.3 s/)
  t.equal(asked.length, 1)
})
