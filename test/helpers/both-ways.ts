// An answer from elsewhere than the engine is, byte for byte, the one that the engine would have written; Arrow has its own
// bytes for the same schema and values.
import { type Table, tableFromIPC } from 'apache-arrow'
import type { Test } from 'tap'
import type { Published } from '../../server/published.ts'
import type { Resident } from '../../server/resident/resident.ts'
import type { TestApp } from './app.ts'

/** Asks an app both ways. */
export class BothWays {
  /** Answers that were found outside of the engine. */
  used = 0
  /** What is served, with what it finds counted. */
  readonly watched: Resident
  /** Nothing outside of the engine. */
  readonly none: Resident
  readonly #app: Pick<TestApp, 'app' | 'serve'>
  readonly #published: Published

  constructor(app: Pick<TestApp, 'app' | 'serve'>, published: Published) {
    this.#app = app
    this.#published = published
    const { resident } = published
    this.watched = {
      ...resident,
      holding: (selection) => {
        const held = resident.holding(selection)
        if (held) this.used++
        return held
      },
      panel: (selection, format) => {
        const held = resident.panel(selection, format)
        if (held) this.used++
        return held
      },
    }
    this.none = { ...resident, inMemory: undefined, holding: () => undefined, panel: () => undefined }
  }

  /** What memory and engine answer: headers but those of the request itself, and bytes. */
  async both(url: string, memory: Resident) {
    const published = this.#published
    const ask = async (resident: Resident) => {
      this.#app.serve({
        ...published,
        resident,
        coverage: { ...published.coverage, inMemory: resident.inMemory },
      })
      const { statusCode, headers, rawPayload } = await this.#app.app.inject(url)
      const { date, 'x-request-id': _, 'content-length': __, 'transfer-encoding': ___, ...rest } = headers
      const { 'server-timing': ____, ...kept } = rest
      const arrow = String(headers['content-type']).includes('arrow')
      const body = arrow ? decoded(tableFromIPC(rawPayload)) : rawPayload.toString('latin1')
      // other bytes have another tag
      return { statusCode, headers: { ...kept, ...(arrow && { etag: undefined }) }, body }
    }
    return { resident: await ask(memory), engine: await ask(this.none) }
  }

  /** How the answers differ, or that memory did not answer; undefined where they are the same. */
  async difference(url: string, memory: Resident): Promise<string | undefined> {
    const before = this.used
    const { resident, engine } = await this.both(url, memory)
    if (this.used !== before + 1) return `${url}: not answered from memory`
    if (engine.statusCode !== 200) return `${url}: ${engine.statusCode} ${engine.body}`
    if (JSON.stringify(resident.headers) !== JSON.stringify(engine.headers))
      return `${url}: ${JSON.stringify(resident.headers)}, not ${JSON.stringify(engine.headers)}`
    if (resident.body === engine.body) return undefined
    let at = 0
    while (resident.body[at] === engine.body[at]) at++
    const around = (body: string) => JSON.stringify(body.slice(Math.max(0, at - 60), at + 60))
    return `${url}: at byte ${at} ${around(resident.body)}, not ${around(engine.body)}`
  }

  async same(t: Test, urls: readonly string[], memory: Resident = this.watched): Promise<void> {
    const found: string[] = []
    for (const url of urls)
      found.push(...[await this.difference(url, memory)].filter((one) => one !== undefined))
    t.ok(urls.length > 0)
    t.strictSame(found, [], `${urls.length} answers`)
  }
}

/** Schema with metadata, batches, and every value: two tables that differ in any of it have other texts. */
const decoded = (table: Table): string =>
  JSON.stringify({
    metadata: [...table.schema.metadata],
    fields: table.schema.fields.map(({ name, type, nullable, metadata }) => [
      name,
      String(type),
      nullable,
      ...metadata,
    ]),
    batches: table.batches.map(({ numRows }) => numRows),
    rows: table.toArray().map((row) => Object.values(row.toJSON()).map(String)),
  })
