/** The Prometheus metrics of the server with their labels and units. Names: docs/operating.md. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Finished } from './finished.ts'
import { type Watched, watchState } from './state-metrics.ts'

/** Seconds. The least ones are for answers from memory, the greatest for exports. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]

/** The instruments of one dataset, each made when it is first needed: no request looks one up by its labels. */
interface OfDataset {
  readonly seconds: Map<string, Histogram.Internal<string>>
  readonly requests: Map<number, Counter.Internal>
  readonly engine: Histogram.Internal<string>
  rows: number
  rowsRead: number
  bytes: number
}

export class Metrics {
  readonly registry = new Registry()
  readonly #datasets = new Map<string, OfDataset>()
  readonly #seconds: Histogram
  readonly #requests: Counter
  readonly #engine: Histogram
  readonly #gate: Histogram
  readonly #problems: Counter
  readonly #published: Counter
  readonly #plans: Counter
  readonly #allowance: Counter
  /** Their children, by plan. */
  readonly #ofPlan = new Map<
    string,
    { readonly requests: Counter.Internal; readonly counted: Counter.Internal }
  >()

  constructor() {
    this.#seconds = this.#histogram(
      'banking_request_duration_seconds',
      'From the first byte of a request to the last of its answer, by dataset and by how the cache answered',
      ['dataset', 'cache'],
    )
    this.#requests = this.#counter(
      'banking_requests_total',
      'Requests by HTTP status; of answers ended before they were whole 499: by the client, 408: as it took nothing or took too long, 502: by the engine',
      ['dataset', 'status'],
    )
    this.#engine = this.#histogram(
      'banking_engine_duration_seconds',
      'Until ClickHouse began to answer, all queries of a request together',
      ['dataset'],
    )
    this.#gate = this.#histogram(
      'banking_gate_wait_seconds',
      'Time that a request waited for a place at the engine',
    )
    this.#problems = this.#counter(
      'banking_problems_total',
      'Requests refused or failed, by the code of the problem',
      ['code'],
    )
    this.#plans = this.#counter('banking_plan_requests_total', 'Requests by the plan of the client', ['plan'])
    this.#allowance = this.#counter(
      'banking_allowance_used_total',
      'Requests that took one from the allowance of the day, by plan',
      ['plan'],
    )
    this.#published = this.#counter(
      'banking_publications_total',
      'Data versions that this server has begun to serve',
    )
    this.#sum(
      'banking_rows_total',
      'Rows of the answers that were made; those from the cache do not count',
      'rows',
    )
    this.#sum('banking_engine_rows_read_total', 'Rows that ClickHouse read for answers', 'rowsRead')
    this.#sum('banking_sent_bytes_total', 'Bytes sent, headers included, compressed where they were', 'bytes')
  }

  /** Adds the process itself: CPU, memory, event loop, garbage collection. Once a process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry })
  }

  /** Adds the state at the time of a scrape: engine, queue, data version. */
  watch(watched: Watched): void {
    watchState(this.registry, watched)
  }

  /** This server has begun to serve another data version. */
  versionAdopted(): void {
    this.#published.inc()
  }

  /** A connection was rejected before it became a request. */
  refused(code: string): void {
    this.#problems.inc({ code })
  }

  finished(finished: Finished): void {
    const { dataset, status, cache, milliseconds, bytes, timing, problem, plan, counted } = finished
    const of = this.#of(dataset)
    child(of.seconds, cache, () => this.#seconds.labels({ dataset, cache })).observe(milliseconds / 1000)
    child(of.requests, status, () => this.#requests.labels({ dataset, status: String(status) })).inc()
    of.bytes += bytes
    if (plan !== undefined) {
      const ofPlan = child(this.#ofPlan, plan, () => ({
        requests: this.#plans.labels({ plan }),
        counted: this.#allowance.labels({ plan }),
      }))
      ofPlan.requests.inc()
      if (counted) ofPlan.counted.inc()
    }
    if (problem !== null) this.#problems.inc({ code: problem })
    if (timing === null || timing.parts.length === 0) return
    of.rows += timing.rows
    of.rowsRead += timing.rowsRead
    of.engine.observe(timing.of('engine') / 1000)
    this.#gate.observe(timing.of('gate') / 1000)
  }

  #of(dataset: string): OfDataset {
    return child(this.#datasets, dataset, () => ({
      seconds: new Map(),
      requests: new Map(),
      engine: this.#engine.labels({ dataset }),
      rows: 0,
      rowsRead: 0,
      bytes: 0,
    }))
  }

  /** A counter that is summed up as plain numbers and handed over when it is read. */
  #sum(name: string, help: string, key: 'rows' | 'rowsRead' | 'bytes'): void {
    const datasets = this.#datasets
    new Counter({
      name,
      help,
      labelNames: ['dataset'],
      registers: [this.registry],
      collect() {
        for (const [dataset, of] of datasets) {
          this.inc({ dataset }, of[key])
          of[key] = 0
        }
      },
    })
  }

  #histogram(name: string, help: string, labelNames: string[] = []): Histogram {
    return new Histogram({ name, help, labelNames, buckets: DURATIONS, registers: [this.registry] })
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }
}

function child<K, V>(of: Map<K, V>, key: K, make: () => V): V {
  let found = of.get(key)
  if (found === undefined) {
    found = make()
    of.set(key, found)
  }
  return found
}
