import { createHash } from 'node:crypto'

/** sha256 of a value's JSON, as hex digits: changes when anything in the value does. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')
