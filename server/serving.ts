/** What one process needs to answer requests: the app, what it counts, and the data version that it serves. */
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { universes } from '../sql/universes/index.ts'
import { openWorkers } from '../workers/pool.ts'
import type { Access, CountingAccess } from './access/access.ts'
import { buildApp } from './app.ts'
import { type Config, ConfigError } from './config/config.ts'
import type { Engine, Logger } from './engine/engine.ts'
import type { DataDamaged } from './engine/errors.ts'
import type { Publication } from './engine/publications.ts'
import { Metrics } from './ops/metrics.ts'
import type { Scraped } from './ops/server.ts'
import { watchHistory } from './ops/state-metrics.ts'
import type { Tracer } from './ops/tracing.ts'
import { type Published, readPublished, type Served } from './published.ts'
import { History } from './resident/history/history.ts'

/** Those who answer requests: this process, or the processes that it leads. */
export interface Answerers {
  /** The address that they listen on. */
  readonly address: string
  /** Answers from this version from now on; rejects where it cannot be read. */
  take(publication: Publication): Promise<Served>
  refuse(damage: DataDamaged): void
  readonly scraped: Scraped
  close(): Promise<void>
}

/** What is given to those who answer. */
export interface Means {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly engine: Engine
  readonly access: CountingAccess
}

/** How often a stop closes the connections whose answers have ended. */
const IDLE_CHECK_MS = 100

export interface Serving {
  readonly app: FastifyInstance
  readonly metrics: Metrics
  /** Reads what planning must know of a version. */
  prepare(publication: Publication): Promise<Published>
  /** Answers from it from now on. */
  adopt(published: Published): void
  /** The data is damaged: where nothing is served yet, readers are told so. */
  refuse(damage: DataDamaged): void
  published(): Published | null
  damage(): DataDamaged | null
  /** Ends once the answers under way have, or DRAIN_SECONDS are over. */
  close(): Promise<void>
}

/**
 * @param before adds what comes before all else that is done for a request
 * @param means.writes whether this process writes the files of the history, which others read too
 */
export async function openServing(
  config: Config,
  {
    engine,
    access,
    log,
    writes = true,
  }: { engine: Engine; access: Access; log: FastifyBaseLogger; writes?: boolean },
  before?: (app: FastifyInstance) => void,
): Promise<Serving> {
  const metrics = new Metrics()
  metrics.watchProcess()
  const tracer = await tracerOf(config, log)
  const workers = openWorkers()
  const { dataDir, historyMib: mib, historyMemoryMib: memoryMib } = config
  const history =
    mib > 0 ? new History({ folder: join(dataDir, 'history'), mib, memoryMib, writes, log }) : undefined
  if (history) watchHistory(metrics.registry, history)
  let published: Published | null = null
  let damage: DataDamaged | null = null
  const app = await buildApp(config, {
    engine,
    workers,
    access,
    published: () => published,
    damage: () => damage,
    logger: log,
    metrics,
    ...(tracer && { tracer }),
    ...(before && { before }),
  })
  return {
    app,
    metrics,
    prepare: (publication) => readPublished(engine, publication, universes, history),
    adopt(taken) {
      published = taken
      // nobody waits for it: what is asked for before is read at once
      taken.resident
        .warm()
        .catch((error: unknown) => log.warn({ err: error }, 'the resident tables were not read'))
      metrics.versionAdopted()
      const { dataVersion, asOf, synthetic } = taken.publication
      log.info({ dataVersion, asOf, synthetic }, 'serving')
    },
    refuse(found) {
      damage = found
    },
    published: () => published,
    damage: () => damage,
    async close() {
      const cut = setTimeout(() => {
        log.warn(
          { seconds: config.drainSeconds },
          'answers are still under way: cutting them (DRAIN_SECONDS)',
        )
        app.server.closeAllConnections()
      }, config.drainSeconds * 1000)
      // a client that keeps its connection alive would hold the stop after its answer has ended
      const leave = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
      await app.close()
      clearInterval(leave)
      clearTimeout(cut)
      await history?.close()
      await access.close()
      await tracer?.close()
      await workers.close()
    },
  }
}

/** Only who asks for traces pays for loading what makes them. */
async function tracerOf(config: Config, log: Logger): Promise<Tracer | undefined> {
  if (config.otelExporterOtlpEndpoint === '') return undefined
  return (await import('./ops/tracing.ts')).openTracer(config, log)
}

/** @throws ConfigError naming the setting, where the address or the port cannot be had. */
export async function listen(
  app: FastifyInstance,
  what: '' | 'OPS',
  host: string,
  port: number,
): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const prefix = what === '' ? '' : `${what}_`
    const reasons: Record<string, string> = {
      EADDRINUSE: `${prefix}PORT is ${port}: another process listens there on ${host}. End it, or set another port.`,
      EACCES: `${prefix}PORT is ${port}: this user may not listen there. Ports below 1024 need privileges.`,
      EADDRNOTAVAIL: `${prefix}HOST is "${host}": this machine has no such address.`,
      ENOTFOUND: `${prefix}HOST is "${host}": there is no such name.`,
    }
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    throw reason === undefined ? error : new ConfigError(reason)
  }
}
