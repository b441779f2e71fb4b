import type { Engine } from './engine.ts'

/** A data version that is served, or was. */
export interface Publication {
  /** `2019Q3-7f3a91c2`: part of every ETag and cache key; `empty-7f3a91c2` while nothing is loaded. */
  dataVersion: string
  database: string
  /** ISO 8601, UTC. */
  publishedAt: string
  /** The latest quarter held, as an ISO date. */
  asOf: string | null
  synthetic: boolean
  codeHash: string
}

/** Longest time for one look at the control database: a network that drops packets must not block a server for hours. */
export const LONGEST_LOOK_MS = 30_000

/** The version that readers see now; null before the first publish. */
export async function currentPublication(engine: Engine): Promise<Publication | null> {
  return (await publications(engine, 1))[0] ?? null
}

/** The newest publications first. A database without control tables has none. @param control another one's name */
export async function publications(
  engine: Engine,
  limit = 1_000_000,
  control?: string,
): Promise<Publication[]> {
  try {
    const result = await engine.loader(control).query({
      query: `SELECT data_version AS dataVersion, database,
                     formatDateTime(published_at, '%Y-%m-%dT%H:%i:%S', 'UTC') || '.' ||
                       leftPad(toString(toUnixTimestamp64Milli(published_at) % 1000), 3, '0') || 'Z' AS publishedAt,
                     as_of AS asOf, synthetic, code_hash AS codeHash
              FROM publications ORDER BY published_at DESC LIMIT {limit:UInt32}`,
      query_params: { limit },
      format: 'JSONEachRow',
      abort_signal: AbortSignal.timeout(LONGEST_LOOK_MS),
    })
    return await result.json<Publication>()
  } catch (error) {
    const { type } = error as { type?: string }
    if (type === 'UNKNOWN_DATABASE' || type === 'UNKNOWN_TABLE') return []
    throw error
  }
}
