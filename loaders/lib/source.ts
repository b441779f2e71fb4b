import type { ClickHouseClient } from '@clickhouse/client'
import type { FetchDeclaration } from '../../sql/sources/fetch.ts'
import type { Progress } from './progress.ts'

/** One agency file, on disk or inside an archive, that can be read as often as needed. */
export interface InputFile {
  /** Name without folders, as the agency gave it. */
  name: string
  /** Where it lies, for messages: a path, or `archive.zip: member`. */
  place: string
  bytes: number
}

/**
 * The unit of loading: what replaces, and is replaced, as a whole (a quarter of Call Reports, one edition of a
 * list). Either all of an edition is published or nothing of it.
 */
export interface Edition {
  /** For messages and the manifest: the name of the zip, file or folder that it came from. */
  name: string
  /** ISO date of the report, where the name alone tells; `null` where only the content does. */
  reportDate: string | null
  /** Sum of the sizes on disk. */
  bytes: number
  /** Bytes that will be read, unpacked: what progress counts. */
  volume: number
  /** SHA-256 of the file as it lies on disk; `null` for a folder, whose content alone has one. */
  sha256(): Promise<string | null>
}

/** A path given by the user that cannot be loaded, and why. */
export interface Unloadable {
  name: string
  reason: string
}

export interface Discovery<E extends Edition = Edition> {
  editions: E[]
  refused: Unloadable[]
  /** Files in a given folder that are none of this source's, and were left alone. */
  ignored: string[]
}

/** A row of `load_files`: an edition that was loaded. */
export interface ManifestEntry {
  name: string
  sha256: string
  content_sha256: string
  report_date: string | null
  part: string
  loaded_at: string
  rows_kept: number
}

/** What a load may touch: the tables of a build that nobody sees until it is published. */
export interface LoadContext {
  client: ClickHouseClient
  /** Replace an edition in force by an older or smaller one. */
  force: boolean
  /** Take an edition that lacks parts. */
  partial?: boolean
  progress: Progress
  /** What the manifest of this build has in force for a report date, of the source being loaded. */
  inForce(reportDate: string | null): Promise<ManifestEntry | null>
}

export interface Reject {
  member: string
  line: number
  reason: string
  text: string
}

export interface Loaded {
  status: 'loaded'
  reportDate: string | null
  /** Identifies the content however it was packed. */
  contentSha256: string
  rowsRead: number
  rowsKept: number
  rejects: Reject[]
  /** Facts the user should hear of, a sentence each. */
  notes: string[]
  /** Quarters whose derived figures depend on what was loaded. */
  changed: string[]
  /** What of the source it is, where an edition is not the whole of a report date. */
  part?: string
  /**
   * Which edition it replaces in the manifest: left out, that of the same report date; `part`, that of the same part;
   * `nothing`, none, as editions add up.
   */
  replaces?: 'part' | 'nothing'
}

/** The same content is in force already; nothing was touched. */
export interface AlreadyThere {
  status: 'already-there'
  reportDate: string | null
}

/** The declaration of a source. The server's reference datasets are made of the same fields. */
export interface Source<E extends Edition = Edition> {
  key: string
  name: string
  publisher: string
  licence: string
  /** Where the publisher offers the files. */
  address: string
  /** One sentence: what it holds and how often it appears. */
  what: string
  /** The files that belong to this source among the given paths. */
  discover(paths: string[], progress: Progress): Promise<Discovery<E>>
  /** Where its files are fetched from; without it, files must be given. */
  fetch?: FetchDeclaration
  /** What to do when no files were given and nothing can be fetched. */
  howToGet?: string
  /**
   * Editions of different report dates that may be loaded at a time; 1 where left out. Each must keep to its own
   * partitions and scratch tables.
   */
  atOnce?: number
  /** Whether an edition may be taken that lacks parts: the command's `--partial`. */
  takesPartial?: boolean
  /** Loads one edition. Throws `LoadError` and leaves the tables as they were if it is not sound. */
  load(edition: E, context: LoadContext): Promise<Loaded | AlreadyThere>
}

/** Keeps the type of a source's own editions inside its declaration. */
export function source<E extends Edition>(declaration: Source<E>): Source<E> {
  return declaration
}
