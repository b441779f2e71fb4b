/** Starts everything, in order, and stops it again. `npm start`. */
import type { FastifyInstance } from 'fastify'
import { publishing } from '../loaders/lib/publishing.ts'
import { buildDemo } from '../sql/demo/index.ts'
import { derive } from '../sql/derive/index.ts'
import { openWorkers } from '../workers/pool.ts'
import { openAccess } from './access/access.ts'
import { buildApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { ensureCurrent, watchPublications } from './engine/current.ts'
import { type Logger, openEngine } from './engine/engine.ts'
import { EngineStartError } from './engine/errors.ts'
import { type Build, beginBuild, type Publication } from './engine/versions.ts'
import { tuneHeap } from './heap.ts'
import { openLog } from './ops/log.ts'
import { Metrics } from './ops/metrics.ts'
import { buildOpsApp } from './ops/server.ts'
import type { Tracer } from './ops/tracing.ts'
import { progressLines } from './progress.ts'
import { type Published, readPublished } from './published.ts'

/** What is left of a stop when the answers have drained: longer is not waited for. */
const LONGEST_STOP_MS = 10_000
/** How often a stop closes the connections whose answers have ended. */
const IDLE_CHECK_MS = 100

async function main(): Promise<void> {
  tuneHeap()
  const began = Date.now()
  const config = readConfig(process.env)
  const log = openLog(config)
  const metrics = new Metrics()
  metrics.watchProcess()
  const tracer = await tracerOf(config, log)
  const engine = await openEngine(config, log)
  const access = await openAccess(config, engine, log)
  const workers = openWorkers()
  let published: Published | null = null
  const take = async (publication: Publication): Promise<void> => {
    const taken = await readPublished(engine, publication)
    published = taken
    // nobody waits for it: what is asked for before is read at once
    taken.resident
      .warm()
      .catch((error: unknown) => log.warn({ err: error }, 'the resident tables were not read'))
    metrics.tookUp()
    const { dataVersion, asOf, synthetic } = publication
    log.info({ dataVersion, asOf, synthetic }, 'serving')
  }

  const app = await buildApp(config, {
    engine,
    workers,
    access,
    published: () => published,
    logger: log,
    metrics,
    ...(tracer && { tracer }),
  })
  const ops = buildOpsApp(metrics, { engine, published: () => published })
  if (config.opsPort !== null) {
    const opsAddress = await listen(ops, 'OPS', config.opsHost, config.opsPort)
    log.info({ address: opsAddress }, 'operations port')
  }
  // listening before there is data: until then readers get 503 with Retry-After instead of a refused connection
  const address = await listen(app, '', config.host, config.port)
  log.info({ address, milliseconds: Date.now() - began }, 'listening')

  let stopWatching = (): void => {}
  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    const drainMs = config.drainSeconds * 1000
    setTimeout(() => process.exit(1), drainMs + LONGEST_STOP_MS).unref()
    stopWatching()
    const cut = setTimeout(() => {
      log.warn({ seconds: config.drainSeconds }, 'answers are still under way: cutting them (DRAIN_SECONDS)')
      app.server.closeAllConnections()
    }, drainMs)
    // a client that keeps its connection alive would hold the stop after its answer has ended
    const leave = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
    await app.close()
    clearInterval(leave)
    clearTimeout(cut)
    await access.close()
    await ops.close()
    await tracer?.close()
    await workers.close()
    await engine.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))

  const rebuild = {
    ...publishing,
    // derive sees by itself whether the metrics are others
    rebuild: async (build: Build) => void (await derive(build, [], progressLines('deriving'))),
  }
  let publication = await ensureCurrent(engine, rebuild, log)
  await take(publication)
  if (publication.asOf === null && config.demo) {
    process.stderr.write('No data is loaded: building the synthetic demo universe.\n')
    const build = await beginBuild(engine, { synthetic: true, what: 'the demo universe', ...publishing }, log)
    try {
      await buildDemo(build, { quarters: config.demoQuarters }, progressLines('demo'))
      await derive(build, 'all', progressLines('deriving'))
    } catch (error) {
      await build.discard().catch(() => {})
      throw error
    }
    publication = await build.publish()
    await take(publication)
  }
  stopWatching = watchPublications(engine, take, { log, known: publication })
  if (!stopping) greet(address, publication, Date.now() - began)
}

/** Only who asks for traces pays for loading what makes them. */
async function tracerOf(config: Config, log: Logger): Promise<Tracer | undefined> {
  if (config.otelExporterOtlpEndpoint === '') return undefined
  return (await import('./ops/tracing.ts')).openTracer(config, log)
}

/** @throws ConfigError naming the setting, where the address or the port cannot be had. */
async function listen(app: FastifyInstance, what: '' | 'OPS', host: string, port: number): Promise<string> {
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

function greet(address: string, { dataVersion, synthetic }: Publication, milliseconds: number): void {
  const example = `${address}/api/v1/screeners/banks/?state=GA&min_total_assets=500000`
  process.stderr.write(
    `\nReady in ${(milliseconds / 1000).toFixed(1)} s: ${address}  (data version ${dataVersion}${synthetic ? ', synthetic' : ''})\n` +
      `Docs:  ${address}/docs\nTry:   curl '${example}'\n\n`,
  )
}

main().catch((error: unknown) => {
  const foreseen = error instanceof ConfigError || error instanceof EngineStartError
  const message =
    error instanceof Error ? (foreseen ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
