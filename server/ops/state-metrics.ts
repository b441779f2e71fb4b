import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client'
import { type Engine, isUp, type NodeState } from '../engine/engine.ts'
import type { Fetches, SourceFetch } from '../fetches.ts'
import type { Published } from '../published.ts'

/** What has a state that is asked for at a scrape. */
export interface Watched {
  readonly engine: Engine
  readonly gate: { readonly inside: number; readonly waiting: number; readonly slots: number }
  readonly open: { readonly count: number }
  readonly published: () => Published | null
  readonly fetches: () => Promise<Fetches>
}

// of several processes: counts of each are added up, of a state that all see alike there is one

/** An engine that is stopped must not hold up the scrape that would tell of it. */
const PATIENCE_MS = 1_000

export function watchState(registry: Registry, { engine, gate, open, published, fetches }: Watched): void {
  const gauge = (
    name: string,
    help: string,
    read: () => number | undefined,
    aggregator: Aggregator = 'sum',
  ): void => {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        const value = read()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  }
  gauge('banking_engine_up', '1 while ClickHouse answers', () => Number(engine.state() === 'ready'), 'min')
  gauge('banking_gate_slots', 'Queries that may run at once', () => gate.slots)
  gauge('banking_gate_inside', 'Queries that run now', () => gate.inside)
  gauge('banking_gate_waiting', 'Requests that wait for a place at the engine', () => gate.waiting)
  gauge('banking_open_answers', 'Long answers that clients have not taken whole yet', () => open.count)
  gauge(
    'banking_publication_timestamp_seconds',
    'When the data version that is served was published',
    () => secondsOf(published()?.publication.publishedAt),
    'max',
  )
  gauge(
    'banking_latest_quarter_timestamp_seconds',
    'The latest filed quarter that is served, as a time',
    () => secondsOf(published()?.publication.asOf),
    'max',
  )
  new Gauge({
    name: 'banking_publication_info',
    help: 'Always 1; the labels say which data version is served',
    labelNames: ['data_version', 'as_of', 'synthetic'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset()
      const now = published()?.publication
      if (!now) return
      this.set({ data_version: now.dataVersion, as_of: now.asOf ?? '', synthetic: String(now.synthetic) }, 1)
    },
  })
  watchEngine(registry, engine)
  watchNodes(registry, engine)
  watchSources(registry, fetches)
}

const secondsOf = (time: string | null | undefined): number | undefined =>
  time ? Date.parse(time) / 1000 : undefined

/** When each source was asked, and how that went. A source that was never asked has no sample. */
function watchSources(registry: Registry, fetches: Watched['fetches']): void {
  const gauge = (name: string, help: string, of: (source: SourceFetch) => string | null): void => {
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const { sources } = await fetches()
        this.reset()
        for (const source of sources) {
          const value = secondsOf(of(source))
          if (value !== undefined) this.set({ source: source.source }, value)
        }
      },
    })
  }
  gauge(
    'banking_source_asked_timestamp_seconds',
    'When a source was last asked for what is new',
    ({ lastAsked }) => lastAsked,
  )
  gauge(
    'banking_source_new_timestamp_seconds',
    'When something new of it was last loaded',
    ({ lastNew }) => lastNew,
  )
  gauge(
    'banking_source_failed_timestamp_seconds',
    'When something of it last could not be fetched or loaded',
    ({ lastFailed }) => lastFailed,
  )
  gauge(
    'banking_source_failing_since_timestamp_seconds',
    'Since when it fails; absent where the last asking went well',
    ({ failingSince }) => failingSince,
  )
}

interface Outcomes {
  readonly read: number
  readonly lost: number
}

/** What was read from the disk rather than asked of ClickHouse. */
export function watchHistory(
  registry: Registry,
  { series, panels }: { readonly series: Outcomes; readonly panels: Outcomes },
): void {
  const counter = (name: string, what: string, outcomes: Outcomes): void => {
    new Counter({
      name,
      help: `${what} read from the history on the disk: read, or lost where the disk failed and ClickHouse was asked`,
      labelNames: ['outcome'],
      registers: [registry],
      collect() {
        this.reset()
        this.inc({ outcome: 'read' }, outcomes.read)
        this.inc({ outcome: 'lost' }, outcomes.lost)
      },
    })
  }
  counter('banking_history_series_total', 'Series of one institution', series)
  counter('banking_history_panels_total', 'Panels in Arrow', panels)
}

/** Each of several ClickHouse servers as this process sees it; no samples where there is one. */
function watchNodes(registry: Registry, engine: Engine): void {
  const nodes = (): readonly NodeState[] => engine.nodes?.() ?? []
  const common = { labelNames: ['node'], registers: [registry] }
  const gauge = (
    name: string,
    help: string,
    aggregator: Aggregator,
    of: (node: NodeState) => number,
  ): void => {
    new Gauge({
      ...common,
      name,
      help,
      aggregator,
      collect() {
        for (const node of nodes()) this.set({ node: node.name }, of(node))
      },
    })
  }
  const counter = (name: string, help: string, of: (node: NodeState) => number): void => {
    new Counter({
      ...common,
      name,
      help,
      collect() {
        // the engine counts; this only tells
        this.reset()
        for (const node of nodes()) this.inc({ node: node.name }, of(node))
      },
    })
  }
  gauge(
    'banking_node_up',
    '1 while a ClickHouse server answers and holds the data version that is read',
    'min',
    (node) => Number(isUp(node)),
  )
  gauge('banking_node_inside', 'Reads that run on a ClickHouse server', 'sum', ({ inside }) => inside)
  counter('banking_node_reads_total', 'Reads that were sent to a ClickHouse server', ({ reads }) => reads)
  counter(
    'banking_node_lost_total',
    'Reads that a ClickHouse server lost before it began to answer, and that were sent to another',
    ({ lost }) => lost,
  )
}

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
      aggregator: 'max',
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
