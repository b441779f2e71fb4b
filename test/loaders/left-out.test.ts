import t, { type Test } from 'tap'
import { silent } from '../../loaders/lib/progress.ts'
import { runLoad } from '../../loaders/lib/run.ts'
import { type Edition, type LoadContext, source } from '../../loaders/lib/source.ts'
import { memoryLog } from '../helpers/engine.ts'
import { loaderEngine } from './helpers.ts'

const { engine, rows, sqlFolder } = await loaderEngine(t as unknown as Test, { ENGINE_MEMORY_MIB: '2048' })

t.test('what fails in the midst of its change is left out, and nothing that it did stays', async (t) => {
  interface Faulty extends Edition {
    fault?: (context: LoadContext) => Promise<unknown>
  }
  const faults: Record<string, Faulty['fault']> = {
    first: undefined,
    'gives up': async () => {
      throw new RangeError('Maximum call stack size exceeded')
    },
    'fills the engine': ({ client }) =>
      client.command({ query: 'SELECT length(groupArray(number)) FROM numbers(100000000000) FORMAT Null' }),
    'is cut off': async () => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    },
    last: undefined,
  }
  const tried: string[] = []
  const made = source<Faulty>({
    key: 'mdrm',
    name: '',
    publisher: '',
    licence: '',
    address: '',
    what: '',
    atOnce: 2,
    discover: async () => ({
      refused: [],
      ignored: [],
      editions: Object.entries(faults).map(([name, fault], k) => ({
        name,
        fault,
        reportDate: `2020-0${k + 1}-01`,
        bytes: 1,
        volume: 1,
        sha256: async () => name,
      })),
    }),
    async load({ name, fault, reportDate }, context) {
      tried.push(name)
      const values = [{ mdrm: name, start_date: reportDate, name: '', description: '', forms: [] }]
      await context.client.insert({ table: 'mdrm_dictionary', format: 'JSONEachRow', values })
      await fault?.(context)
      return {
        status: 'loaded',
        reportDate,
        contentSha256: name,
        rowsRead: 1,
        rowsKept: 1,
        rejects: [],
        notes: [],
        changed: [],
      }
    },
  })
  const log = memoryLog()
  const publishing = { derive: async () => {}, sqlFolder }
  const { editions, dataVersion } = await runLoad(engine, made as never, [], {
    progress: silent,
    log,
    publishing,
  })
  t.ok(dataVersion)
  t.strictSame(editions.map(({ name, status, reason }) => [name, status, reason?.slice(0, 70)]).sort(), [
    ['fills the engine', 'failed', 'fills the engine: cannot be loaded: Query memory limit exceeded: would'],
    ['first', 'published', undefined],
    ['gives up', 'failed', 'gives up: cannot be loaded: Maximum call stack size exceeded'],
    ['is cut off', 'failed', 'is cut off: cannot be loaded: write EPIPE'],
    ['last', 'published', undefined],
  ])
  t.strictSame(await rows('SELECT mdrm FROM mdrm_dictionary ORDER BY mdrm'), [
    { mdrm: 'first' },
    { mdrm: 'last' },
  ])
  t.strictSame(tried.length, 5 + 5 + 2, 'two at a time, one at a time, without what failed')
  t.ok(
    log.lines.some(({ level, details }) => level === 'warn' && 'err' in details),
    'with a stack in the log',
  )
})
