import type { FastifyRequest } from 'fastify'

/** Whose request it is, for limits and for turns at the engine: an address. */
export function clientOf(request: FastifyRequest): string {
  return request.ip
}
