import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { Timing } from '../../server/http/timing.ts'

t.test('what runs at the same time counts once', async (t) => {
  const timing = new Timing()
  const summary = { queryId: '', readRows: 5, readBytes: 0, resultRows: 0, elapsedNs: 0 }
  const reader = (milliseconds: number) => ({
    // the clock of the timing itself: nothing is asserted of how long a wait takes
    read: () => wait(milliseconds, { stream: process.stdin, summary }),
  })
  const start = performance.now()
  await Promise.all([
    timing.read(reader(40), { sql: '', database: '' }),
    timing.read(reader(10), { sql: '', database: '' }),
    timing.read(reader(30), { sql: '', database: '' }),
  ])
  await timing.read(reader(5), { sql: '', database: '' })
  const elapsed = performance.now() - start
  t.equal(timing.parts.length, 4)
  t.equal(timing.rowsRead, 20)
  const [first] = timing.parts
  const last = timing.parts.at(-1)!
  t.ok(timing.of('engine') <= elapsed)
  t.ok(timing.of('engine') >= first!.milliseconds + last.milliseconds - 0.001)
  t.equal(timing.of('gate'), 0)
})
