import fastify, { type FastifyInstance } from 'fastify'
import { type HealthDeps, registerHealth } from '../http/health.ts'
import { asProblem, sendProblem } from '../http/problems.ts'
import type { Metrics } from './metrics.ts'

/**
 * What those who run the server ask, on a port of its own: `/metrics` for Prometheus, and the two of health. It has
 * neither keys nor limits: OPS_HOST must not be an address that the public reaches.
 */
export function buildOpsApp(metrics: Metrics, health: HealthDeps): FastifyInstance {
  const app = fastify()
  app.decorateReply('problem', null)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, asProblem(error)))
  registerHealth(app, health)
  app.get('/metrics', async (_, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
  return app
}
