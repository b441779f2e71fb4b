/** The secrets of keys: generated here, shown once and never stored. */
import { hash, randomBytes } from 'node:crypto'
import type { KeyPlan } from './plans.ts'

const letters: Readonly<Record<KeyPlan, string>> = { free: 'f', premium: 'p' }

/** 256 random bits. The letter is the plan it was made for; the plan in force is the stored one. */
export const newSecret = (plan: KeyPlan): string =>
  `bds_${letters[plan]}_${randomBytes(32).toString('base64url')}`

/** SHA-256 in hexadecimal. A key is 256 random bits: no salt or slow hash makes guessing it harder. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'hex')

export const isSecret = (text: string): boolean => /^bds_[a-z]_[\w-]{43}$/.test(text)

/** What looks like a key, or like most of one. */
const keyLike = /bds_[A-Za-z]_[\w-]{8,}/
const keyLikes = new RegExp(keyLike, 'g')

/** Whether a key, as it is or in percent escapes, stands in a URL. */
export function holdsSecret(url: string): boolean {
  if (keyLike.test(url)) return true
  return url.includes('%') && keyLike.test(unescaped(url))
}

/** A text with all keys removed, for logs and answers. */
export const withoutSecrets = (text: string): string =>
  text.includes('bds_') ? text.replace(keyLikes, '[key]') : text

/** A request's URL as it may be logged or answered: nothing of one where a key stands in escapes. */
export function safeUrl(url: string): string {
  const clean = withoutSecrets(url)
  return holdsSecret(clean) ? '/' : clean
}

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    // each by itself, so that a broken one elsewhere hides nothing
    return url.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
}
