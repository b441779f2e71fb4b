import type { ClientPlan, Limits } from '../../access/plans.ts'
import { catalog, tiers } from '../../catalog/catalog.ts'
import { html, page, table } from './layout.ts'

const names: Readonly<Record<ClientPlan, string>> = {
  none: 'no key',
  free: 'free key',
  premium: 'premium key',
}

/** Who reads what, and how much of it, as this server is set. */
export function accessPage(limits: Readonly<Record<ClientPlan, Limits>>): string {
  const counts = tiers.map((tier) => catalog.filter((entry) => entry.tier === tier).length)
  const count = (limit: number): string => (limit === 0 ? 'without limit' : limit.toLocaleString('en-US'))
  return page(
    'Access',
    `<p>Public data is open to anybody. For the rest send a key with each request:</p>
<pre>curl -H 'Authorization: Bearer bds_…' ${html('"$SERVER/api/v1/account/"')}</pre>
<p>A key stands in that header and nowhere else: one in an address is refused, and should be rotated. A key that is not
in force is refused on public data too.</p>
<h2>Who reads what</h2>
${table(
  ['Tier', 'Datasets', 'No key', 'Free key', 'Premium key', 'Bad or revoked key'],
  [
    ['Public', String(counts[0]), '200', '200', '200', '401'],
    ['Free', String(counts[1]), '401', '200', '200', '401'],
    ['Premium', String(counts[2]), '401', '403', '200', '401'],
  ],
)}
<h2>How much</h2>
${table(
  ['', 'Answers a UTC day', 'Requests a second'],
  (Object.keys(names) as ClientPlan[]).map((plan) => [
    `${names[plan]}${plan === 'none' ? ', an address' : ''}`,
    count(limits[plan].day),
    count(limits[plan].second),
  ]),
)}
<p>Each answer of a dataset takes one from the day; so does what else needed a query.
A 304 of a tag, a refusal without a query and a failure of the server take nothing. The limit a second counts
everything. What is left is in each answer, in <code>RateLimit</code> and <code>X-RateLimit-Remaining</code>, and in
<a href="/api/v1/account/"><code>/api/v1/account/</code></a> with what was asked by day and dataset. Past a limit:
<a href="/docs/errors#allowance-used-up">429</a> with <code>Retry-After</code>.</p>`,
  )
}
