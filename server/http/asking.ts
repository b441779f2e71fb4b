import type { FastifyRequest } from 'fastify'
import type { Asking } from '../catalog/define.ts'

/** Headers of requests that want something only if, or only a part. */
const CONDITIONAL = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
] as const
/** Headers by which browsers and proxies say that nobody has asked yet. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/**
 * Who asks for what belongs to a key, and whether the request may change it: a plain GET may. Nobody has decided on what a
 * browser fetches ahead, and what asks for headers or for a part does not want the thing done.
 */
export function askingOf({ client, method, headers, protocol, host }: FastifyRequest): Asking {
  if (!client.key) throw new Error('a dataset that belongs to a key was asked for without one')
  const ahead = PURPOSES.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
  const plain = method === 'GET' && CONDITIONAL.every((name) => headers[name] === undefined)
  return { keyId: client.key.id, mayChange: plain && !ahead, origin: `${protocol}://${host}` }
}
