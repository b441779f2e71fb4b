import type { Tier } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'

/** The plans of keys. */
export const keyPlans = ['free', 'premium'] as const
export type KeyPlan = (typeof keyPlans)[number]

/** `none`: a request without a key, counted by its address. */
export type ClientPlan = 'none' | KeyPlan

/** The tiers of datasets that a plan reads. */
const reads: Readonly<Record<ClientPlan, readonly Tier[]>> = {
  none: ['Public'],
  free: ['Public', 'Free'],
  premium: ['Public', 'Free', 'Premium'],
}

export const mayRead = (plan: ClientPlan, tier: Tier): boolean => reads[plan].includes(tier)

/** The least plan that reads a tier. */
export const planFor = (tier: Tier): ClientPlan =>
  tier === 'Public' ? 'none' : tier === 'Free' ? 'free' : 'premium'

export interface Limits {
  /** Answers per UTC day; 0: unlimited. */
  readonly day: number
  /** Requests per second; 0: unlimited. */
  readonly second: number
}

export function limitsOf(config: Config): Readonly<Record<ClientPlan, Limits>> {
  return {
    none: { day: config.allowanceNoKey, second: config.burstNoKey },
    free: { day: config.allowanceFree, second: config.burstFree },
    premium: { day: config.allowancePremium, second: config.burstPremium },
  }
}
