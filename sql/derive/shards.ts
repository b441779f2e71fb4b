/** The name of a table with the rows of all institutions, wherever they lie. */
export type Whole = (table: string) => string

/** Where all rows lie on one server. */
export const together: Whole = (table) => table

/** Servers between which the rows of institutions are divided, by the institution's number. */
export interface Shards {
  /** Runs a statement on each of them, over the rows that it has. */
  each(
    query: string,
    query_params: Record<string, unknown>,
    settings: Readonly<Record<string, string | number>>,
  ): Promise<void>
  /** In such a statement, the name of a table with the rows of all. */
  whole: Whole
}

/** What a version's database is called in which a shard keeps its rows, beside the version's own. */
export const shardDatabase = (database: string): string => `${database}${SUFFIX}`
const SUFFIX = '_shard'

/** SQL of both databases of a version, of which the second is there in a cluster alone. @param database SQL of the first */
export const databasesSql = (database = 'currentDatabase()'): string =>
  `(${database}, concat(${database}, '${SUFFIX}'))`
