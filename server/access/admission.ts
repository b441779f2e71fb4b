/** The hooks that let a request pass or refuse it: the burst limit, the key, the tier of the dataset, the day's allowance. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Access } from './access.ts'
import { BurstStore } from './burst-store.ts'
import { type Client, identify, type KeyFault } from './client.ts'
import { type Bursts, policies, rateHeaders } from './headers.ts'
import { mayRead, planFor } from './plans.ts'
import { holdsSecret } from './secret.ts'
import type { Counter } from './use.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of clients with a burst limit. */
    bursts: Bursts | null
    /** What this request was counted in; null where nothing was, or was given back. */
    counted: Counter | null
  }
}

/** Says who asks and counts the request, before any other hook: to be called before the service's own. */
export async function registerIdentity(app: FastifyInstance, { keys, limits }: Access): Promise<void> {
  app.decorateRequest('client', null as unknown as Client)
  app.decorateRequest('keyFault', null)
  app.decorateRequest('bursts', null)
  app.decorateRequest('counted', null)
  await app.register(rateLimit, {
    global: false,
    max: ({ client }) => limits[client.plan].second,
    timeWindow: 1000,
    keyGenerator: ({ client }) => client.id,
    store: BurstStore,
  })
  const count = app.createRateLimit()
  app.addHook('onRequest', (request, _, done) => {
    identify(request, keys)
    if (limits[request.client.plan].second === 0 || isHealth(request)) return done()
    count(request).then((bursts) => {
      if (!bursts.isAllowed) request.bursts = bursts
      done()
    }, done)
  })
}

/**
 * Refuses what may not pass, counts what may, and says in each answer what is left: to be called after the hooks that
 * only add headers, which refusals must have as well.
 */
export function registerAdmission(app: FastifyInstance, { use, limits }: Access): void {
  const policy = policies(limits)
  app.addHook('onRequest', (request, _, done) => {
    done(refusal(request) ?? overdrawn(request))
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.counted && !isAnswer(reply)) {
      use.giveBack(request.counted, request.routeOptions.config.dataset!.key)
      request.counted = null
    }
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

  /** Counts the request in the day's allowance, unless that is used up. */
  function overdrawn(request: FastifyRequest): Problem | undefined {
    const { dataset } = request.routeOptions.config
    if (!dataset) return undefined
    const { client } = request
    const { day } = limits[client.plan]
    if (day > 0 && use.used(client.id) >= day) {
      return new Problem(
        'allowance-used-up',
        `the ${day} answers a day of ${client.plan === 'none' ? 'an address without a key' : `a ${client.plan} key`} are used up; ` +
          `there are new ones at ${use.resetsAt()}`,
        { retryAfter: use.secondsLeft() },
      )
    }
    request.counted = use.take(client.id, dataset.key)
    return undefined
  }
}

/** A URL with a key in it is not even looked up: it is in logs and histories already. */
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
  if (keyFault && request.url.startsWith('/api/')) return refusedKey(keyFault)
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

/** What the allowance is for. A 304 had its answer before. */
const isAnswer = ({ statusCode }: FastifyReply): boolean => statusCode >= 200 && statusCode < 300

/** Probes ask as often as they like. */
const isHealth = ({ url }: FastifyRequest): boolean => url.startsWith('/health/')

/** RFC 6750, 3. */
const challenge = (error?: string): string =>
  `Bearer realm="US banking history"${error ? `, error="${error}"` : ''}`
