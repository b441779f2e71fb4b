/** Starts everything beside the engine, in order, and stops it again: in this process, or in several that it leads. */
import type { FastifyBaseLogger } from 'fastify'
import { derive } from '../sql/universes/index.ts'
import { openAccess } from './access/access.ts'
import type { Config } from './config/config.ts'
import { continueDemo, type Demo } from './demo.ts'
import type { Build } from './engine/build.ts'
import { ensureCurrent, watchPublications } from './engine/current.ts'
import type { Engine } from './engine/engine.ts'
import { DataDamaged } from './engine/errors.ts'
import type { Publication } from './engine/publications.ts'
import { buildOpsApp } from './ops/server.ts'
import { openCrew } from './processes/crew.ts'
import { progressLines, say } from './progress.ts'
import { type Served, servedOf } from './published.ts'
import { publishing } from './publishing.ts'
import { type Answerers, listen, type Means, openServing } from './serving.ts'

/** What is left of a stop when the answers have drained: longer is not waited for. */
const LONGEST_STOP_MS = 10_000

export interface Opened {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly engine: Engine
  /** When the process began to start, ms since the epoch. */
  readonly began: number
  /** What was begun of the demo universe, as there was nothing to serve. */
  readonly demo: Demo | null
}

/** Serves until a signal ends it: comes back once there is something to answer. */
export async function serve({ config, log, engine, began, demo }: Opened): Promise<void> {
  let served: Served | null = null
  let damage: DataDamaged | null = null
  let told = (): void => {}
  const anything = new Promise<void>((resolve) => {
    told = resolve
  })
  const access = await openAccess(config, engine, log)
  const open = config.processes === 1 ? openAlone : openCrew
  // listening before there is data: until then readers get 503 with Retry-After instead of a refused connection
  const answerers = await open({ config, log, engine, access })
  const { address } = answerers
  log.info({ address, milliseconds: Date.now() - began }, 'listening')
  const ops = buildOpsApp(answerers.scraped, { engine, published: () => served, damage: () => damage })
  if (config.opsPort !== null) {
    const opsAddress = await listen(ops, 'OPS', config.opsHost, config.opsPort)
    log.info({ address: opsAddress }, 'operations port')
  }
  const take = async (publication: Publication): Promise<void> => {
    const taken = await answerers.take(publication)
    served = taken
    if (taken.loaded) told()
  }

  let stopWatching = (): void => {}
  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), config.drainSeconds * 1000 + LONGEST_STOP_MS).unref()
    stopWatching()
    await answerers.close()
    await ops.close()
    await engine.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))

  const rebuild = {
    ...publishing,
    // derive sees by itself whether the metrics are others
    rebuild: async (build: Build) => void (await derive(build, [], progressLines('deriving'))),
  }
  const refuse = (error: unknown): null => {
    if (!(error instanceof DataDamaged)) throw error
    damage = error
    answerers.refuse(error)
    log.error({ err: error }, 'the data is damaged: nothing is served')
    process.stderr.write(`${error.message}\n`)
    return null
  }
  // a demo needs no empty version before it
  const publication = demo ? null : await ensureCurrent(engine, rebuild, log).catch(refuse)
  if (publication) await take(publication)
  // what a load or a restore publishes is taken up
  stopWatching = watchPublications(engine, take, { log, known: publication })
  if (!publication && !demo) return
  if (config.demo) {
    const ended = (demo ?? continueDemo(engine, log)).ended.then((failure) => {
      if (!failure || stopping) return
      // what is served already goes on being served; the next start tries again
      if (served?.loaded) log.error({ err: failure.error }, 'the demo universe could not be completed')
      else refuse(failure.error)
    })
    await Promise.race([anything, ended.then(() => anything)])
  }
  if (!stopping) greet(address, served!, Date.now() - began)
}

/** This process answers by itself. */
async function openAlone({ config, ...means }: Means): Promise<Answerers> {
  const serving = await openServing(config, means)
  return {
    address: await listen(serving.app, '', config.host, config.port),
    async take(publication) {
      const published = await serving.prepare(publication)
      serving.adopt(published)
      return servedOf(published)
    },
    refuse: serving.refuse,
    scraped: serving.metrics.registry,
    close: serving.close,
  }
}

function greet(address: string, { publication, banks }: Served, milliseconds: number): void {
  const { dataVersion, synthetic } = publication
  const example = banks ? 'screeners/banks/?state=GA&min_total_assets=500000' : 'datasets/'
  say(
    `\nReady in ${(milliseconds / 1000).toFixed(1)} s: ${address}  (data version ${dataVersion}${synthetic ? ', synthetic' : ''})\n` +
      `Look:  ${address}/\nDocs:  ${address}/docs\nTry:   curl '${address}/api/v1/${example}'\n`,
  )
}
