/** The hooks that admit or reject a request: burst limit, key, tier of the dataset, daily allowance. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Access } from './access.ts'
import type { Drawn } from './allowance.ts'
import type { Client, KeyFault } from './client.ts'
import { type Bursts, policies, rateHeaders } from './headers.ts'
import { identify } from './identify.ts'
import { mayRead, planFor } from './plans.ts'
import { holdsSecret } from './secret.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of clients with a burst limit. */
    bursts: Bursts | null
    /** What this request was counted in; null where nothing was, or was given back. */
    counted: Drawn | null
  }
}

/** Identifies the client and counts the request. Register it before any other hook. */
export async function registerIdentity(
  app: FastifyInstance,
  { keys, limits, addressOf, bursts }: Access,
): Promise<void> {
  app.decorateRequest('address', '')
  app.decorateRequest('client', null as unknown as Client)
  app.decorateRequest('keyFault', null)
  app.decorateRequest('bursts', null)
  app.decorateRequest('counted', null)
  await app.register(rateLimit, {
    global: false,
    max: ({ client }) => limits[client.plan].second,
    timeWindow: 1000,
    keyGenerator: ({ client }) => client.id,
    store: bursts,
  })
  const count = app.createRateLimit()
  const countBurst = async (request: FastifyRequest): Promise<void> => {
    if (limits[request.client.plan].second === 0 || isHealth(request)) return
    const bursts = await count(request)
    if (!bursts.isAllowed) request.bursts = bursts
  }
  app.addHook('onRequest', async (request) => {
    request.address = addressOf(request.raw)
    identify(request, keys)
    await countBurst(request)
    if (request.keyFault !== 'unknown' || request.bursts?.isExceeded || !isApi(request)) return
    // it may have been made a moment ago; whoever guesses waits, and the address was counted
    await keys.lookAgain()
    identify(request, keys)
    if (request.keyFault !== null) return
    request.bursts = null
    await countBurst(request)
  })
}

/**
 * Rejects or counts requests, and adds to each answer what is left of the limits. Register it after the hooks that only
 * add headers, which rejections must have as well.
 * @returns to be called when a client leaves before its answer is whole
 */
export function registerAdmission(
  app: FastifyInstance,
  { use, limits }: Access,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const policy = policies(limits)
  const overdrawn = (client: Client, day: number): Problem =>
    new Problem(
      'allowance-used-up',
      `the ${day} answers a day of ${client.plan === 'none' ? 'an address without a key' : `a ${client.plan} key`} are used up; ` +
        `there are new ones at ${use.resetsAt()}`,
      { retryAfter: use.secondsLeft() },
    )
  app.addHook('onRequest', (request, _, done) => {
    const refused = refusal(request)
    if (refused) return done(refused)
    const { dataset } = request.routeOptions.config
    if (!dataset) return done()
    const { client } = request
    const { day } = limits[client.plan]
    const drawn = use.draw(client.id, dataset.key, day)
    const go = (counted: Drawn | null): void => {
      request.counted = counted
      done(counted ? undefined : overdrawn(client, day))
    }
    if (drawn instanceof Promise) drawn.then(go, done)
    else go(drawn)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!takesOne(request, reply)) giveBack(request)
    const { client, bursts } = request
    // a request that cannot be read has no client
    if (client && !isHealth(request)) {
      const header = policy[client.plan]
      if (header !== '') {
        reply.header('ratelimit-policy', header)
        rateHeaders(reply, limits[client.plan], use.used(client.id), use.secondsLeft(), bursts)
      }
    }
    done(null, payload)
  })

  return (request, reply) => {
    // what it was promised was being sent, or the engine was at work for it
    if (!reply.raw.headersSent && !request.timing?.asked) giveBack(request)
  }

  function giveBack(request: FastifyRequest): void {
    if (!request.counted) return
    use.giveBack(request.counted, request.routeOptions.config.dataset!.key)
    request.counted = null
  }
}

/** A URL that contains a key is rejected without looking the key up: it is in logs and histories already. */
export const refusedUrl = (url: string): Problem | undefined =>
  holdsSecret(url)
    ? new Problem(
        'bad-request',
        'a key stands in the URL, where logs and histories keep it: send it as “Authorization: Bearer …”, and rotate this one',
      )
    : undefined

function refusal(request: FastifyRequest): Problem | undefined {
  const { client, keyFault, bursts } = request
  if (bursts?.isExceeded) {
    return new Problem('too-many-requests', `more than ${bursts.max} requests in a second`, {
      retryAfter: Math.max(1, bursts.ttlInSeconds),
    })
  }
  // a page of the docs answers whatever credentials a browser or a proxy sends along
  if (keyFault && isApi(request)) return refusedKey(keyFault)
  const { dataset } = request.routeOptions.config
  if (!dataset || mayRead(client.plan, dataset.tier)) return undefined
  const plan = planFor(dataset.tier)
  if (client.plan === 'none') {
    return new Problem(
      'key-required',
      `${dataset.key} is for holders of a ${plan} key: send it as “Authorization: Bearer …”`,
      { authenticate: challenge() },
    )
  }
  return new Problem(
    'plan-required',
    `${dataset.key} is for ${plan} keys; this one is of the plan ${client.plan}`,
    { authenticate: challenge('insufficient_scope') },
  )
}

function refusedKey(fault: KeyFault): Problem {
  if (fault === 'keys-not-read') {
    return new Problem('engine-unavailable', 'the keys are not read yet', { retryAfter: 2 })
  }
  const detail =
    fault === 'malformed'
      ? 'the header Authorization is not “Bearer ” and a key; a key is bds_, a letter, _ and 43 characters'
      : 'the key is not in force: it is unknown, revoked or replaced'
  return new Problem('key-invalid', detail, { authenticate: challenge('invalid_token') })
}

/**
 * What the allowance is for: answers, and whatever else the engine was put to work for, such as a range beyond the end
 * or a query that took too long. What the server itself failed at is no client's cost.
 */
const takesOne = ({ timing }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
  (statusCode >= 200 && statusCode < 300) ||
  (timing?.asked === true && (statusCode < 500 || statusCode === 504))

/** Health probes are not limited. */
export const isHealth = ({ url, is404 }: FastifyRequest): boolean => url.startsWith('/health/') && !is404

/** By the route, as the path may be written in percent escapes; where there is none, as it was written. */
const isApi = ({ url, routeOptions }: FastifyRequest): boolean =>
  (routeOptions.url ?? url).startsWith('/api/')

/** RFC 6750, 3. */
const challenge = (error?: string): string =>
  `Bearer realm="US banking history"${error ? `, error="${error}"` : ''}`
