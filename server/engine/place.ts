import type { ClickHouseClient } from '@clickhouse/client'
import type { Shards } from '../../sql/derive/shards.ts'

/** A data version that is being built. */
export interface Place {
  /** Statements about it, whose unqualified names are its tables. */
  readonly client: ClickHouseClient
  /** Where the rows of its institutions are divided. */
  readonly shards?: Shards
  /** Before it is published: all servers that are to have it do, and have it on their disks. */
  complete(): Promise<void>
}

/** Where the databases of data versions are: on one server, or on all of a cluster. */
export interface Places {
  /** Makes the database of a version, with all that another one has. */
  create(database: string, base: string | null): Promise<Place>
  /** Those that are there, on any server that answers. */
  databases(): Promise<string[]>
  /** @param wait for statements that still use it, and until it is gone; else these go on */
  drop(database: string, wait: boolean): Promise<void>
}
