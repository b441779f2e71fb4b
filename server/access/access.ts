/** Who may read what, and how much of it: everything that the service keeps about its clients. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { prepareControl } from '../engine/control.ts'
import type { Engine, Logger } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import { type Client, identify, type KeyFault } from './client.ts'
import { KeyRing } from './key-ring.ts'
import { mayRead, planFor } from './plans.ts'
import { holdsSecret } from './secret.ts'

export interface Access {
  readonly keys: KeyRing
  close(): Promise<void>
}

/** Reads the keys and goes on to look for changes. */
export async function openAccess(config: Config, engine: Engine, log: Logger): Promise<Access> {
  await prepareControl(engine)
  const keys = new KeyRing(engine)
  await keys.refresh()
  const stop = keys.watch(config.keysPollMs, log)
  return {
    keys,
    async close() {
      stop()
    },
  }
}

/** Says who asks, before any other hook: to be called before the service's own. */
export function registerIdentity(app: FastifyInstance, { keys }: Access): void {
  app.decorateRequest('client', null as unknown as Client)
  app.decorateRequest('keyFault', null)
  app.addHook('onRequest', (request, _, done) => {
    identify(request, keys)
    done()
  })
}

/** Lets a request pass or refuses it, by the tier of its route's dataset: to be called after the hooks that only add headers. */
export function registerAdmission(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    done(refusal(request))
  })
}

/** @throws Problem for a URL with a key in it, which is not even looked up: it is in logs and histories already */
export function refuseSecretInUrl(url: string): void {
  if (!holdsSecret(url)) return
  throw new Problem(
    'bad-request',
    'a key stands in the URL, where logs and histories keep it: send it as “Authorization: Bearer …”, and rotate this one',
  )
}

function refusal(request: FastifyRequest): Problem | undefined {
  const { dataset } = request.routeOptions.config
  const { client, keyFault } = request
  if (keyFault && isApi(request)) return refusedKey(keyFault)
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
    {
      authenticate: challenge('insufficient_scope'),
    },
  )
}

/** A page of the docs answers whatever credentials a browser or a proxy sends along. */
const isApi = ({ url }: FastifyRequest): boolean => url.startsWith('/api/')

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

/** RFC 6750, 3. */
const challenge = (error?: string): string =>
  `Bearer realm="US banking history"${error ? `, error="${error}"` : ''}`
