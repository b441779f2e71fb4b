/** Which keys are in force, at once and however the path is written. */
import t from 'tap'
import { createKey } from '../../server/access/key-store.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { build } from '../helpers/app.ts'

const URL_ = '/api/v1/banks/?limit=1&fields=rssd_id'
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const guess = (i: number) => bearer(`bds_f_${String(i).padStart(43, 'A')}`)

t.test('keys', async (t) => {
  const { app, engine } = await build(t, { key: false, env: { KEYS_POLL_MS: '2500', BURST_NO_KEY: '400' } })
  /** How often the server looked whether there are other keys. */
  const looks = { count: 0 }
  const loader = engine.loader.bind(engine)
  ;(engine as { loader: Engine['loader'] }).loader = (...of) => {
    const client = loader(...of)
    const query = client.query.bind(client)
    return Object.assign(Object.create(client), {
      query: (asked: { query: string }) => {
        if (asked.query.includes('AS state FROM api_key_changes')) looks.count++
        return query(asked)
      },
    })
  }
  const made = () => createKey(engine, { plan: 'free', name: 'a test' })

  await t.test('a key just made is in force, the first time that it is used', async (t) => {
    for (let i = 0; i < 3; i++) {
      const { secret } = await made()
      t.equal((await app.inject({ url: URL_, headers: bearer(secret) })).statusCode, 200)
    }
  })

  await t.test('whoever guesses makes the server look once a second, and keeps no new key out', async (t) => {
    const before = looks.count
    const began = performance.now()
    const guesses = Array.from({ length: 300 }, (_, i) => app.inject({ url: URL_, headers: guess(i) }))
    const { secret } = await made()
    const late = app.inject({ url: URL_, headers: bearer(secret) })
    const more = Array.from({ length: 50 }, (_, i) => app.inject({ url: URL_, headers: guess(1000 + i) }))
    t.equal((await late).statusCode, 200)
    const answers = await Promise.all([...guesses, ...more])
    t.ok(answers.every(({ statusCode }) => statusCode === 401 || statusCode === 429))
    t.ok(answers.filter(({ statusCode }) => statusCode === 401).length >= 300)
    const seconds = Math.ceil((performance.now() - began) / 1000)
    // its own looks, and those of the watch
    t.ok(looks.count - before <= 2 * seconds + 1, `${looks.count - before} looks in ${seconds} s`)
  })

  await t.test('guesses beyond the limit a second are refused without a look', async (t) => {
    const { app } = await build(t, { key: false, data: false, env: { BURST_NO_KEY: '2' } })
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => app.inject({ url: URL_, headers: guess(i) })),
    )
    t.strictSame(
      answers.map(({ statusCode }) => statusCode),
      [401, 401, 429, 429, 429],
    )
  })

  await t.test('a bad key is refused on every spelling of a path', async (t) => {
    for (const headers of [guess(1), bearer('nonsense'), { authorization: 'Basic eDp5' }]) {
      for (const url of [
        URL_,
        URL_.replace('/api', '/%61pi'),
        URL_.replace('api', 'ap%69').replace('v1', '%761'),
      ]) {
        const answer = await app.inject({ url, headers })
        t.equal(answer.statusCode, 401, url)
        t.equal(answer.json().code, 'key-invalid')
      }
      t.equal((await app.inject({ url: '/%64ocs/errors', headers })).statusCode, 200, 'but on pages')
    }
    t.equal((await app.inject(URL_.replace('/api', '/%61pi'))).statusCode, 200, 'it is a path like any')
  })
})
