// Requests that the engine has to answer, while something happens to it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { watchPublications } from '../../server/engine/current.ts'
import type { NodeState } from '../../server/engine/engine.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import type { TestApp } from './app.ts'
import { memoryLog } from './engine.ts'

/** Every answer is the engine's, but for those that were kept. */
export const fromEngine = { RESIDENT_MIB: '0', HISTORY_MIB: '0' }
export const SCREEN = '/api/v1/screeners/banks/?fields=rssd_id,legal_name,total_assets&sort=rssd_id'
let asked = 0
/** A request that was never made before: nothing kept answers it. */
export const fresh = (): string => `${SCREEN}&min_total_assets=-${++asked}`

export const nodesOf = ({ engine }: TestApp): readonly NodeState[] => engine.nodes!()
export const node = (service: TestApp, n: number): NodeState => nodesOf(service)[n]!

export async function until(what: () => boolean, seconds = 30): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(20)) if (what()) return true
  return false
}

type Answer = { data: unknown; meta: { data_version: string } }

/**
 * A service that takes up what is published, and a version to publish in which all names end otherwise, so that each answer
 * shows which version its rows are of.
 */
export function renaming(t: Test, service: TestApp) {
  const { engine, published } = service
  const old = published.publication.dataVersion
  let database = ''
  const stop = watchPublications(
    engine,
    async (publication) => {
      service.serve(await readPublished(engine, publication))
      database = publication.database
    },
    { intervalMs: 50, known: published.publication },
  )
  t.teardown(stop)
  /** The versions that were answered. */
  const versions = new Set<string>()
  return {
    versions,
    /** The database of the version that was taken up. */
    database: () => database,
    /** Whether an answer has rows, all of the version that it names. */
    ofItsVersion({ data, meta }: Answer): boolean {
      versions.add(meta.data_version)
      const names = (data as { legal_name: string }[]).map(({ legal_name }) => legal_name)
      return names.length > 50 && names.every((name) => name.endsWith(' II') === (meta.data_version !== old))
    },
    async publish(): Promise<void> {
      const building = await beginBuild(engine, { synthetic: true, ...publishing }, memoryLog())
      await building.client.command({
        query: `ALTER TABLE bank_quarters UPDATE legal_name = concat(legal_name, ' II') WHERE true`,
      })
      await building.publish()
      t.ok(await until(() => database === building.database), 'it is taken up')
    },
  }
}

/** Requests as long as `during` lasts, eight at a time: what came back, by status, and answers that are not `right`. */
export async function underLoad(
  { app }: TestApp,
  right: (answer: Answer) => boolean,
  during: () => Promise<unknown>,
): Promise<{ answers: number; lost: number; wrong: number }> {
  const seen = { answers: 0, lost: 0, wrong: 0 }
  let over = false
  const client = async (): Promise<void> => {
    while (!over) {
      const answer = await app.inject(fresh())
      seen.answers++
      if (answer.statusCode !== 200) seen.lost++
      else if (!right(answer.json())) seen.wrong++
    }
  }
  const clients = Array.from({ length: 8 }, client)
  try {
    await during()
  } finally {
    over = true
    await Promise.all(clients)
  }
  return seen
}

export const all = async ({ app }: TestApp): Promise<unknown> => (await app.inject(fresh())).json().data
