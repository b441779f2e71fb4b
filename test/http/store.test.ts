import t from 'tap'
import { Finished } from '../../server/http/cache/finished.ts'
import { Budget, Store } from '../../server/http/cache/store.ts'

t.test('long URLs find their answer again, the oldest forgotten before they fill the memory', async (t) => {
  const store = new Store(new Budget(2 ** 20))
  const facts = { tag: 'tag', cacheControl: 'no-cache', vary: undefined, compressible: false }
  const finished = new Finished(facts, { 'content-type': 'text/csv' }, Buffer.from('a'))
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
