import type { ClickHouseClient } from '@clickhouse/client'

/** The rows of a query, each an object by the names of its columns; 64-bit integers are text. @param seconds to wait for them */
export async function rowsOf<T>(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
  { seconds }: { seconds?: number } = {},
): Promise<T[]> {
  const within = seconds && { abort_signal: AbortSignal.timeout(seconds * 1000) }
  return (await client.query({ query, query_params, format: 'JSONEachRow', ...within })).json<T>()
}
