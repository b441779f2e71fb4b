/** US banking history over `fetch`, in Node and in browsers. */
import type { Table } from 'apache-arrow'
import { type Datasets, endpoints } from './datasets.ts'
import { AnswerCut, problemOf } from './errors.ts'

export type * from './datasets.ts'
export { AnswerCut, type Fault, Problem } from './errors.ts'

export type DatasetKey = keyof Datasets
/** Text that may be a column: of rows of metrics the metrics too. */
export type ColumnOf<Key extends DatasetKey> = Extract<keyof Datasets[Key]['row'], string>
/** A row with the columns that were asked for. */
export type RowOf<Key extends DatasetKey, Column extends ColumnOf<Key> = ColumnOf<Key>> = Pick<
  Datasets[Key]['row'],
  Column
>
export type ParametersOf<
  Key extends DatasetKey,
  Column extends ColumnOf<Key> = ColumnOf<Key>,
> = Datasets[Key]['parameters'] & { readonly fields?: readonly Column[] }

export interface Meta {
  readonly dataset: string
  readonly as_of: string | null
  readonly data_version: string
  readonly synthetic: boolean
  readonly sources: readonly string[]
  readonly count: number
  readonly total: number
  readonly limit: number | null
  /** Parts of a composite that are null as your plan does not read them, and why. */
  readonly left_out?: readonly { readonly part: string; readonly dataset: string; readonly reason: string }[]
  /** Quarters of the answer whose files were not all there when they were loaded: what those would tell is null. */
  readonly incomplete?: readonly {
    readonly source: string
    readonly report_date: string
    readonly lacks: readonly string[]
  }[]
  readonly units: Readonly<Record<string, string>>
}

export interface Answer<Data> {
  readonly data: Data
  readonly meta: Meta
  readonly links: { readonly self: string; readonly next: string | null; readonly docs: string }
}

type DataOf<Key extends DatasetKey, Column extends ColumnOf<Key>> = Datasets[Key]['many'] extends true
  ? readonly RowOf<Key, Column>[]
  : RowOf<Key, Column>

export interface ClientOptions {
  /** Public datasets need none. */
  readonly apiKey?: string
  readonly baseUrl?: string
  /** Seconds that a call may wait in all where the server asks to come again later; default 60. */
  readonly maxWait?: number
  /** Characters of answers that are kept in memory with their ETag; default 16 million, 0 for none. */
  readonly cache?: number
  readonly fetch?: typeof fetch
}

/** An answer that breaks off without a new row so often is given up. */
const MOST_CUTS = 4

export class Client {
  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #maxWait: number
  readonly #most: number
  readonly #fetch: typeof fetch
  readonly #kept = new Map<string, { etag: string; text: string }>()
  #size = 0

  constructor(options: ClientOptions = {}) {
    this.#base = (options.baseUrl ?? 'http://127.0.0.1:8080').replace(/\/+$/, '')
    this.#headers = options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }
    this.#maxWait = options.maxWait ?? 60
    this.#most = options.cache ?? 16_000_000
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  }

  /** An answer with what it says of itself. A key, a parameter or a column that does not exist is an error of types. */
  async get<Key extends DatasetKey, const Column extends ColumnOf<Key> = ColumnOf<Key>>(
    key: Key,
    parameters: ParametersOf<Key, Column>,
  ): Promise<Answer<DataOf<Key, Column>>> {
    return this.#json(urlOf(key, parameters, 'json'))
  }

  /** The page after one that had a `limit`; null after the last. */
  async next<Data>(page: Answer<Data>): Promise<Answer<Data> | null> {
    return page.links.next === null ? null : this.#json(page.links.next)
  }

  bank(rssd_id: number, parameters: Omit<ParametersOf<'bank-snapshot'>, 'rssd_id'> = {}) {
    return this.get('bank-snapshot', { ...parameters, rssd_id })
  }

  screen(parameters: ParametersOf<'bank-screener'> = {}) {
    return this.get('bank-screener', parameters)
  }

  trends(rssd_id: number, parameters: Omit<ParametersOf<'bank-trends'>, 'rssd_id'> = {}) {
    return this.get('bank-trends', { ...parameters, rssd_id })
  }

  /** The bytes in any format of the dataset. */
  response<Key extends DatasetKey>(
    key: Key,
    parameters: ParametersOf<Key>,
    format: 'json' | 'columns' | 'ndjson' | 'csv' | 'arrow' | 'parquet' | 'xlsx' | 'geojson',
  ): Promise<Response> {
    return this.#ask(urlOf(key, parameters, format))
  }

