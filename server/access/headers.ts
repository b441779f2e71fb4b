/** Response headers about limits: `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10) and `X-RateLimit-*`. */
import type { FastifyReply } from 'fastify'
import type { ClientPlan, Limits } from './plans.ts'

/** As `@fastify/rate-limit` says it. */
export interface Bursts {
  readonly max: number
  readonly remaining: number
  readonly ttlInSeconds: number
  readonly isExceeded: boolean
}

/** The same for every answer to a plan; empty where it has no limits. */
export function policies(limits: Readonly<Record<ClientPlan, Limits>>): Readonly<Record<ClientPlan, string>> {
  const policy = ({ day, second }: Limits): string =>
    [...(day > 0 ? [`"day";q=${day};w=86400`] : []), ...(second > 0 ? [`"burst";q=${second};w=1`] : [])].join(
      ', ',
    )
  return { none: policy(limits.none), free: policy(limits.free), premium: policy(limits.premium) }
}

/** What is left, and the seconds until the limit is reset. */
export function rateHeaders(
  reply: FastifyReply,
  { day }: Limits,
  used: number,
  secondsLeft: number,
  bursts: Bursts | null,
): void {
  const burst = bursts === null ? '' : `"burst";r=${bursts.remaining};t=${Math.max(1, bursts.ttlInSeconds)}`
  if (day === 0) {
    reply.header('ratelimit', burst)
    return
  }
  const left = Math.max(0, day - used)
  const ofDay = `"day";r=${left};t=${secondsLeft}`
  reply.header('ratelimit', burst === '' ? ofDay : `${ofDay}, ${burst}`)
  reply.header('x-ratelimit-limit', day)
  reply.header('x-ratelimit-remaining', left)
  reply.header('x-ratelimit-reset', secondsLeft)
}
