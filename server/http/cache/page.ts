import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cache } from './cache.ts'
import { tagOf } from './tags.ts'

/** What a page is read with. */
export const READ = ['GET', 'HEAD']

/** A document of this server itself, the same for everybody while the data are the same. */
export interface Page {
  readonly contentType: string
  readonly make: () => string | Buffer
  /** Default: kept by the client, and asked for again each time. */
  readonly cacheControl?: string
}

/** Sends a page with the ETag of its content, compressed as the client likes. */
export function sendPage(
  cache: Cache,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> | FastifyReply {
  const hit = cache.hit(request, reply)
  if (hit) return hit
  const made = page.make()
  const body = Buffer.isBuffer(made) ? made : Buffer.from(made)
  return cache.answer(request, reply, {
    version: cache.version,
    key: `page ${request.raw.url}`,
    negotiated: false,
    atHand: true,
    facts: {
      tag: tagOf(page.contentType, body.toString('latin1')),
      cacheControl: page.cacheControl ?? 'public, no-cache',
      vary: 'Accept-Encoding',
      compressible: true,
    },
    produce: async () => ({ headers: { 'content-type': page.contentType }, body }),
  })
}
