/** Where a request comes from: its connection, or what a trusted proxy says of it. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'

/** As much as is needed of a request. */
export type Coming = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** A longer way through trusted proxies is not followed: each costs a look-up, and a client can write thousands. */
const MOST_PROXIES = 16
/** Of an address with brackets and port, in characters. */
const LONGEST = 64
/**
 * What an IPv6 address counts as, in bits: whole networks are given to subscribers, a /56 to most and never less than
 * a /64, so that counting by the address, or by the /64, would let one of them be many clients.
 */
const SUBNET_BITS = 56

/** The names that stand for ranges in TRUSTED_PROXIES. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * @param trustedProxies as in TRUSTED_PROXIES
 * @returns the address of whoever sent a request: of the last proxy that can be believed, where what that says is
 *   no address
 */
export function addressReader(trustedProxies: string): (request: Coming) => string {
  const trusted = trustedProxies === '' ? undefined : listOf(trustedProxies)
  return ({ socket, headers }) => {
    const own = withoutZone(socket.remoteAddress ?? '')
    const header = headers['x-forwarded-for']
    return trusted && header !== undefined ? forwarded(own, String(header), trusted) : own
  }
}

/** What limits and counts go by: an IPv4 address (also one in IPv6), or a network of IPv6. */
export const networkOf = (address: string): string =>
  isIP(address) === 0 ? address : normalizeIP(address, SUBNET_BITS)

function forwarded(own: string, header: string, trusted: BlockList): string {
  let address = own
  let end = header.length
  for (let proxies = 0; proxies < MOST_PROXIES && end >= 0 && isIn(trusted, address); proxies++) {
    const comma = header.lastIndexOf(',', end - 1)
    const before = addressIn(header.slice(comma + 1, end))
    if (before === undefined) break
    address = before
    end = comma
  }
  return address
}

/** The address that an entry of `X-Forwarded-For` is, with or without a port. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim()
  if (text.length > LONGEST) return undefined
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  const address = inBrackets ?? v4 ?? text
  // a copy: a part of a text keeps the whole of it in memory, and addresses are remembered
  return isIP(address) === 0 ? undefined : Buffer.from(withoutZone(address)).toString('latin1')
}

/** A zone says which of its own links a machine means: nothing of who is there. */
const withoutZone = (address: string): string => address.split('%', 1)[0]!

function listOf(trustedProxies: string): BlockList {
  const list = new BlockList()
  for (const part of trustedProxies.split(',').flatMap((one) => named[one.trim()] ?? one.trim())) {
    const [address, bits] = part.split('/') as [string, string?]
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, familyOf(address))

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
