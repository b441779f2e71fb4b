/** Who asks: the holder of a key, or else an address. */
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import { LruMap } from 'toad-cache'
import type { KeyRing } from './key-ring.ts'
import type { Plan } from './plans.ts'
import { isSecret } from './secret.ts'

export interface Client {
  /** What limits and counts go by: `key:<key id>` or `ip:<address>`, of IPv6 its /64. Never the key itself. */
  readonly id: string
  readonly plan: Plan
  /** Of a key. */
  readonly key?: { readonly id: string; readonly name: string; readonly createdAt: string }
}

/** Why a request's key is refused. */
export type KeyFault = 'malformed' | 'unknown' | 'keys-not-read'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set before any other hook. */
    client: Client
    /** Set when a key was sent that is not in force: the client is then its address. */
    keyFault: KeyFault | null
  }
}

/** Finds who asks, without a query. */
export function identify(request: FastifyRequest, keys: KeyRing): void {
  const { authorization } = request.headers
  if (authorization === undefined) {
    request.client = addressClient(request.ip)
    return
  }
  const [, secret] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  const found = secret === undefined || !isSecret(secret) ? 'malformed' : keys.find(secret)
  if (typeof found === 'object') {
    request.client = found
  } else {
    request.keyFault = found
    request.client = addressClient(request.ip)
  }
}

const addresses = new LruMap<Client>(20_000)

/** IPv6 is counted by its /64, which is what one subscriber has; IPv4 in IPv6 as IPv4. */
function addressClient(ip: string): Client {
  let client = addresses.get(ip)
  if (!client) {
    client = { id: `ip:${normalized(ip)}`, plan: 'none' }
    addresses.set(ip, client)
  }
  return client
}

function normalized(ip: string): string {
  try {
    return normalizeIP(ip)
  } catch {
    return ip
  }
}
