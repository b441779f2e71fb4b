import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Engine, isUp } from '../engine/engine.ts'
import type { DataDamaged } from '../engine/errors.ts'
import { Problem } from '../errors.ts'
import type { Published } from '../published.ts'
import { READ } from './cache/page.ts'

export interface HealthDeps {
  readonly engine: Engine
  readonly published: () => Pick<Published, 'publication' | 'loaded'> | null
  readonly damage?: () => DataDamaged | null
}

/** `/health/live`: the process answers. `/health/ready`: the engine answers, and data of any source is published. */
export function registerHealth(app: FastifyInstance, { engine, published, damage }: HealthDeps): void {
  const live = (_: FastifyRequest, reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' })
  const ready = (_: FastifyRequest, reply: FastifyReply) => {
    const state = engine.state()
    if (state !== 'ready') {
      throw new Problem('engine-unavailable', `the engine is ${state}`, { retryAfter: 2 })
    }
    const now = published()
    const damaged = now ? null : damage?.()
    if (damaged) throw damaged
    if (!now?.loaded) {
      throw new Problem('no-data', 'no data is published yet', { retryAfter: 5 })
    }
    const { dataVersion, asOf, synthetic } = now.publication
    const nodes = engine.nodes?.()
    return reply.header('cache-control', 'no-store').send({
      status: 'ready',
      data_version: dataVersion,
      as_of: asOf,
      synthetic,
      // how many, not which: their addresses are nobody's outside
      ...(nodes && { nodes: { up: nodes.filter(isUp).length, of: nodes.length } }),
    })
  }
  app.route({ method: READ, url: '/health/live', handler: live })
  app.route({ method: READ, url: '/health/ready', handler: ready })
}
