import type { FastifyRequest } from 'fastify'
import { LruMap } from 'toad-cache'
import { networkOf } from './address.ts'
import type { Client } from './client.ts'
import type { KeyRing } from './key-ring.ts'
import { isSecret } from './secret.ts'

/** Sets `request.client` from the key or the address, without a query. */
export function identify(request: FastifyRequest, keys: KeyRing): void {
  const { authorization } = request.headers
  request.keyFault = null
  if (authorization === undefined) {
    request.client = addressClient(request.address)
    return
  }
  const [, secret] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  const found = secret === undefined || !isSecret(secret) ? 'malformed' : keys.find(secret)
  if (typeof found === 'object') {
    request.client = found
  } else {
    request.keyFault = found
    request.client = addressClient(request.address)
  }
}

const addresses = new LruMap<Client>(20_000)

function addressClient(address: string): Client {
  let client = addresses.get(address)
  if (!client) {
    client = { id: `ip:${networkOf(address)}`, plan: 'none' }
    addresses.set(address, client)
  }
  return client
}
