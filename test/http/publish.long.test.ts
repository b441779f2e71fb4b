import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { findSource } from '../../loaders/sources.ts'
import { watchPublications } from '../../server/engine/current.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { readPublished } from '../../server/published.ts'
import { publishing } from '../../server/publishing.ts'
import { build } from '../helpers/app.ts'
import { memoryLog } from '../helpers/engine.ts'
import { fixture } from '../loaders/helpers.ts'

/** An answer of the hail, with what the server was serving when it was asked. */
interface Seen {
  url: string
  asked: number
  etag: string
  version: string
  text: string
}

t.test('a quarter is loaded during a hail of requests', async (t) => {
  // what waits for a slow engine still reads the older version
  const env = { VERSION_GRACE_SECONDS: '600' }
  const { engine, serve, listen, headers } = await build(t, { data: false, env })
  const load = (source: string, path: string) =>
    runLoad(engine, findSource(source)!, [fixture(path)], { progress: silent, log: memoryLog(), publishing })
  const served: { version: string; at: number }[] = []
  const take = async (): Promise<void> => {
    const published = await readPublished(engine, (await currentPublication(engine))!)
    serve(published)
    served.push({ version: published.publication.dataVersion, at: performance.now() })
  }
  await load('ffiec-call-report', 'ffiec-call-report/2012Q2')
  await load('fdic-institutions', 'fdic-institutions')
  await take()
  const address = await listen()

  const paths = [
    '/api/v1/reference/quarters/',
    '/api/v1/reference/quarters/?format=csv',
    '/api/v1/screeners/panel/?metrics=total_assets&format=json',
    '/api/v1/screeners/banks/?fields=rssd_id,report_date,total_assets&format=ndjson',
    '/api/v1/industry/trends/?metrics=total_assets,roa',
    '/api/v1/reference/sources/',
    '/api/v1/industry/dashboard/',
  ]
  const codings = ['identity', 'gzip', 'br']
  const seen: Seen[] = []
  let over = false
  const client = async (turn: number): Promise<void> => {
    // a validator that went stale must not be told to be good
    const etags = new Map<string, { etag: string; text: string; version: string }>()
    for (let i = turn; !over; i++) {
      const url = paths[i % paths.length]!
      const coding = codings[i % codings.length]!
      const known = etags.get(`${url} ${coding}`)
      const asked = performance.now()
      const response = await fetch(`${address}${url}`, {
        headers: {
          ...headers,
          'accept-encoding': coding,
          ...(known && i % 2 === 0 && { 'if-none-match': known.etag }),
        },
      })
      if (response.status === 304) {
        seen.push({ url, asked, ...known! })
        continue
      }
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`)
      const answer = {
        etag: response.headers.get('etag')!,
        version: response.headers.get('x-data-version')!,
        text,
      }
      etags.set(`${url} ${coding}`, answer)
      seen.push({ url, asked, ...answer })
    }
  }
  /** Waits until the version that was served as the n-th has answered everything. */
  const everyPathSeen = async (n: number): Promise<void> => {
    const missing = (): boolean =>
      paths.some((path) => !seen.some(({ url, version }) => url === path && version === served[n]?.version))
    for (const end = Date.now() + 60_000; missing() && Date.now() < end; ) await wait(20)
  }
  const stop = watchPublications(engine, take, {
    intervalMs: 50,
    known: await currentPublication(engine),
  })
  t.teardown(stop)
  const hail = Promise.all(Array.from({ length: 6 }, (_, turn) => client(turn)))
  await everyPathSeen(0)
  await load('ffiec-call-report', 'ffiec-call-report/2014Q1')
  await everyPathSeen(1)
  over = true
  await hail

  const [older, newer] = served.map(({ version }) => version)
  t.not(older, newer)
  const of = (version: string): Seen[] => seen.filter((one) => one.version === version)
  t.ok(
    of(older!).length > 20 && of(newer!).length > 20,
    `${of(older!).length} and ${of(newer!).length} answers`,
  )
  t.equal(of(older!).length + of(newer!).length, seen.length, 'every answer is of one of the two')

  t.equal(
    seen.filter(({ version, asked }) => version === older && asked > served[1]!.at).length,
    0,
    'nothing of the older is given to who asks after the newer is served',
  )
  for (const url of paths) {
    for (const version of [older!, newer!]) {
      const answers = of(version).filter((one) => one.url === url)
      t.equal(new Set(answers.map(({ text }) => text)).size, 1, `${url} of one version is one answer`)
      const plain = new Set(answers.map(({ etag }) => etag.replace(/-(gzip|br)"$/, '"')))
      t.equal(plain.size, 1, 'with one tag')
      const text = answers[0]!.text
      if (text.startsWith('{"data"')) t.equal(JSON.parse(text).meta.data_version, version)
      t.equal(text.includes('2014-03-31'), version === newer, `${url}: the new quarter is in the newer alone`)
    }
    const tags = new Set(
      [older!, newer!].flatMap((version) => of(version).find((one) => one.url === url)!.etag),
    )
    t.equal(tags.size, 2, 'another version has another tag')
  }
})
