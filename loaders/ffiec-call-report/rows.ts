import type { ClickHouseClient } from '@clickhouse/client'
import type { Layout } from './layout.ts'
import type { Staging } from './staging.ts'

const fill = (staging: Staging) => `
INSERT INTO ${staging.rows}
SELECT member, schedule, line, width, countSubstrings(text, '\\t') + 1, toUInt32OrZero(id_text) AS id, id_text,
  sipHash64(text)
FROM (
  SELECT member, schedule, width, arrayJoin(arraySlice(arrayZip(texts, arrayEnumerate(texts)),
      first_row, length(texts) - first_row)) AS entry,
    entry.1 AS text, entry.2 AS line, substring(text, 1, position(text, '\\t') - 1) AS id_text
  FROM (SELECT member, schedule, splitByString('\\r\\n', bytes) AS texts FROM ${staging.members}) AS staged
  ANY INNER JOIN (
    SELECT one.1 AS member, one.2 AS width, one.3 AS first_row
    FROM (SELECT arrayJoin(arrayZip({members:Array(String)}, {widths:Array(UInt32)}, {first_rows:Array(UInt32)})) AS one)
  ) AS layout USING member
)`

/** Lists the rows of all staged members, below their headings. */
export async function stageRows(
  client: ClickHouseClient,
  staging: Staging,
  layouts: Layout[],
): Promise<void> {
  await client.command({
    query: `CREATE TABLE ${staging.rows} (member LowCardinality(String), schedule LowCardinality(String), line UInt32,
      width UInt32, found UInt32, id UInt32, id_text String, content UInt64) ENGINE = Memory`,
  })
  await client.command({
    query: fill(staging),
    query_params: {
      members: layouts.map((layout) => layout.member),
      widths: layouts.map((layout) => layout.width),
      first_rows: layouts.map((layout) => layout.firstRow),
    },
  })
}
