import type { Config } from '../config.ts'
import type { Tier } from '../datasets/catalog.ts'

/** What a key can be for. */
export const keyPlans = ['free', 'premium'] as const
export type KeyPlan = (typeof keyPlans)[number]

/** `none`: a request without a key, counted by its address. */
export type Plan = 'none' | KeyPlan

/** The tiers of datasets that a plan reads. */
const reads: Readonly<Record<Plan, readonly Tier[]>> = {
  none: ['Public'],
  free: ['Public', 'Free'],
  premium: ['Public', 'Free', 'Premium'],
}

export const mayRead = (plan: Plan, tier: Tier): boolean => reads[plan].includes(tier)

/** The least plan that reads a tier. */
export const planFor = (tier: Tier): Plan =>
  tier === 'Public' ? 'none' : tier === 'Free' ? 'free' : 'premium'

export interface Limits {
  /** Answers a UTC day; 0: without limit. */
  readonly day: number
  /** Requests a second; 0: without limit. */
  readonly second: number
}

export function limitsOf(config: Config): Readonly<Record<Plan, Limits>> {
  return {
    none: { day: config.allowanceNoKey, second: config.burstNoKey },
    free: { day: config.allowanceFree, second: config.burstFree },
    premium: { day: config.allowancePremium, second: config.burstPremium },
  }
}
