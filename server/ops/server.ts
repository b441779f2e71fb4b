import fastify, { type FastifyInstance } from 'fastify'
import { type HealthDeps, registerHealth } from '../http/health.ts'
import { asProblem, sendProblem } from '../http/problems.ts'

/** What Prometheus reads. */
export interface Scraped {
  readonly contentType: string
  metrics(): Promise<string>
}

/**
 * The operations port: `/metrics` for Prometheus and the health checks. It has neither keys nor limits, so OPS_HOST must
 * not be an address that the public can reach.
 */
export function buildOpsApp(scraped: Scraped, health: HealthDeps): FastifyInstance {
  const app = fastify()
  app.decorateReply('problem', null)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, asProblem(error)))
  registerHealth(app, health)
  app.get('/metrics', async (_, reply) => reply.type(scraped.contentType).send(await scraped.metrics()))
  return app
}
