// Watchlists over the real control database: what a key watches, and nobody else sees.
import t from 'tap'
import { revokeKey, rotateKey } from '../../server/access/key-store.ts'
import { buildApp } from '../../server/app.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { build } from '../helpers/app.ts'

t.test('a list of one key', async (t) => {
  const { app, engine, config, access, workers, published, newKey } = await build(t, {
    key: false,
    env: { WATCHLIST_MOST: '40' },
  })
  const rows = <T>(sql: string) => engine.rows<T>({ database: published.publication.database, sql })
  const banks = await rows<{ rssd_id: number; legal_name: string }>(
    'SELECT rssd_id, legal_name FROM banks WHERE active ORDER BY rssd_id LIMIT 60',
  )
  const ids = banks.map(({ rssd_id }) => rssd_id)
  const mine = await newKey('free')
  const others = await newKey('premium')
  type Headers = Readonly<Record<string, string>>
  const ask = (url: string, headers: Headers = mine.headers, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: `/api/v1/watchlist/${url}`, headers })
  const data = async (url: string, headers?: Headers) => (await ask(url, headers)).json().data
  const watched = async (headers?: Headers) =>
    (await data('', headers))
      .map(({ rssd_id }: { rssd_id: number }) => rssd_id)
      .sort((a: number, b: number) => a - b)

  t.strictSame(await data(''), [])
  t.strictSame(await data(`add/?rssd_id=${ids[0]},${ids[1]},${ids[0]}`), {
    ...{ watched: 2, named: 2, named_watched: 2 },
  })
  t.strictSame(await data(`add/?rssd_id=${ids[1]},${ids[2]}`), { watched: 3, named: 2, named_watched: 2 })
  t.strictSame(await watched(), ids.slice(0, 3))
  t.strictSame(await watched(others.headers), [], 'of another key nothing')

  t.test('nothing is half done', async (t) => {
    for (const [url, reason] of [
      [`add/?rssd_id=${ids[3]},4294967295`, /no source that is loaded knows 4294967295: nothing was added/],
      ['add/?cu_number=4294967295', /no source that is loaded knows 4294967295/],
      ['add/', /rssd_id or cu_number must say whom to watch/],
      ['remove/', /rssd_id or cu_number must say whom to take off/],
      [
        `add/?rssd_id=${ids.slice(3, 41).join()}`,
        /the list has 3 institutions, and with 38 more it would exceed 40/,
      ],
      ['add/?rssd_id=first', /whole number/],
    ] as const) {
      const answer = await ask(url)
      t.equal(answer.statusCode, 400, url)
      t.match(answer.json(), { code: 'invalid-parameter', errors: [{ reason }] })
    }
    t.strictSame(await watched(), ids.slice(0, 3))
  })

  t.test('figures are those of the snapshot, changes those against the quarter before', async (t) => {
    const [row] = (
      await data('?fields=rssd_id,legal_name,report_date,total_assets,total_assets_change,roa,roa_change')
    ).filter(({ rssd_id }: { rssd_id: number }) => rssd_id === ids[0])
    const [now, before] = await rows<{ report_date: string; total_assets: number; roa: number }>(
      `SELECT report_date, total_assets, roa FROM bank_quarters WHERE rssd_id = ${ids[0]} ORDER BY report_date DESC LIMIT 2`,
    )
    t.strictSame(
      { ...row, total_assets_change: null, roa_change: null },
      {
        ...{ rssd_id: ids[0], legal_name: banks[0]!.legal_name, ...now },
        ...{ total_assets_change: null, roa_change: null },
      },
    )
    const close = (a: number, b: number) => Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b))
    t.ok(
      close(
        row.total_assets_change,
        (100 * (now!.total_assets - before!.total_assets)) / before!.total_assets,
      ),
    )
    t.ok(close(row.roa_change, now!.roa - before!.roa))
  })

  t.test('what does not ask for a change makes none', async (t) => {
    t.equal((await ask(`add/?rssd_id=${ids[5]}`, mine.headers, 'HEAD')).statusCode, 200)
    for (const [name, value] of [
      ['if-none-match', '*'],
      ['range', 'bytes=0-3'],
      ['sec-purpose', 'prefetch'],
    ] as const) {
      const answer = await ask(`add/?rssd_id=${ids[5]}`, { ...mine.headers, [name]: value })
      t.match(answer.json(), { data: { watched: 3, named: 1, named_watched: 0 } })
      t.match(answer.headers, { 'cache-control': 'private, no-store', etag: undefined })
    }
    t.equal((await ask('')).headers['cache-control'], 'private, no-store')
    t.strictSame(await watched(), ids.slice(0, 3))
  })

  t.test('50 changes at the same time', async (t) => {
    const answers = await Promise.all(
      ids.slice(10, 35).flatMap((id) => [ask(`add/?rssd_id=${id}`), ask(`add/?rssd_id=${id}`)]),
    )
    t.ok(answers.every(({ statusCode }) => statusCode === 200))
    t.strictSame(await watched(), [...ids.slice(0, 3), ...ids.slice(10, 35)])
    await Promise.all([
      ...ids.slice(10, 35).map((id) => ask(`remove/?rssd_id=${id}`)),
      ...ids.slice(35, 45).map((id) => ask(`add/?rssd_id=${id}`)),
    ])
    t.strictSame(await watched(), [...ids.slice(0, 3), ...ids.slice(35, 45)])
    t.strictSame(await data(`remove/?rssd_id=${ids.slice(35, 45).join()},7`), {
      ...{ watched: 3, named: 11, named_watched: 0 },
    })
  })

  t.test('the list is of the key: it survives rotation and goes with revocation', async (t) => {
    const { secret } = await rotateKey(engine, mine.id)
    await access.keys.refresh()
    t.strictSame(await watched({ authorization: `Bearer ${secret}` }), ids.slice(0, 3))
    await revokeKey(engine, mine.id)
    const left = await engine
      .loader()
      .query({ query: 'SELECT count() AS n FROM watch_changes', format: 'JSONEachRow' })
    t.strictSame(await left.json(), [{ n: 0 }])
  })

  t.test('to revoke again ends what a failure left undone', async (t) => {
    const key = await newKey('free')
    await ask(`add/?rssd_id=${ids[0]}`, key.headers)
    const failing: Engine = Object.create(engine, {
      loader: {
        value: (database?: string) => {
          const client = engine.loader(database)
          return Object.create(client, {
            command: {
              value: (asked: Parameters<typeof client.command>[0]) =>
                asked.query.startsWith('ALTER TABLE watch_changes')
                  ? Promise.reject(new Error('the engine is gone'))
                  : client.command(asked),
            },
          })
        },
      },
    })
    await t.rejects(revokeKey(failing, key.id), /the engine is gone/)
    const left = () =>
      engine.loader().query({
        query: 'SELECT count() AS n FROM watch_changes WHERE key_id = {id:String}',
        query_params: { id: key.id },
        format: 'JSONEachRow',
      })
    t.strictSame(await (await left()).json(), [{ n: 1 }])
    t.ok((await revokeKey(engine, key.id)).revokedAt)
    t.strictSame(await (await left()).json(), [{ n: 0 }])
  })

  t.test('the list is read again only after a change', async (t) => {
    let reads = 0
    const loader = engine.loader.bind(engine)
    engine.loader = (database) => {
      const client = loader(database)
      return Object.create(client, {
        query: {
          value: (asked: Parameters<typeof client.query>[0]) => {
            if (asked.query.includes('FROM watch_changes')) reads++
            return client.query(asked)
          },
        },
      })
    }
    t.teardown(() => {
      engine.loader = loader
    })
    const key = await newKey('free')
    const counted = async (url: string, headers: Headers = key.headers) => {
      reads = 0
      const { watched } = await data(url, headers)
      return [watched, reads]
    }
    t.strictSame(await counted(`add/?rssd_id=${ids[0]}`), [1, 2])
    t.strictSame(await counted(`add/?rssd_id=${ids[0]}`), [1, 1], 'it is there already')
    t.strictSame(await counted(`remove/?rssd_id=${ids[1]}`), [1, 1], 'it is not there')
    t.strictSame(
      await counted(`remove/?rssd_id=${ids[0]}`, { ...key.headers, purpose: 'prefetch' }),
      [1, 1],
      'it must not be taken off',
    )
  })

  t.test('two servers on one engine', async (t) => {
    const second = await buildApp(config, { engine, workers, access, published: () => published })
    t.teardown(() => second.close())
    const key = await newKey('free')
    const at = async (server: typeof app, url: string) =>
      (await server.inject({ url: `/api/v1/watchlist/${url}`, headers: key.headers })).json().data
    const list = async (server: typeof app) =>
      (await at(server, '?fields=rssd_id')).map(({ rssd_id }: { rssd_id: number }) => rssd_id).sort()
    await Promise.all(
      ids.slice(0, 25).map((id, at_) => at(at_ % 2 === 0 ? app : second, `add/?rssd_id=${id}`)),
    )
    t.strictSame(await list(app), ids.slice(0, 25))
    t.strictSame(await list(second), ids.slice(0, 25), 'none is lost, none is doubled')
    await Promise.all([app, second].map((server) => at(server, `remove/?rssd_id=${ids.slice(5).join()}`)))
    t.strictSame(await list(app), ids.slice(0, 5))
    t.strictSame(await list(second), ids.slice(0, 5))
  })

  t.test('every format', async (t) => {
    await ask(`add/?rssd_id=${ids[0]}`, others.headers)
    for (const format of ['csv', 'ndjson', 'columns', 'arrow', 'parquet', 'xlsx'])
      t.equal((await ask(`?format=${format}`, others.headers)).statusCode, 200, format)
  })
})
