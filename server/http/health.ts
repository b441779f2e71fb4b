import type { FastifyInstance } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import type { Published } from '../published.ts'

export interface HealthDeps {
  readonly engine: Engine
  readonly published: () => Published | null
}

/** `/health/live`: the process answers. `/health/ready`: the engine answers, and there is data to answer from. */
export function registerHealth(app: FastifyInstance, { engine, published }: HealthDeps): void {
  app.get('/health/live', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }))
  app.get('/health/ready', (_, reply) => {
    const state = engine.state()
    if (state !== 'ready') {
      throw new Problem('engine-unavailable', `the engine is ${state}`, { retryAfter: 2 })
    }
    const now = published()
    if (now?.holdings.latest === undefined) {
      throw new Problem('no-data', 'no data is published yet', { retryAfter: 5 })
    }
    const { dataVersion, asOf, synthetic } = now.publication
    return reply
      .header('cache-control', 'no-store')
      .send({ status: 'ready', data_version: dataVersion, as_of: asOf, synthetic })
  })
}
