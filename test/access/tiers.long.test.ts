/** Every dataset of the catalog × who asks, as the contract's table has it; and what a refusal says and does not say. */
import t from 'tap'
import { revokeKey } from '../../server/access/key-store.ts'
import { API_ROOT, catalog, type Tier, tiers } from '../../server/catalog/catalog.ts'
import { exampleUrl } from '../../server/catalog/describe.ts'
import { loadDatasets } from '../../server/catalog/registry.ts'
import { build } from '../helpers/app.ts'

const stranger = `bds_p_${'A'.repeat(43)}`

t.test('tiers', async (t) => {
  const { app, access, engine, published, newKey } = await build(t, { key: false })
  const datasets = await loadDatasets()
  const free = await newKey('free')
  const premium = await newKey('premium')
  const revoked = await newKey('premium')
  await revokeKey(engine, revoked.id)
  await access.keys.refresh()

  type Who = 'no key' | 'free' | 'premium' | 'revoked' | 'malformed'
  const senders: Record<Who, { authorization?: string }> = {
    'no key': {},
    free: free.headers,
    premium: premium.headers,
    revoked: revoked.headers,
    malformed: { authorization: `Bearer ${premium.secret.slice(0, -1)}` },
  }
  const invalid = { revoked: 'key-invalid', malformed: 'key-invalid' }
  // the contract's table; null: let in
  const expected: Record<Tier, Record<Who, string | null>> = {
    Public: { 'no key': null, free: null, premium: null, ...invalid },
    Free: { 'no key': 'key-required', free: null, premium: null, ...invalid },
    Premium: { 'no key': 'key-required', free: 'plan-required', premium: null, ...invalid },
  }
  const urlOf = (entry: (typeof catalog)[number]): string => {
    const dataset = datasets.get(entry.key)
    const [example] = dataset!.examples
    return exampleUrl(dataset!, example?.path, example?.query, published.examples)
  }

  t.strictSame(new Set(catalog.map(({ tier }) => tier)), new Set(tiers), 'every tier is walked')
  for (const entry of catalog) {
    const url = urlOf(entry)
    const seen: Record<string, string | null> = {}
    for (const [who, headers] of Object.entries(senders)) {
      const answer = await app.inject({ url, headers })
      const { code } = answer.statusCode < 400 ? { code: null } : answer.json()
      seen[who] = code
      const status = { 'key-required': 401, 'key-invalid': 401, 'plan-required': 403 }[code as string]
      if (status && answer.statusCode !== status) t.fail(`${entry.key}, ${who}: ${answer.statusCode}`)
    }
    t.strictSame(seen, expected[entry.tier], `${entry.key} (${entry.tier})`)
  }

  await t.test('a composite has each part under the tier of its own dataset', async (t) => {
    const plans = { premium, free, 'no key': { headers: {} } }
    const allowed = { premium: tiers, free: ['Public', 'Free'], 'no key': ['Public'] }
    const composites = [...datasets.values()].filter(({ parts }) => parts)
    t.ok(composites.some(({ key }) => key === 'bank-profile'))
    for (const dataset of composites) {
      const { key, parts } = dataset
      const url = exampleUrl(dataset, undefined, undefined, published.examples)
      const tags = new Map<string, string>()
      // twice: what was kept for one plan is not given to another
      for (const [who, { headers }] of [...Object.entries(plans), ...Object.entries(plans)]) {
        const answer = await app.inject({ url, headers })
        const of = `${key}, ${who}`
        const { data, meta } = answer.json()
        const left: string[] = []
        for (const [name, part] of Object.entries(parts!)) {
          const { tier } = catalog.find((entry) => entry.key === part.dataset)!
          if (allowed[who as keyof typeof allowed].includes(tier)) t.ok(data[name], `${of} has ${name}`)
          else left.push(name)
        }
        for (const name of left) t.equal(data[name], null, `${of} has no ${name}`)
        t.strictSame(
          (meta.left_out ?? []).map(({ part }: { part: string }) => part),
          left,
          of,
        )
        for (const { reason } of meta.left_out ?? []) t.match(reason, /is of the tier .*: for .* keys/)
        tags.set(who, answer.headers.etag as string)
        if (left.length > 0) {
          t.equal(answer.headers['cache-control'], 'private, no-cache')
          t.match(answer.headers.vary, /Authorization/)
          const other = { ...headers, 'if-none-match': tags.get('premium')! }
          t.equal((await app.inject({ url, headers: other })).statusCode, 200, 'the tag of another plan')
        }
      }
    }
  })

  await t.test('HEAD and the path without its last slash are the same resource', async (t) => {
    for (const method of ['GET', 'HEAD'] as const) {
      for (const url of ['/api/v1/screeners/panel', '/api/v1/screeners/panel/']) {
        t.equal((await app.inject({ method, url })).statusCode, 401)
        t.equal((await app.inject({ method, url, headers: free.headers })).statusCode, 403)
      }
    }
  })

  await t.test(
    'a refusal challenges as RFC 6750 says, and a browser of another origin may read it',
    async (t) => {
      const at = (headers: Record<string, string>) =>
        app.inject({
          url: '/api/v1/screeners/panel/',
          headers: { origin: 'https://example.org', ...headers },
        })
      const cases: [Record<string, string>, RegExp][] = [
        [{}, /^Bearer realm="[^"]+"$/],
        [{ authorization: `Bearer ${stranger}` }, /, error="invalid_token"$/],
        [free.headers, /, error="insufficient_scope"$/],
      ]
      for (const [headers, challenge] of cases) {
        const answer = await at(headers)
        t.match(answer.headers['www-authenticate'], challenge)
        t.equal(answer.headers['access-control-allow-origin'], '*')
        t.equal(answer.headers['cache-control'], 'no-store')
      }
    },
  )

  await t.test('what is no Bearer key is malformed, and is not repeated', async (t) => {
    const { secret } = premium
    for (const authorization of [
      secret,
      `Basic ${Buffer.from(`a:${secret}`).toString('base64')}`,
      `Bearer ${secret}x`,
      `Bearer ${secret} ${secret}`,
      `Bearer ${secret.toUpperCase()}`,
      'Bearer',
      '',
    ]) {
      const answer = await app.inject({ url: '/api/v1/banks/?limit=1', headers: { authorization } })
      t.equal(answer.json().code, 'key-invalid', authorization.slice(0, 8))
      t.notOk(/bds_/.test(answer.body.replace('a key is bds_, a letter', '')))
    }
    const lower = { authorization: `bearer  ${secret}` }
    t.equal((await app.inject({ url: '/api/v1/banks/?limit=1', headers: lower })).statusCode, 200)
  })

  await t.test('a key in a URL is refused, and not repeated', async (t) => {
    const { secret } = premium
    for (const url of [
      `/api/v1/screeners/panel/?api_key=${secret}`,
      `/api/v1/banks/?q=${secret}`,
      `/api/v1/banks/?q=${secret.replaceAll('_', '%5F').replace('b', '%62')}`,
      `/api/v1/banks/${secret}/`,
      `/docs/${secret}`,
      `/api/v1/banks/%E0%A4%A?key=${secret}`,
      `/${secret}//`,
    ]) {
      const answer = await app.inject(url)
      t.equal(answer.json().code, 'bad-request', url.slice(0, 24))
      t.notOk(answer.body.includes(secret.slice(8, 30)), 'nothing of it in the body')
      t.notOk(JSON.stringify(answer.headers).includes(secret.slice(8, 30)), 'nor in a header')
    }
  })

  await t.test('docs and health answer whatever credentials are sent along', async (t) => {
    const headers = { authorization: 'Basic YTpi' }
    for (const url of ['/docs/catalog', '/docs/bank-trends', '/health/live', '/health/ready']) {
      t.equal((await app.inject({ url, headers })).statusCode, 200, url)
    }
  })

  await t.test('the OpenAPI document says who may read what', async (t) => {
    const { paths, components } = (await app.inject('/api/v1/openapi.json')).json()
    t.match(components.securitySchemes.ApiKey, { type: 'http', scheme: 'bearer' })
    for (const { path, tier } of catalog) {
      const { security, responses } = paths[API_ROOT + path].get
      t.strictSame(security, tier === 'Public' ? [{}, { ApiKey: [] }] : [{ ApiKey: [] }], path)
      for (const status of [401, 403, 429]) t.ok(responses[status], `${path} ${status}`)
    }
  })
})