  /** An Arrow table, where the package `apache-arrow` is installed. Dates and ids have their types. */
  async arrow<Key extends DatasetKey>(key: Key, parameters: ParametersOf<Key>): Promise<Table> {
    const { tableFromIPC } = await import('apache-arrow')
    const table = await tableFromIPC(this.response(key, parameters, 'arrow'))
    const { meta } = JSON.parse(table.schema.metadata.get('banking.meta') ?? '{}') as { meta?: Meta }
    if (table.numRows !== meta?.count)
      throw new AnswerCut(`${key}: ${table.numRows} rows of ${meta?.count} came`)
    return table
  }

  /**
   * Rows one by one as they come, whatever their number. What broke off goes on from the quarter where it did, without a
   * row twice; where that cannot be, or the data were published in between, AnswerCut is thrown.
   */
  async *rows<Key extends DatasetKey, const Column extends ColumnOf<Key> = ColumnOf<Key>>(
    key: Key,
    parameters: ParametersOf<Key, Column>,
  ): AsyncGenerator<RowOf<Key, Column>> {
    const column = endpoints[key][1]
    const given: Arguments = parameters
    const resumes =
      column !== undefined && !['sort', 'limit', 'cursor'].some((name) => given[name] !== undefined)
    let asked: Arguments = given
    let version: string | null = null
    let [quarter, ofQuarter, cuts] = [undefined as unknown, 0, 0]
    for (;;) {
      const response = await this.#ask(urlOf(key, asked, 'ndjson'))
      const [now, total] = [
        response.headers.get('x-data-version'),
        Number(response.headers.get('x-total-count')),
      ]
      if (version !== null && version !== now)
        throw new AnswerCut(`${key} was published anew while it was read`)
      version = now
      const skipped = ofQuarter
      let seen = 0
      let cause: unknown
      try {
        for await (const line of linesOf(response)) {
          if (seen++ < skipped) continue
          const row = JSON.parse(line) as RowOf<Key, Column> & Record<string, unknown>
          if (column !== undefined && row[column] !== quarter) [quarter, ofQuarter] = [row[column], 0]
          ofQuarter++
          cuts = 0
          yield row
        }
        if (seen === Math.min(total, Number(given.limit ?? total))) return
      } catch (error) {
        cause = error
      }
      if (!resumes || quarter === undefined || ++cuts > MOST_CUTS)
        throw new AnswerCut(`${key} broke off`, { cause })
      const { quarters: _, ...rest } = given
      asked = { ...rest, from: quarter }
    }
  }

  async #json<Data>(url: string): Promise<Answer<Data>> {
    const kept = this.#kept.get(url)
    const response = await this.#ask(url, kept && { 'if-none-match': kept.etag })
    const text = response.status === 304 && kept ? kept.text : await response.text()
    const etag = response.headers.get('etag') ?? kept?.etag
    if (etag !== undefined) this.#keep(url, etag, text)
    return JSON.parse(text)
  }

  /** What was asked for last stands last; what stands first goes first. */
  #keep(url: string, etag: string, text: string): void {
    this.#size -= this.#kept.get(url)?.text.length ?? 0
    this.#kept.delete(url)
    if (text.length > this.#most / 8) return
    this.#kept.set(url, { etag, text })
    this.#size += text.length
    for (const [oldest, { text }] of this.#kept) {
      if (this.#size <= this.#most) break
      this.#kept.delete(oldest)
      this.#size -= text.length
    }
  }

  async #ask(url: string, more: Record<string, string> = {}): Promise<Response> {
    const headers = { ...this.#headers, ...more }
    for (let waited = 0, tries = 0; ; tries++) {
      const response = await this.#fetch(this.#base + url, { headers })
      if (response.ok || (response.status === 304 && more['if-none-match'] !== undefined)) return response
      const after = response.headers.get('retry-after')
      const pause = after === null ? 2 ** tries : Number(after)
      const busy = response.status === 429 || response.status === 503
      if (!busy || !(waited + pause <= this.#maxWait)) throw await problemOf(response)
      await response.body?.cancel()
      await new Promise((done) => setTimeout(done, pause * 1000))
      waited += pause
    }
  }
}

type Arguments = Readonly<Record<string, unknown>>

function urlOf(key: DatasetKey, parameters: Arguments, format: string): string {
  const [template] = endpoints[key]
  const query = new URLSearchParams({ format })
  const texts = new Map<string, string>()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue
    texts.set(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = texts.get(name)
    if (text === undefined) throw new TypeError(`${key} needs ${name}: it is part of the path`)
    texts.delete(name)
    return encodeURIComponent(text)
  })
  for (const [name, text] of texts) query.set(name, text)
  return `${path}?${query}`
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel().catch(() => {})
  }
}
