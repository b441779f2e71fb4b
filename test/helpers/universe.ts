import type { Test } from 'tap'
import type { Engine } from '../../server/engine/engine.ts'
import type { Published } from '../../server/published.ts'
import { build } from './app.ts'
import { atEndOfProcess } from './group.ts'

export interface Answer {
  status: number
  headers: Record<string, string | number | string[] | undefined>
  body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there
  json(): any
}

export interface Universe {
  engine: Engine
  published: Published
  get(url: string): Promise<Answer>
  /** The rows of a JSON answer. @throws when it is not 200 */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  rows(url: string): Promise<Record<string, any>[]>
}

let shared: Promise<Universe> | undefined

/**
 * The service over a small demo universe, asked without a socket: one for all tests of a process, which only read it.
 * Closed when the process ends.
 */
export function universe(): Promise<Universe> {
  shared ??= open({ teardown: atEndOfProcess } as Test)
  return shared
}

async function open(t: Test): Promise<Universe> {
  const { app, engine, published } = await build(t)
  const get = async (url: string): Promise<Answer> => {
    const response = await app.inject({ method: 'GET', url })
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.rawPayload,
      json: () => response.json(),
    }
  }
  return {
    engine,
    published,
    get,
    async rows(url) {
      const answer = await get(url)
      if (answer.status !== 200)
        throw new Error(`${url}: ${answer.status} ${answer.body.toString().slice(0, 1000)}`)
      const { data } = answer.json()
      return Array.isArray(data) ? data : [data]
    },
  }
}
