/** The kinds of settings: how a text is checked and converted. */
import { isIP } from 'node:net'

/** One setting: how its text is read, and what the documentation says of it. */
export interface Setting<T> {
  /** What its text looks like: follows "expected" in the message about a wrong value. */
  readonly type: string
  readonly default: T
  readonly doc: string
  /** A secret's value is never shown. */
  readonly secret: boolean
  /** @throws Expected */
  parse(text: string): T
}

/** A value that a setting cannot take; the message is what was expected. */
export class Expected extends Error {}

/** @param read the value of a text; undefined where it has none */
function setting<T>(
  type: string,
  byDefault: T,
  doc: string,
  read: (text: string) => T | undefined,
): Setting<T> {
  return {
    type,
    default: byDefault,
    doc,
    secret: false,
    parse(text) {
      const value = read(text)
      if (value === undefined) throw new Expected(type)
      return value
    },
  }
}

export function integer(
  byDefault: number,
  range: { min: number; max: number },
  doc: string,
): Setting<number> {
  return setting(`integer from ${range.min} to ${range.max}`, byDefault, doc, (text) => {
    const value = Number(text)
    return /^[+-]?\d+$/.test(text) && value >= range.min && value <= range.max ? value : undefined
  })
}

/** A port that is opened only where it is set. */
export const optionalPort = (doc: string): Setting<number | null> => ({
  ...integer(0, { min: 0, max: 65_535 }, doc),
  default: null,
})

export const fraction = (byDefault: number, doc: string): Setting<number> =>
  setting('number from 0 to 1', byDefault, doc, (text) =>
    /^(\d+(\.\d+)?|\.\d+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined,
  )

const flags: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }

export const flag = (byDefault: boolean, doc: string): Setting<boolean> =>
  setting('1 or 0', byDefault, doc, (text) => (Object.hasOwn(flags, text) ? flags[text] : undefined))

export const choice = <const T extends string>(
  byDefault: T,
  choices: readonly T[],
  doc: string,
): Setting<T> =>
  setting(`one of ${choices.join(', ')}`, byDefault, doc, (text) => choices.find((one) => one === text))

export const text = (
  byDefault: string,
  doc: string,
  rule: { type: string; valid(value: string): boolean; secret?: boolean } = anyText,
): Setting<string> => ({
  ...setting(rule.type, byDefault, doc, (value) => (rule.valid(value) ? value : undefined)),
  secret: rule.secret ?? false,
})

/** Addresses in their order; without any where it is empty. */
export const httpUrls = (doc: string): Setting<readonly string[]> =>
  setting('http:// or https:// addresses separated by commas, none twice', [], doc, (text) => {
    const urls = text.split(',').map((one) => one.trim())
    if (!urls.every(isHttpUrl)) return undefined
    return new Set(urls.map((url) => new URL(url).href)).size === urls.length ? urls : undefined
  })

const anyText = { type: 'text', valid: () => true }
export const secret = { ...anyText, secret: true }
export const httpUrl = { type: 'http:// or https:// address', valid: isHttpUrl }
export const optionalUrl = { type: httpUrl.type, valid: (value: string) => value === '' || isHttpUrl(value) }
export const identifier = {
  type: 'a name of letters, digits and _, not beginning with a digit',
  valid: (value: string) => /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value),
}

export const optionalIdentifier = {
  type: identifier.type,
  valid: (value: string) => value === '' || identifier.valid(value),
}

export const headerList = {
  type: 'name=value, several separated by commas, values percent-encoded',
  valid: isHeaderList,
}
export const proxyList = {
  type: 'addresses and ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas',
  valid: isProxyList,
}

function isHeaderList(value: string): boolean {
  return value.split(',').every((pair) => {
    const [, encoded] = /^\s*[\w!#$%&'*+.^`|~-]+=(.*)$/.exec(pair) ?? []
    try {
      return encoded !== undefined && decodeURIComponent(encoded) !== null
    } catch {
      return false
    }
  })
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

function isProxyList(value: string): boolean {
  return value.split(',').every((part) => {
    const [address, bits, ...rest] = part.trim().split('/')
    if (bits === undefined)
      return isIP(address!) > 0 || ['loopback', 'linklocal', 'uniquelocal'].includes(address!)
    const most = isIP(address!) === 4 ? 32 : isIP(address!) === 6 ? 128 : -1
    return rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= most
  })
}
