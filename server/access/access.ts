/** What the server knows of its clients: the valid keys, and how much of its allowance each has used today. */
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Config } from '../config/config.ts'
import { prepareControl } from '../engine/control.ts'
import type { Engine, Logger } from '../engine/engine.ts'
import { DataDamaged } from '../engine/errors.ts'
import { addressReader } from './address.ts'
import type { Allowance } from './allowance.ts'
import { BurstStore } from './burst-store.ts'
import { KeyRing } from './key-ring.ts'
import { type ClientPlan, type Limits, limitsOf } from './plans.ts'
import { Use, type UseOptions } from './use.ts'
import { ClickHouseUse } from './use-clickhouse.ts'
import { RedisUse } from './use-redis.ts'

export interface Access {
  readonly keys: KeyRing
  readonly use: Allowance
  /** Where the requests of a second are counted. */
  readonly bursts: FastifyRateLimitStoreCtor
  readonly limits: Readonly<Record<ClientPlan, Limits>>
  /** The address that a request comes from. */
  readonly addressOf: ReturnType<typeof addressReader>
  close(): Promise<void>
}

/** An access that counts in this process, and shares its counts through a store. */
export interface CountingAccess extends Access {
  readonly use: Use
}

/**
 * Reads the keys and today's counts, and goes on to look for changes of both.
 * @param options.now milliseconds since 1970, for tests
 */
export async function openAccess(
  config: Config,
  engine: Engine,
  log: Logger,
  options: Pick<UseOptions, 'now'> = {},
): Promise<CountingAccess> {
  await prepareControl(engine)
  const known = await openKeys(config, engine, log)
  const store = config.redisUrl
    ? new RedisUse(config.redisUrl, config.clickhouseDatabase, log)
    : new ClickHouseUse(engine)
  if (store instanceof RedisUse) await store.open()
  const use = new Use({ store, log, intervalMs: config.useSyncMs, ...options })
  await use.sync()
  return accessOf(config, known, { use, bursts: BurstStore })
}

/** An access whose clients are counted elsewhere. */
export async function openCountedAccess(
  config: Config,
  engine: Engine,
  log: Logger,
  counts: Pick<Access, 'use' | 'bursts'>,
): Promise<Access> {
  return accessOf(config, await openKeys(config, engine, log), counts)
}

const accessOf = <Counts extends Pick<Access, 'use' | 'bursts'>>(
  config: Config,
  { keys, stop }: Awaited<ReturnType<typeof openKeys>>,
  counts: Counts,
) => ({
  keys,
  ...counts,
  limits: limitsOf(config),
  addressOf: addressReader(config.trustedProxies),
  async close() {
    stop()
    await counts.use.close()
  },
})

async function openKeys(config: Config, engine: Engine, log: Logger) {
  const keys = new KeyRing(engine)
  // without them public data is served, and who sends a key gets 503
  await keys.refresh().catch((error: unknown) => {
    if (!(error instanceof DataDamaged)) throw error
    log.error({ err: error }, 'the API keys are damaged: requests with a key are refused')
  })
  return { keys, stop: keys.watch(config.keysPollMs, log) }
}
