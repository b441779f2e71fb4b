/** What the service knows of its clients: the keys in force, and how much each had today. */
import type { Config } from '../config.ts'
import { prepareControl } from '../engine/control.ts'
import type { Engine, Logger } from '../engine/engine.ts'
import { KeyRing } from './key-ring.ts'
import { type Limits, limitsOf, type Plan } from './plans.ts'
import { Use, type UseOptions } from './use.ts'
import { ClickHouseUse } from './use-clickhouse.ts'
import { RedisUse } from './use-redis.ts'

export interface Access {
  readonly keys: KeyRing
  readonly use: Use
  readonly limits: Readonly<Record<Plan, Limits>>
  close(): Promise<void>
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
): Promise<Access> {
  await prepareControl(engine)
  const keys = new KeyRing(engine)
  await keys.refresh()
  const stop = keys.watch(config.keysPollMs, log)
  const store = config.redisUrl
    ? new RedisUse(config.redisUrl, config.clickhouseDatabase, log)
    : new ClickHouseUse(engine)
  if (store instanceof RedisUse) await store.open()
  const use = new Use({ store, log, intervalMs: config.useSyncMs, ...options })
  await use.sync()
  return {
    keys,
    use,
    limits: limitsOf(config),
    async close() {
      stop()
      await use.close()
    },
  }
}
