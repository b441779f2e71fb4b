/** Where a request comes from. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { addressReader, networkOf } from '../../server/access/address.ts'

const from = (trusted: string, remoteAddress: string | undefined, forwarded?: string): string =>
  addressReader(trusted)({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } })

t.test('the last address that no trusted proxy has', async (t) => {
  for (const [trusted, own, forwarded, expected] of [
    ['', '203.0.113.7', '1.1.1.1', '203.0.113.7'],
    ['', undefined, undefined, ''],
    ['10.0.0.1', '10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '10.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['10.0.0.1', '10.0.0.2', '1.1.1.1', '10.0.0.2'],
    ['10.0.0.1, 10.0.0.2', '10.0.0.2', '1.1.1.1,2.2.2.2, 10.0.0.1', '2.2.2.2'],
    ['uniquelocal', '192.168.7.7', '172.16.3.4,10.9.9.9', '172.16.3.4'],
    ['loopback,linklocal', '::1', '1.1.1.1, fe80::7%eth0', '1.1.1.1'],
    ['2001:db8::/32', '2001:db8:1::1', '[2001:db8:2::2]:80, [2001:db8:3::3]', '2001:db8:2::2'],
    ['10.0.0.0/8', '::ffff:10.0.0.1', '1.1.1.1:80', '1.1.1.1'],
    ['10.0.0.0/8', '10.0.0.1', '1.1.1.1,,10.0.0.2', '10.0.0.2'],
    ['10.0.0.0/8', '10.0.0.1', `1.1.1.1${',10.0.0.2'.repeat(15)}`, '1.1.1.1'],
    ['10.0.0.0/8', '10.0.0.1', `1.1.1.1${',10.0.0.2'.repeat(16)}`, '10.0.0.2'],
  ] as const)
    t.equal(from(trusted, own, forwarded), expected, `${own} ${forwarded?.slice(0, 40)}`)
})

t.test('IPv6 counts by its /56, IPv4 by itself', async (t) => {
  for (const [address, expected] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2ff::1', '2001:db8:1:200::'],
    ['2001:DB8:1:0200:1:2:3:4', '2001:db8:1:200::'],
    ['', ''],
  ] as const)
    t.equal(networkOf(address), expected)
})

t.test('what is remembered of a long header is the address alone', async (t) => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const heap = (): number => {
    gc()
    return process.memoryUsage().heapUsed
  }
  const read = addressReader('10.0.0.0/8')
  const before = heap()
  const remembered = Array.from({ length: 2000 }, (_, i) => {
    const header = Buffer.from(`${'x'.repeat(30_000)}, 203.113.${i >> 8}.${100 + (i & 127)}`).toString(
      'latin1',
    )
    return read({ socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': header } })
  })
  const more = (heap() - before) / 2 ** 20
  t.ok(more < 10, `${more.toFixed(1)} MiB for ${remembered.length} addresses`)
})
