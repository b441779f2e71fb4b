// Requests that the engine has to answer, while something happens to it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeState } from '../../server/engine/engine.ts'
import type { TestApp } from './app.ts'

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

/** Requests as long as `during` lasts, eight at a time: what came back, by status, and answers that are not `right`. */
export async function underLoad(
  { app }: TestApp,
  right: (answer: { data: unknown; meta: { data_version: string } }) => boolean,
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
