/** Entity tags and the conditions on them (RFC 9110, 13). */
import { hash } from 'node:crypto'
import { type Encoding, isEncoding } from './encodings.ts'

/** The opaque part of a strong ETag: equal for equal bytes. It follows from what is asked, so it needs no answer. */
export const tagOf = (...parts: readonly string[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 27)

/** The ETag of an answer in a coding: other bytes, so another tag. */
export const entityTag = (tag: string, encoding?: Encoding): string =>
  encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`

/**
 * The first ETag of `If-None-Match` that stands for this answer, in whatever coding the client has kept it: the bytes
 * that it has are good. Compared weakly. `*` is not answered here: whether there is anything is not known yet.
 */
export function matchingTag(header: string, tag: string): string | undefined {
  // most tags are of other answers, and the header may name thousands of them
  if (!header.includes(`"${tag}`)) return undefined
  for (const part of header.split(',')) {
    const given = part.trim().replace(/^W\//, '')
    if (isTagOf(given, tag)) return given
  }
  return undefined
}

/** Whether `If-Match` names this answer in some coding. Compared strongly. */
export const matches = (header: string, tag: string): boolean =>
  header.split(',').some((part) => part.trim() === '*' || isTagOf(part.trim(), tag))

function isTagOf(given: string, tag: string): boolean {
  if (!given.startsWith(`"${tag}`)) return false
  const rest = given.slice(tag.length + 1)
  return rest === '"' || (rest.startsWith('-') && rest.endsWith('"') && isEncoding(rest.slice(1, -1)))
}
