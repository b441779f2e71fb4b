import t from 'tap'
import { Budget } from '../../server/http/cache/budget.ts'
import { Finished } from '../../server/http/cache/finished.ts'
import { Store } from '../../server/http/cache/store.ts'

const facts = { tag: 'tag', cacheControl: 'no-cache', vary: undefined, compressible: false }
const answer = (budget: Budget, bytes: number): Finished =>
  new Finished(facts, { 'content-type': 'text/csv' }, Buffer.alloc(bytes), budget)

t.test('what is being sent is memory until it was, kept or not', (t) => {
  const MIB = 2 ** 20
  const budget = new Budget(10 * MIB)
  const store = new Store(budget)
  const sent = answer(budget, 4 * MIB)
  store.keep('sent', sent)
  const release = sent.hold()
  for (let i = 0; i < 3; i++) store.keep(`other ${i}`, answer(budget, 3 * MIB))
  t.equal(store.get('sent'), sent, 'to drop it would free nothing: others went')
  t.strictSame([store.count, budget.exceeded], [2, false])
  t.notOk(answer(budget, 2 * MIB).mayBeHeld, 'half of the memory is for what is not being sent')
  t.ok(answer(budget, MIB / 2).mayBeHeld)
  t.ok(answer(budget, 60_000).mayBeHeld, 'what is short is taken at once')
  t.ok(sent.mayBeHeld, 'to hold it for another client takes no more')
  t.notOk(budget.collect(2 * MIB))

  store.clear()
  t.notOk(budget.mayHold(2 * MIB), 'its data version has gone, and it is still being sent')
  release()
  t.ok(budget.mayHold(5 * MIB))
  t.end()
})

t.test('long URLs find their answer again, the oldest forgotten before they fill the memory', async (t) => {
  const budget = new Budget(2 ** 20)
  const store = new Store(budget)
  const finished = answer(budget, 1)
  store.keep('key', finished)
  const request = (i: number, accept?: string) =>
    ({ url: `/?metrics=${'roa,'.repeat(4000)}${i}`, headers: { accept } }) as Parameters<Store['byUrl']>[0]
  const most = 2000
  for (let i = 0; i < most; i++) store.remember('key', request(i), false)
  t.equal(store.byUrl(request(most - 1)), finished, 'the newest')
  t.equal(store.byUrl(request(most - 100)), finished, 'and others')
  t.equal(store.byUrl(request(0)), undefined, 'the oldest of 32 MB is gone')
  t.equal(store.byUrl(request(most)), undefined, 'as is what was never asked')

  store.remember('key', request(0, 'text/csv'), true)
  t.equal(store.byUrl(request(0, 'text/csv')), finished, 'by Accept where that chose the format')
  t.equal(store.byUrl(request(0)), undefined)
})
