import { Gauge, type Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { Published } from '../published.ts'

/** What has a state that is asked for at a scrape. */
export interface Watched {
  readonly engine: Engine
  readonly gate: { readonly inside: number; readonly waiting: number; readonly slots: number }
  readonly published: () => Published | null
}

/** An engine that is stopped must not hold up the scrape that would tell of it. */
const PATIENCE_MS = 1_000

export function watchState(registry: Registry, { engine, gate, published }: Watched): void {
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = read()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  }
  gauge('banking_engine_up', '1 while ClickHouse answers', () => Number(engine.state() === 'ready'))
  gauge('banking_gate_slots', 'Queries that may run at once', () => gate.slots)
  gauge('banking_gate_inside', 'Queries that run now', () => gate.inside)
  gauge('banking_gate_waiting', 'Requests that wait for a place at the engine', () => gate.waiting)
  gauge('banking_publication_timestamp_seconds', 'When the data version that is served was published', () =>
    secondsOf(published()?.publication.publishedAt),
  )
  gauge(
    'banking_latest_quarter_timestamp_seconds',
    'The latest filed quarter that is served, as a time',
    () => secondsOf(published()?.publication.asOf),
  )
  new Gauge({
    name: 'banking_publication_info',
    help: 'Always 1; the labels say which data version is served',
    labelNames: ['data_version', 'as_of', 'synthetic'],
    registers: [registry],
    collect() {
      this.reset()
      const now = published()?.publication
      if (!now) return
      this.set({ data_version: now.dataVersion, as_of: now.asOf ?? '', synthetic: String(now.synthetic) }, 1)
    },
  })
  watchEngine(registry, engine)
}

const secondsOf = (time: string | null | undefined): number | undefined =>
  time ? Date.parse(time) / 1000 : undefined

interface EngineState {
  readonly memory: number
  readonly free: number
  readonly data: number
}

/** Memory and disk of ClickHouse itself, wherever it runs. They are absent while it does not answer. */
function watchEngine(registry: Registry, engine: Engine): void {
  // the gauges of one scrape are read at the same time, from one query
  let asked: Promise<EngineState | undefined> | undefined
  const ask = (): Promise<EngineState | undefined> => {
    asked ??= readState(engine).finally(() => {
      asked = undefined
    })
    return asked
  }
  const gauge = (name: string, help: string, key: keyof EngineState): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const state = await ask()
        if (state === undefined) this.remove()
        else this.set(state[key])
      },
    })
  }
  gauge('banking_engine_memory_bytes', 'Memory that ClickHouse has allocated for all its users', 'memory')
  gauge('banking_engine_disk_free_bytes', 'Free space of the disk of ClickHouse that has the least', 'free')
  gauge('banking_engine_data_bytes', 'Size on disk of all data versions that are kept', 'data')
}

async function readState(engine: Engine): Promise<EngineState | undefined> {
  if (engine.state() !== 'ready') return undefined
  try {
    const result = await engine.loader().query({
      query: `SELECT toFloat64((SELECT value FROM system.metrics WHERE metric = 'MemoryTracking')) AS memory,
                     toFloat64((SELECT min(free_space) FROM system.disks)) AS free,
                     toFloat64((SELECT sum(bytes_on_disk) FROM system.parts WHERE active
                       AND (database = currentDatabase() OR startsWith(database, currentDatabase() || '_v_')))) AS data`,
      format: 'JSONEachRow',
      abort_signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const [row] = await result.json<EngineState>()
    return row
  } catch {
    // what is absent from the scrape says it
    return undefined
  }
}
