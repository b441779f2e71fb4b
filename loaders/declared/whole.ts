import type { Reject } from '../lib/source.ts'

/** A file: its name without folders, and the words for it in messages. */
export interface Named {
  name: string
  place: string
}

/** A document that is read as a whole, in a thread, by one of `loaders/hooks/` or as JSON. */
export interface WholeDocument extends Named {
  bytes: Uint8Array
  /** Which table it is read for, where its files are of several. */
  table?: string
}

/** What is made of one. */
export interface WholeReading {
  header: string[]
  /** The fields of each, as `recordOf` joins them. */
  records: string[]
  /** The line of each, where they are not the document's records one by one. */
  lines?: number[]
  /** What was found wrong; rows that are kept may be among it. */
  rejects?: Omit<Reject, 'member'>[]
}

/** Stands between the fields of a record. No agency's text has it. */
export const UNIT_SEPARATOR = '\u001f'

export const recordOf = (fields: readonly string[]): string =>
  fields.map((field) => field.replaceAll(UNIT_SEPARATOR, ' ')).join(UNIT_SEPARATOR)

/** Stands before each of several documents that are read at a time, with its place and a line end behind it. No XML has it. */
export const DOCUMENT_SEPARATOR = '\u001c'
