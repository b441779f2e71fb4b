import { createHash } from 'node:crypto'
import { InvalidValue } from '../catalog/invalid-value.ts'

/**
 * A cursor is a place in one ordered answer of one data version: an offset, bound by a digest to the canonical
 * query and the data version. A data version never changes and every order is total, so a walk returns each row
 * once; a cursor from before a publish is refused rather than mixing two versions. It is not signed: whoever makes one
 * comes to a page of the same walk or to an empty one, so servers need no secret in common.
 */
export function encodeCursor(offset: number, canonical: string, dataVersion: string): string {
  return Buffer.from(`${offset.toString(36)}.${digest(canonical, dataVersion)}`).toString('base64url')
}

/**
 * The offset of a cursor. Throws InvalidValue for one that is malformed, of another query or of another version, or that
 * begins no page. @param limit rows of a page; undefined where the answer has no pages
 */
export function decodeCursor(
  cursor: string,
  canonical: string,
  dataVersion: string,
  limit: number | undefined,
): number {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [place, bound] = text.split('.', 2)
  const offset = Number.parseInt(place ?? '', 36)
  const wellFormed =
    /^[0-9a-z]{1,8}\.[\w-]{16}$/.test(text) && Number.isSafeInteger(offset) && offset <= MOST_OFFSET
  if (!wellFormed) throw noCursor()
  if (bound !== digest(canonical, dataVersion)) {
    throw new InvalidValue(
      'the cursor is of another query or an older data version',
      'the cursor of `links.next` with the same other parameters; start again without one',
    )
  }
  if (limit === undefined || offset % limit !== 0) throw noCursor()
  return offset
}

const noCursor = (): InvalidValue =>
  new InvalidValue('not a cursor of this server', 'the cursor of `links.next`, unchanged')

const MOST_OFFSET = 0x7fff_ffff

const digest = (canonical: string, dataVersion: string): string =>
  createHash('sha256').update(`${dataVersion}\n${canonical}`).digest('base64url').slice(0, 16)
