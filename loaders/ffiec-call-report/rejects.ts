import type { ClickHouseClient } from '@clickhouse/client'
import type { Reject } from '../lib/source.ts'
import type { Staging } from './staging.ts'

const REJECTED_TEXT = 200

/*
 * A row is refused when it cannot be told whose it is or which item a cell belongs to:
 *  - another number of cells than its header (a tab inside a text would shift the rest)
 *  - an id that is no RSSD ID
 *  - a second row of one institution: the same again is left out; if they differ, none is the right one
 *  - a schedule row of an institution that the POR does not know: without identity it would count
 *    in sums and stand in no list
 */
const faulty = (staging: Staging) => `
WITH filers AS (SELECT id FROM ${staging.rows} WHERE schedule = 'POR' AND found = width),
twice AS (
  SELECT member, id, min(line) AS first_line, min(content) != max(content) AS differ FROM ${staging.rows}
  WHERE id > 0 AND found = width GROUP BY member, id HAVING count() > 1
)
SELECT member, line, multiIf(
    found != width, concat('has ', toString(found), ' cells, its header ', toString(width)),
    id = 0, concat('"', substring(id_text, 1, 40), '" is no RSSD ID'),
    differ, concat('RSSD ID ', toString(id), ' has several rows that differ'),
    first_line > 0, concat('repeats line ', toString(first_line)),
    concat('RSSD ID ', toString(id), ' is not in the POR')) AS reason
FROM ${staging.rows} LEFT JOIN twice USING (member, id)
WHERE found != width OR id = 0 OR differ OR (first_line > 0 AND line != first_line) OR id NOT IN (filers)
ORDER BY member, line`

const texts = (staging: Staging) => `
SELECT member, line, substring(text, 1, ${REJECTED_TEXT}) AS text
FROM (
  SELECT member, arrayJoin({lines:Array(UInt32)}) AS line, splitByString('\\r\\n', bytes)[line] AS text
  FROM ${staging.members} WHERE member = {member:String}
)`

/** The listed rows of the staged members that cannot be kept, with line, reason and the beginning of their text. */
export async function findRejects(client: ClickHouseClient, staging: Staging): Promise<Reject[]> {
  const answer = await client.query({
    query: faulty(staging),
    format: 'JSONEachRow',
  })
  const rejects = (await answer.json<Reject>()).map((reject) => ({ ...reject, text: '' }))
  for (const member of new Set(rejects.map((reject) => reject.member))) {
    await addTexts(
      client,
      staging,
      member,
      rejects.filter((reject) => reject.member === member),
    )
  }
  return rejects
}

async function addTexts(
  client: ClickHouseClient,
  staging: Staging,
  member: string,
  rejects: Reject[],
): Promise<void> {
  const answer = await client.query({
    query: texts(staging),
    query_params: { member, lines: rejects.map((reject) => reject.line) },
    format: 'JSONEachRow',
  })
  const found = new Map((await answer.json<Reject>()).map((row) => [Number(row.line), row.text]))
  for (const reject of rejects) reject.text = found.get(reject.line) ?? ''
}
