/** The whole service over what is loaded, in this process, asked without a socket. */
import type { LightMyRequestResponse } from 'fastify'
import { openAccess } from '../server/access/access.ts'
import { createKey } from '../server/access/key-store.ts'
import { buildApp } from '../server/app.ts'
import type { Config } from '../server/config/config.ts'
import type { Engine } from '../server/engine/engine.ts'
import { currentPublication } from '../server/engine/publications.ts'
import { readPublished } from '../server/published.ts'
import { openWorkers } from '../workers/pool.ts'
import { silent } from './peers/silent.ts'

export interface Service {
  /** With a premium key. */
  ask(url: string): Promise<LightMyRequestResponse>
  /** Leaves the engine open. */
  close(): Promise<void>
}

/** @param answering the engine that requests are answered by, where it is not the one that is opened */
export async function openService(engine: Engine, config: Config, answering = engine): Promise<Service> {
  const workers = openWorkers({ maxThreads: 1 })
  const access = await openAccess(config, engine, silent)
  const { secret } = await createKey(engine, { plan: 'premium', name: 'bench' })
  await access.keys.refresh()
  const published = await readPublished(engine, (await currentPublication(engine))!)
  const app = await buildApp(config, { engine: answering, workers, access, published: () => published })
  const headers = { authorization: `Bearer ${secret}` }
  return {
    ask: (url) => app.inject({ method: 'GET', url, headers }),
    async close() {
      await app.close()
      await access.close()
      await workers.close()
    },
  }
}
