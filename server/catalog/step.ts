/** SQL of a declaration, and the work that it may ask for before its SELECT. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import type { Publication } from '../engine/publications.ts'
import type { Fetches } from '../fetches.ts'
import type { EntityKind } from './parameters.ts'
import type { Scope } from './scope.ts'

export type Sql = string | ((scope: Scope) => string)

/** Work before the SELECT; what it returns is bound by name. */
export type Step = {
  readonly when?: (scope: Scope) => boolean
  /** Names of the results, with the ClickHouse type of each: `{ peer_ids: 'Array(UInt32)' }`. */
  readonly binds: Readonly<Record<string, string>>
} & (TaskStep | FetchesStep | ClientStep | NeedStep)

/**
 * Work that is neither SQL nor I/O: the rows of `read` go to a worker's task as one buffer of JSONCompactColumns (an
 * array a column).
 */
export interface TaskStep {
  readonly read: Sql
  /** Name of a task in `workers/`. */
  readonly task: string
}

/** What must be there for the answer to make sense: where the SELECT has no row, the answer is a 404 with the reason. */
export interface NeedStep {
  readonly needs: Sql
  readonly otherwise: string
}

/** What is known of asking the sources: it changes without a publish, and the dataset's answers with it. */
export interface FetchesStep {
  readonly fetches: (known: Fetches) => Record<string, unknown>
}

/**
 * What is kept of one client in the control database: for datasets of the scope `client` alone. A change must be such that
 * a repeat changes nothing more, as whoever carries a request may send it twice.
 */
export interface ClientStep {
  readonly client: (
    asking: AskingClient,
    values: Readonly<Record<string, unknown>>,
  ) => Promise<Record<string, unknown>>
}

/** Who asks, in a dataset of the scope `client`. */
export interface Asking {
  readonly keyId: string
  /** Whether the request is one that may change something: not for headers alone, conditional, a part, or a prefetch. */
  readonly mayChange: boolean
  /** The server's address as the request has it, for links that must be whole. No cache keeps what has it. */
  readonly origin: string
}

/** The same with what its steps work on. */
export interface AskingClient extends Asking {
  readonly control: ClickHouseClient
  /** Whether any source that is loaded knows an institution. */
  readonly knows: (kind: EntityKind, id: number) => boolean
  readonly config: Config
  /** The data version that the request sees. */
  readonly publication: Publication
}
