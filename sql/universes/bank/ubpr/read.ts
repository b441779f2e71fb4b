import type { ClickHouseClient } from '@clickhouse/client'
import { assemble, type Guide, type GuideRow } from './guide.ts'

/** What the editions in `ubpr_guide` say together. */
export async function assembleLoaded(client: ClickHouseClient): Promise<Guide> {
  const answer = await client.query({
    query: 'SELECT * FROM ubpr_guide',
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  return assemble(await answer.json<GuideRow>())
}
