import type { Form, Table } from '../../sql/sources/declare.ts'

/** Members of an archive, a column of each thing, as a million objects would take a gigabyte. */
export interface Documents {
  path: string
  names: string[]
  /** Numbers of whom they tell, 0 where the name tells none. */
  numbers: Float64Array
  starts: Float64Array
  packed: Uint32Array
  sizes: Uint32Array
  sums: Uint32Array
  methods: Uint8Array
}

/** A file, or a member of an archive, of one table. */
export interface Part {
  table: Table
  form: Form
  name: string
  /** For messages: a path, or `archive.zip: member`. */
  place: string
  bytes: number
  /** Of a history, the newest day that either end of the file names: good enough to order editions by. */
  newest: string
  /** Of a file that lies on disk by itself: what it was when it was found. */
  sha256?: () => Promise<string>
  /** Which documents it is, where it is many. */
  documents?: Documents
  /** Places of the small documents that are read as one file. */
  bundle?: readonly string[]
}
