import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Gate, type GateOptions } from '../../server/http/gate.ts'

const gateOf = (options: Partial<GateOptions> = {}): Gate =>
  new Gate({ slots: 2, longestWaitMs: 60_000, perClient: 100, ...options })

t.test('as many as there are slots are inside; the next one waits for a place', async (t) => {
  const gate = gateOf()
  const [one, two] = [await gate.enter(), await gate.enter()]
  const third = gate.enter()
  t.strictSame([gate.inside, gate.waiting], [2, 1])
  one()
  one()
  const leave = await third
  t.strictSame([gate.inside, gate.waiting], [2, 0], 'leaving twice gives one place')
  leave()
  two()
  t.equal(gate.inside, 0)
})

t.test('clients take turns, whatever the length of their queues', async (t) => {
  const gate = gateOf({ slots: 1 })
  const order: string[] = []
  const first = await gate.enter({ client: 'x' })
  const all = ['a', 'a', 'a', 'b', 'c', 'b'].map((client) =>
    gate.enter({ client }).then((leave) => {
      order.push(client)
      leave()
    }),
  )
  first()
  await Promise.all(all)
  t.equal(order.join(''), 'abcaba')
})

t.test('one client has so many at once and no more; others are not touched', async (t) => {
  const gate = gateOf({ slots: 1, perClient: 3 })
  const first = await gate.enter({ client: 'a' })
  const waiting = [gate.enter({ client: 'a' }), gate.enter({ client: 'a' })]
  await t.rejects(gate.enter({ client: 'a' }), { code: 'too-many-requests', status: 429, retryAfter: 1 })
  const other = gate.enter({ client: 'b' })
  first()
  const fourth = gate.enter({ client: 'a' })
  for (const one of [waiting[0]!, other, waiting[1]!, fourth]) (await one)()
  t.strictSame([gate.inside, gate.waiting], [0, 0])
})

t.test('nobody waits longer than the bound, and who goes away waits no more', async (t) => {
  const gate = gateOf({ slots: 1, longestWaitMs: 50 })
  const leave = await gate.enter()
  await t.rejects(gate.enter(), { code: 'overloaded', status: 503, retryAfter: 1 })
  const gone = new AbortController()
  const waiting = gate.enter({ signal: gone.signal })
  gone.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  await t.rejects(gate.enter({ signal: gone.signal }), { message: 'gone' })
  t.equal(gate.waiting, 0)
  leave()
  t.equal(gate.inside, 0)
  const again = await gate.enter()
  again()
})

t.test('who would wait too long is refused at once, and when the load is gone nobody is', async (t) => {
  const gate = gateOf({ slots: 1, longestWaitMs: 300 })
  let served = 0
  let refusedAtOnce = 0
  const request = async (): Promise<void> => {
    try {
      const leave = await gate.enter()
      await sleep(10)
      leave()
      served++
    } catch {
      refusedAtOnce++
    }
  }
  const all: Promise<void>[] = []
  // ten times what one place serves at 10 ms each
  for (let i = 0; i < 60; i++) {
    for (let j = 0; j < 10; j++) all.push(request())
    await sleep(10)
  }
  t.ok(gate.waiting < 120, `${gate.waiting} of 600 wait`)
  t.ok(refusedAtOnce > 200, `${refusedAtOnce} were refused while the load lasted`)
  await Promise.all(all)
  t.ok(served > 20, `${served} were served`)
  refusedAtOnce = 0
  for (let i = 0; i < 10; i++) await request()
  t.equal(refusedAtOnce, 0, 'it has recovered')
})

t.test('a slow reader gives its slot to others, while there is room beside them', async (t) => {
  const gate = gateOf({ slots: 1, patienceMs: 20 })
  const places: (() => void)[] = []
  for (const client of ['a', 'b', 'c']) places.push(await gate.enter({ client }))
  t.strictSame([gate.inside, gate.aside], [1, 2])
  await sleep(60)
  t.strictSame([gate.inside, gate.aside], [1, 2], 'the third keeps its slot: two stand aside for one slot')
  const waiting = gate.enter()
  places[0]!()
  t.strictSame([gate.inside, gate.aside], [1, 2], 'it steps aside as soon as another one ends')
  ;(await waiting)()
  for (const leave of places) leave()
  t.strictSame([gate.inside, gate.aside], [0, 0])
})

t.test(
  'one client has never all places, whether its readers stall at once or one after the other',
  async (t) => {
    const gate = gateOf({ slots: 4, patienceMs: 20, longestWaitMs: 40 })
    const places: (() => void)[] = []
    const fill = async (client: string): Promise<number> => {
      for (let n = 0; ; n++) {
        try {
          places.push(await gate.enter({ client }))
        } catch (error) {
          t.match(error, { code: 'too-many-requests', status: 429, retryAfter: 1 })
          return n
        }
      }
    }
    t.equal(await fill('a'), 4, 'three slots, and a fourth place once one of them has stepped aside')
    t.equal(await fill('b'), 4)
    ;(await gate.enter({ client: 'c' }))()
    const waiting = gate.enter({ client: 'a' })
    t.equal(gate.waiting, 1)
    places[0]!()
    ;(await waiting)()
    for (const leave of places) leave()
    t.strictSame([gate.inside, gate.aside, gate.waiting], [0, 0, 0])
    t.equal(await fill('a'), 4, 'what was given back may be had again')
  },
)
