/** Stands for the packing method of a document that lies by itself. */
export const LOOSE_FILE = 255

/** What makes the records of the documents of one table: `loaders/hooks/` exports one by the name that its form says. */
export interface DocumentReader {
  /** What such a document is, for messages. */
  readonly expected: string
  readonly header: readonly string[]
  /** Nothing behind this text is wanted: it is not unpacked, and what stands before it is read as the whole object. */
  readonly until?: string
  /** Whether the document is wanted, by a kilobyte or more of its beginning. */
  wants?(beginning: string): boolean
  /** The fields of its records, as the header has them. @throws where it is no such document */
  records(
    document: unknown,
    of: { readonly name: string; readonly number: number },
  ): Iterable<readonly string[]>
}
