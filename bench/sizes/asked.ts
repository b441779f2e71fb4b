/** Asks each of the SEC's datasets what is typical of it, of another registrant each time. */
import type { CatalogKey } from '../../server/catalog/catalog.ts'
import type { Config } from '../../server/config/config.ts'
import type { Engine, ReadQuery } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { openService } from '../in-process.ts'
import { silent as noLog } from '../peers/silent.ts'
import { watch } from '../processes.ts'
import { accessionOf, quartersOf, type Registrant, registrantsOf, type Size } from './sec-registrants.ts'

export interface Asked {
  readonly dataset: string
  readonly example: string
  readonly status: number
  readonly rows: number
  /** Rows that the engine read for all queries of a request, the median. */
  readonly rowsRead: number
  /**
   * How long the engine was at work, by its own clock, for any query of a request, the median: one may run beside another,
   * and both take longer then. Beside it the shortest, of a quiet moment.
   */
  readonly engineMs: number
  readonly leastMs: number
  /** Of server and engine for a whole request, on average: what a busy machine hardly changes. */
  readonly cpuMs: number
}

const TIMES = 15
/** Pages of a feed that are gone through before one is measured. */
const PAGES = 3

const bank = (path: string) => (one: Registrant) => `/banks/${one.bank}/sec/${path}`

/** By dataset: the path, of a registrant where it is of one. Feeds are asked for a page far behind the first. */
function requestsOf(size: Size): Partial<Record<CatalogKey, (one: Registrant) => string>> {
  const quarters = quartersOf(size)
  const some = (one: Registrant) => quarters[(one.index * 7) % quarters.length]!
  return {
    'sec-registrants': (one) => `/sec/registrants/?state=${one.state}&limit=${100 - (one.index % 50)}`,
    'sec-registrant': bank('registrant/'),
    'sec-filings': bank('filings/?limit=100'),
    'sec-filing': (one) => `/sec/filings/${accessionOf(one.cik, some(one), 3)}/`,
    'sec-filing-feed': (one) => `/sec/filings/?to=${some(one).last}&limit=100`,
    'sec-facts': bank('facts/?concept=Assets,NetIncomeLoss&limit=50'),
    'sec-fact-trends': bank('facts/NetIncomeLoss/'),
    'sec-frames': (one) => `/sec/frames/Assets/?period=CY${some(one).year}Q${some(one).quarter}I`,
    'sec-insider-transactions': bank('insiders/transactions/?limit=100'),
    'sec-insiders': bank('insiders/'),
    'sec-insider-feed': (one) => `/sec/insider-transactions/?code=P,S&to=${some(one).last}&limit=100`,
    'sec-events': bank('events/?from=2024'),
    'sec-event-feed': (one) => `/sec/events/?item=5.02&to=${some(one).last}&limit=100`,
    'sec-restatements': bank('restatements/'),
    'sec-auditor-changes': bank('auditor-changes/'),
    'sec-officer-changes': bank('officer-changes/'),
    'sec-mergers': bank('mergers/'),
    'sec-ownership': bank('ownership/'),
    'sec-institutional-holders': bank('institutional-holders/?limit=100'),
    'sec-late-filings': bank('late-filings/'),
    'sec-filing-activity': bank('activity/'),
  }
}

/** Feeds, each once more at the end of some pages that follow one another. */
const feeds = ['sec-filing-feed', 'sec-event-feed', 'sec-insider-feed', 'sec-filings', 'sec-facts'] as const

interface Cost {
  rows: number
  /** Of each query when it began and ended at the engine, in milliseconds. */
  spans: [from: number, to: number][]
}

/** How long any of them lasted. */
function lengthOf(spans: Cost['spans']): number {
  let ms = 0
  let end = 0
  for (const [from, to] of spans.sort(([one], [other]) => one - other)) {
    ms += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return ms
}

/** The same engine, which notes what reads cost. */
function counting(engine: Engine, cost: Cost): Engine {
  const read = async (query: ReadQuery) => {
    const result = await engine.read(query)
    const { readRows, elapsedNs } = result.summary
    const now = performance.now()
    cost.rows += readRows
    cost.spans.push([now - elapsedNs / 1e6, now])
    return result
  }
  const rows = async (query: ReadQuery) => {
    const { stream } = await read({ ...query, format: 'JSONEachRow' })
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    const lines = Buffer.concat(parts).toString().split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  }
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'read') return read
      if (name === 'rows') return rows
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

export async function askEach(config: Config, size: Size, say: (line: string) => void): Promise<Asked[]> {
  const cost: Cost = { rows: 0, spans: [] }
  const engine = await openEngine(config, noLog)
  const service = await openService(engine, config, counting(engine, cost))
  const ask = async (url: string) => {
    Object.assign(cost, { rows: 0, spans: [] })
    const answer = await service.ask(url)
    const body = answer.json()
    if (answer.statusCode !== 200) say(`${url}: ${answer.statusCode} ${answer.body.slice(0, 500)}`)
    return { status: answer.statusCode, body, rows: cost.rows, ms: lengthOf(cost.spans) }
  }
  const registrants = registrantsOf(size)
  const some = Array.from({ length: TIMES }, (_, at) => registrants[(at * 37) % registrants.length]!)
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!
  try {
    const asked: Asked[] = []
    const measure = async (dataset: string, urls: readonly string[], example: string) => {
      const { result: answers, usage } = await watch([process.pid], async () => {
        const answers = []
        for (const url of urls) answers.push(await ask(url))
        return answers
      })
      const row = {
        ...{ dataset, example, status: Math.max(...answers.map(({ status }) => status)) },
        rows: middle(answers.map(({ body }) => (Array.isArray(body.data) ? body.data.length : 1))),
        rowsRead: middle(answers.map((answer) => answer.rows)),
        leastMs: Math.min(...answers.map(({ ms }) => ms)),
        engineMs: middle(answers.map(({ ms }) => ms)),
        cpuMs: (usage?.cpuMs ?? 0) / urls.length,
      }
      asked.push(row)
      say(
        `${dataset}: ${row.rows} rows, ${row.rowsRead} read, ${row.engineMs.toFixed(1)} ms, ${row.leastMs.toFixed(1)} at least, ${row.cpuMs.toFixed(1)} ms of CPU`,
      )
    }
    const requests = Object.entries(requestsOf(size))
    for (const [dataset, path] of requests) {
      const urls = [...new Set(some.map((one) => `/api/v1${path!(one)}`))]
      await measure(dataset, urls, path!(some[0]!))
    }
    for (const [dataset, path] of requests) {
      if (!feeds.includes(dataset as never)) continue
      const urls: string[] = []
      for (const one of some) {
        let url = `/api/v1${path!(one)}`
        for (let page = 0; page < PAGES && url !== ''; page++) url = (await ask(url)).body.links?.next ?? ''
        if (url !== '') urls.push(url)
      }
      await measure(dataset, [...new Set(urls)], `${path!(some[0]!)}, page ${PAGES + 1}`)
    }
    return asked
  } finally {
    await service.close()
    await engine.close()
  }
}
