import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { cohorts } from '../../sql/universes/bank/cohorts.ts'
import type { Format, Question } from '../question.ts'
import type { Contestant, Row } from './contestant.ts'

export interface OurServer {
  readonly origin: string
  readonly pid: number
  /** A key of the premium plan, where the server asks for one. */
  readonly key?: string
  /** Where its files of the history are. */
  readonly history?: string
  close(): Promise<void>
}

/** This project's server, asked through its public API alone. */
export function ours(
  { origin, pid, key, history, close }: OurServer,
  name = 'ours',
): Contestant & { readonly headers: Readonly<Record<string, string>> } {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return {
    name,
    headers,
    title: 'this server',
    origin,
    pids: [pid],
    keeps: true,
    async readFiles() {
      if (history === undefined) return
      for (const name of await readdir(history))
        if (name.includes('_rows-'))
          await pipeline(createReadStream(join(history, name), { highWaterMark: 2 ** 20 }), nowhere())
    },
    ask: (question, format) => ({ path: `/api/v1${pathOf(question, format)}`, headers }),
    rows(_, body) {
      const { data } = JSON.parse(body) as { data: Row | Row[] }
      return Array.isArray(data) ? data : [data]
    },
    close,
  }
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Path and query of a question. JSON is what a request gets that asks for nothing else. */
function pathOf(question: Question, format: Format): string {
  const suffix = format === 'json' ? '' : `&format=${format}`
  switch (question.kind) {
    case 'rows':
      return question.path + suffix
    case 'snapshot':
      return `/banks/${question.bank}/`
    case 'screen': {
      const { where } = question
      const filter = where ? `state=${where.state}&min_total_assets=${where.least}&` : ''
      return `/screeners/banks/?${filter}fields=${question.columns.join(',')}${suffix}`
    }
    case 'working-set':
      return `/screeners/dataset/?fields=${question.columns.join(',')}${suffix}`
    case 'series':
      return `/banks/${question.bank}/trends/?from=${question.from}&metrics=${question.metrics.join(',')}${suffix}`
    case 'panel': {
      const filter = question.states ? `state=${question.states.join(',')}&` : ''
      return `/screeners/panel/?${filter}metrics=${question.metrics.join(',')}${suffix}`
    }
    case 'rank':
      return `/banks/${question.bank}/peer-ranking/?metrics=${question.metrics.join(',')}${suffix}`
    case 'summary':
      return `/industry/benchmarks/?tier=${cohorts.map(({ key }) => key).join(',')}&metrics=${question.metrics.join(',')}${suffix}`
  }
}
