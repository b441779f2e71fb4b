import { createHash } from 'node:crypto'
import type { Dataset } from '../catalog/define.ts'
import { InvalidValue } from '../catalog/invalid-value.ts'
import { areKeys } from './order.ts'
import type { Keys, Place } from './place.ts'
import type { SortKey } from './selection.ts'

/** Characters of the keys of one row. Those of longer texts are not kept: the rows since the last that was are skipped. */
const LONGEST_KEYS = 600

/** The place after a page. @param last of its last row */
export function following(
  { passed, keys, skip }: Place,
  { dataset, order, rows, total, last }: Of & { rows: number; total: number; last: Keys },
): Place {
  const length = last.reduce((sum, key) => sum + (key?.length ?? 0), 0)
  const kept = length <= LONGEST_KEYS && areKeys(dataset, order, last)
  return { passed: passed + rows, total, ...(kept ? { keys: last, skip: 0 } : { keys, skip: skip + rows }) }
}

interface Of {
  readonly dataset: Dataset
  readonly order: readonly SortKey[]
}

/** What a cursor belongs to. */
export interface Walk extends Of {
  /** Canonical query with its path. */
  readonly canonical: string
  readonly dataVersion: string
}

/**
 * A cursor is a place in one ordered answer of one data version: the values that order the last row that was given, bound by
 * a digest to them, to the query, its order and the data version. A data version never changes and every order is total, so a
 * walk returns each row once; a cursor from before a publish is refused rather than mixing two versions. The digest has no
 * key: whoever makes one comes to rows of the same answer or to none, and is told a total of his own, so servers need no
 * secret in common.
 */
export function encodeCursor({ passed, total, keys, skip }: Place, walk: Walk): string {
  const numbers = [passed, total ?? 0, skip].map((number) => number.toString(36))
  const told = [...numbers, ...(keys ?? []).map((key) => key ?? ABSENT)].join(SEPARATOR)
  return Buffer.from(`${told}${SEPARATOR}${digest(told, walk)}`).toString('base64url')
}

/**
 * The place of a cursor. Throws InvalidValue for one that is malformed, of another query or of another version, or that
 * begins no page.
 */
export function decodeCursor(cursor: string, walk: Walk): Place {
  if (cursor.length > LONGEST || !/^[\w-]+$/.test(cursor)) throw noCursor()
  const parts = Buffer.from(cursor, 'base64url').toString('latin1').split(SEPARATOR)
  const bound = parts.pop()!
  const [passed, total, skip] = parts
    .slice(0, 3)
    .map((part) => (NUMBER.test(part) ? parseInt(part, 36) : NaN))
  if (!/^[\w-]{16}$/.test(bound) || !(passed! >= 0 && total! >= 0 && skip! >= 0)) throw noCursor()
  if (bound !== digest(parts.join(SEPARATOR), walk)) {
    throw new InvalidValue(
      'the cursor is of another query or an older data version, or was altered',
      'the cursor of `links.next` with the same other parameters; start again without one',
    )
  }
  const keys = parts.length > 3 ? parts.slice(3).map((part) => (part === ABSENT ? null : part)) : undefined
  if (keys && !areKeys(walk.dataset, walk.order, keys)) throw noCursor()
  return { passed: passed!, total: total!, keys, skip: skip! }
}

const noCursor = (): InvalidValue =>
  new InvalidValue('not a cursor of this server', 'the cursor of `links.next`, unchanged')

/** Of no number, date or text in base64url. */
const SEPARATOR = '~'
/** No text in base64url has one character. */
const ABSENT = '-'
const NUMBER = /^[0-9a-z]{1,7}$/
const LONGEST = 2000

const digest = (told: string, { canonical, order, dataVersion }: Walk): string =>
  createHash('sha256')
    .update(JSON.stringify([dataVersion, canonical, order, told]))
    .digest('base64url')
    .slice(0, 16)
