import type { Config } from '../config/config.ts'
import { EmbeddedEngine } from './embedded.ts'
import type { Engine, Logger } from './engine.ts'
import { ExternalEngine } from './external.ts'
import { ReplicatedEngine } from './replicas.ts'

/**
 * Opens the engine that the settings name: the server at CLICKHOUSE_URL, or several, or those of a cluster, or else the embedded one of
 * DATA_DIR, which is started unless another process of the same folder runs it already.
 * @param options.starts whether this process may start it; else it waits for the one that does
 * @throws EngineStartError saying what failed and what to do.
 */
export async function openEngine(
  config: Config,
  log: Logger,
  { starts = true }: { starts?: boolean } = {},
): Promise<Engine> {
  const servers = config.clickhouseUrl.length
  const engine =
    servers > 1 || config.clickhouseCluster !== ''
      ? new ReplicatedEngine(config, log, starts)
      : servers === 1
        ? new ExternalEngine(config, log)
        : new EmbeddedEngine(config, log, starts)
  try {
    await engine.open()
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}
