import { join } from 'node:path'
import type { WireRequest } from '../load/connection.ts'
import type { Format, Question } from '../question.ts'
import type { Table } from './columns.ts'

/** A row of an answer as everybody can say it: what numbers, texts and nulls stand under which names. */
export type Row = Readonly<Record<string, unknown>>

/** A server that takes part. */
export interface Contestant {
  /** Short, as in results. */
  readonly name: string
  readonly title: string
  readonly origin: string
  /** Its processes: what they and their children use is counted. */
  readonly pids: readonly number[]
  /** Whether it may keep answers, so that what was seen before is another matter. */
  readonly keeps: boolean
  /** Reads its files once, so that the system has them in memory, as it has those that were just asked about. */
  readFiles?(): Promise<void>
  /** How to ask; null where it has no such answer in that format. */
  ask(question: Question, format: Format, workload: string): WireRequest | null
  /** The rows of a JSON answer, in any of the shapes that `answers.ts` knows. */
  rows(question: Question, body: string): Row[]
  close(): Promise<void>
}

/** What all peers are filled with: this server's own export of one data version. */
export interface Filling {
  /** A folder for the stores of peers that hold this data version. */
  readonly folder: string
  /**
   * `latest` has every bank of the latest quarter with every metric, `history` every bank and quarter with a hundred; those of
   * families are there where they are asked about.
   */
  readonly tables: readonly Table[]
}

/** A table's rows as Parquet: what was exported, of families as the plain engine writes it. */
export const parquetOf = ({ folder }: Filling, table: Table): string => join(folder, `${table}.parquet`)

/** Why a peer does not take part, in words for the one who runs the bench. */
export class Missing extends Error {
  override name = 'Missing'
}
