/** The client that sends a request: the holder of a key, or else an address. */
import type { ClientPlan } from './plans.ts'

export interface Client {
  /** What limits and counts go by: `key:<key id>` or `ip:<address>`, of IPv6 its /56. Never the key itself. */
  readonly id: string
  readonly plan: ClientPlan
  /** Of a key. */
  readonly key?: { readonly id: string; readonly name: string; readonly createdAt: string }
}

/** Why a request's key is rejected. */
export type KeyFault = 'malformed' | 'unknown' | 'keys-not-read'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it comes from, as far as proxies are trusted; set before any other hook, as what follows. */
    address: string
    /** Who sends it. */
    client: Client
    /** Set when a key was sent that is not in force: the client is then its address. */
    keyFault: KeyFault | null
  }
}
