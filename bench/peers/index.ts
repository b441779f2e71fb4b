/** The peers, each opened if it can be; what cannot be opened is said, and the rest goes on. */
import { join } from 'node:path'
import { type PlainClickHouse, plainClickHouse } from './clickhouse.ts'
import { type Contestant, type Filling, Missing } from './contestant.ts'
import { datasette } from './datasette.ts'
import { fastapiDuckdb } from './duckdb.ts'
import { fastifyPostgres } from './postgres.ts'
import { roapi } from './roapi.ts'

export interface Peers {
  readonly contestants: readonly Contestant[]
  /** By name, with the reason. */
  readonly missing: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** @param all with those that want Python and PostgreSQL; else the plain engine alone, which comes with this project */
export async function openPeers(filling: Filling, all: boolean, say: (line: string) => void): Promise<Peers> {
  const contestants: Contestant[] = []
  const missing: Record<string, string> = {}
  const close = async (): Promise<void> => {
    for (const contestant of [...contestants].reverse()) await contestant.close()
  }
  const venvs = join(filling.folder, '..')
  let plain: PlainClickHouse | undefined
  const openers: Record<string, () => Promise<Contestant>> = {
    clickhouse: async () => {
      plain = await plainClickHouse(filling)
      return plain
    },
    ...(all && {
      duckdb: () => fastapiDuckdb(filling, venvs),
      postgres: () => {
        if (!plain) throw new Missing('it is filled from the plain engine, which is missing')
        return fastifyPostgres(plain, filling.tables)
      },
      roapi: () => roapi(filling, venvs),
      datasette: () => datasette(filling, venvs),
    }),
  }
  try {
    for (const [name, open] of Object.entries(openers)) {
      const began = performance.now()
      try {
        contestants.push(await open())
        say(`${name} is ready after ${((performance.now() - began) / 1000).toFixed(1)} s`)
      } catch (error) {
        missing[name] = error instanceof Missing ? error.message : String(error)
        say(`${name} is missing: ${missing[name]}`)
      }
    }
    return { contestants, missing, close }
  } catch (error) {
    await close()
    throw error
  }
}
