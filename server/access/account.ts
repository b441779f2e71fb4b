import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Access } from './access.ts'
import { ACCOUNT_PATH } from './account-schema.ts'

/** Days of use that an account shows, today included. */
const ACCOUNT_DAYS = 31

/** `/api/v1/account/`: the plan of who asks, what is left of today, and what was asked by day and dataset. */
export function registerAccount(app: FastifyInstance, { use, limits }: Access): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const [parameter] = Object.keys(request.query as object)
    if (parameter !== undefined) {
      const errors = [{ parameter, reason: 'the account takes no parameters' }]
      throw new Problem('invalid-parameter', `${parameter}: the account takes no parameters`, { errors })
    }
    const { client } = request
    const { day, second } = limits[client.plan]
    const history = await use.history(client.id, client.key ? ACCOUNT_DAYS : 1)
    const used = use.used(client.id)
    return reply.header('cache-control', 'no-store').send({
      data: {
        plan: client.plan,
        key: client.key
          ? { id: client.key.id, name: client.key.name, created_at: client.key.createdAt }
          : null,
        allowance: {
          limit: day === 0 ? null : day,
          used,
          left: day === 0 ? null : Math.max(0, day - used),
          resets_at: use.resetsAt(),
          requests_a_second: second === 0 ? null : second,
        },
        use: history.map(({ date, requests, datasets }) => ({
          date,
          requests,
          datasets: Object.entries(datasets)
            .map(([dataset, count]) => ({ dataset, requests: count }))
            .sort((a, b) => b.requests - a.requests || a.dataset.localeCompare(b.dataset)),
        })),
      },
      links: { self: ACCOUNT_PATH, docs: '/docs/access' },
    })
  }
  app.route({ method: ['GET', 'HEAD'], url: ACCOUNT_PATH, handler: answer })
}
