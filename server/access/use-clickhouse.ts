import type { Engine } from '../engine/engine.ts'
import type { DayUse } from './allowance.ts'
import type { UseRow, UseStore } from './use.ts'

/** Rows become visible a little later than they are stamped, and clocks of a cluster's servers differ. */
const OVERLAP_MS = 10_000
const LONGEST_MS = 5_000

/** Counts in the control database, which every installation has. */
export class ClickHouseUse implements UseStore {
  readonly #engine: Engine
  #day = ''
  /** Milliseconds: the newest row seen of `#day`. */
  #seen = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async write(day: string, instance: string, rows: readonly UseRow[]): Promise<void> {
    await this.#engine.loader().insert({
      table: 'client_use',
      columns: ['day', 'client', 'instance', 'requests', 'datasets'],
      values: rows.map((row) => ({ day, instance, ...row })),
      format: 'JSONEachRow',
      abort_signal: AbortSignal.timeout(LONGEST_MS),
    })
  }

  async *changes(day: string, instance: string) {
    if (day !== this.#day) [this.#day, this.#seen] = [day, 0]
    const result = await this.#ask(
      `SELECT client, instance AS run, argMax(requests, written_at) AS total,
              toUnixTimestamp64Milli(max(written_at)) AS at
       FROM client_use
       WHERE day = {day:Date} AND instance != {instance:String}
         AND written_at > fromUnixTimestamp64Milli({since:Int64})
       GROUP BY client, instance`,
      { day, instance, since: Math.max(0, this.#seen - OVERLAP_MS) },
    )
    let seen = this.#seen
    for await (const rows of result.stream<{ client: string; run: string; total: number; at: string }>()) {
      yield rows.map((row) => {
        const { client, run, total, at } = row.json()
        seen = Math.max(seen, Number(at))
        return { client, instance: run, requests: total }
      })
    }
    this.#seen = seen
  }

  history(client: string, days: number): Promise<DayUse[]> {
    return this.#query<DayUse>(
      `SELECT toString(day) AS date, toUInt32(sum(total)) AS requests,
              mapFilter((dataset, answers) -> answers > 0, sumMap(by_dataset)) AS datasets
       FROM (
         SELECT day, instance, argMax(requests, written_at) AS total,
                CAST(argMax(client_use.datasets, written_at), 'Map(String, UInt32)') AS by_dataset
         FROM client_use
         WHERE client = {client:String} AND day > toDate(now('UTC')) - {days:UInt16}
         GROUP BY day, instance
       )
       GROUP BY day HAVING sum(total) > 0 ORDER BY day DESC`,
      { client, days },
    )
  }

  async close(): Promise<void> {}

  async #query<T>(query: string, query_params: Record<string, unknown>): Promise<T[]> {
    return (await this.#ask(query, query_params)).json<T>()
  }

  #ask(query: string, query_params: Record<string, unknown>) {
    return this.#engine.loader().query({
      query,
      query_params,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      abort_signal: AbortSignal.timeout(LONGEST_MS),
    })
  }
}
