/** One of the processes that answer requests: it is led by the process that started it. */
import type { FastifyBaseLogger } from 'fastify'
import { openCountedAccess } from '../access/access.ts'
import { type Config, ConfigError } from '../config/config.ts'
import type { Engine } from '../engine/engine.ts'
import { DataDamaged } from '../engine/errors.ts'
import type { Publication } from '../engine/publications.ts'
import { type Published, type Served, servedOf } from '../published.ts'
import { listen, openServing } from '../serving.ts'
import { countsOverLink } from './counts.ts'
import { Link } from './link.ts'
import { shareOf } from './share.ts'

/** Answers what the leading process hands over, until that ends it or ends itself. */
export async function answer(config: Config, log: FastifyBaseLogger, engine: Engine): Promise<void> {
  let held: { readonly until: Promise<void>; readonly release: () => void } | null = null
  let prepared: Published | null = null
  let ending = false
  const end = async (): Promise<void> => {
    if (ending) return
    ending = true
    held?.release()
    await serving.close()
    await engine.close()
    process.exit(0)
  }

  const link = new Link(process, {
    /** Reads a version, from which nothing is answered yet. */
    async prepare(publication: Publication): Promise<Served> {
      prepared = await serving.prepare(publication)
      return servedOf(prepared)
    },
    /** From now on, requests wait. */
    hold(): void {
      let release = (): void => {}
      const until = new Promise<void>((resolve) => {
        release = resolve
      })
      held ??= { until, release }
    },
    /** Requests go on: with the version that was prepared, if it is to be the one. */
    release(adopts: boolean): void {
      if (adopts && prepared) serving.adopt(prepared)
      prepared = null
      held?.release()
      held = null
    },
    refuse: (message: string): void => serving.refuse(new DataDamaged(message)),
    /** @returns the address; the words of what is wrong with the settings, where it cannot be had */
    async listen(): Promise<{ address: string } | { wrong: string }> {
      try {
        return { address: await listen(serving.app, '', config.host, config.port) }
      } catch (error) {
        if (error instanceof ConfigError) return { wrong: error.message }
        throw error
      }
    },
    metrics: () => serving.metrics.registry.getMetricsAsJSON(),
    end: () => void end(),
  })
  const access = await openCountedAccess(config, engine, log, countsOverLink(link))
  const writes = process.env.PROCESS_NUMBER === '1'
  const serving = await openServing(shareOf(config), { engine, access, log, writes }, (app) => {
    app.addHook('onRequest', (_, __, done) => {
      if (held) held.until.then(() => done(), done)
      else done()
    })
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
  await link.call('ready')
}
