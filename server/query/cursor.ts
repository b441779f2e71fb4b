import { createHash } from 'node:crypto'
import { Refusal } from './refusal.ts'

/**
 * A cursor is a place in one ordered answer of one data version: an offset, bound by a digest to the canonical
 * query and the data version. A data version never changes and every order is total, so a walk returns each row
 * once; a cursor from before a publish is refused rather than mixing two versions.
 */
export function encodeCursor(offset: number, canonical: string, dataVersion: string): string {
  return Buffer.from(`${offset.toString(36)}.${digest(canonical, dataVersion)}`).toString('base64url')
}

/** The offset of a cursor. Throws Refusal for one that is malformed, of another query or of another version. */
export function decodeCursor(cursor: string, canonical: string, dataVersion: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [place, bound] = text.split('.', 2)
  const offset = Number.parseInt(place ?? '', 36)
  const wellFormed =
    /^[0-9a-z]{1,8}\.[\w-]{16}$/.test(text) &&
    Number.isSafeInteger(offset) &&
    offset >= 0 &&
    offset <= MOST_OFFSET
  if (!wellFormed) throw new Refusal('not a cursor of this server', 'the cursor of `links.next`, unchanged')
  if (bound !== digest(canonical, dataVersion)) {
    throw new Refusal(
      'the cursor is of another query or an older data version',
      'the cursor of `links.next` with the same other parameters; start again without one',
    )
  }
  return offset
}

const MOST_OFFSET = 0x7fff_ffff

const digest = (canonical: string, dataVersion: string): string =>
  createHash('sha256').update(`${dataVersion}\n${canonical}`).digest('base64url').slice(0, 16)
