import { createHash } from 'node:crypto'

/** A strong ETag: equal for equal bytes. It follows from data version and request, so it needs no answer. */
export function etagOf(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`
}

/** Whether `If-None-Match` holds the tag. RFC 9110, 13.1.2: compared weakly. */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => {
    const tag = part.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })
}
