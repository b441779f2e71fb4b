import type { ClickHouseClient } from '@clickhouse/client'
import { LoadError } from '../lib/errors.ts'
import type { Reject } from '../lib/source.ts'
import type { Staging } from './staging.ts'

interface Extent {
  member: string
  rows: number
  last: number
  missing: number
}

const extents = (staging: Staging) => `
SELECT member, rows, last, toUInt32(arrayCount(filer -> filer > last, filers)) AS missing
FROM (SELECT member, toUInt32(count()) AS rows, max(id) AS last FROM ${staging.rows} WHERE id > 0 GROUP BY member) AS members
CROSS JOIN (SELECT groupArray(id) AS filers FROM ${staging.rows} WHERE schedule = 'POR') AS por
ORDER BY member`

// More than these are no odd rows: the POR itself is not whole.
const STRANGERS_ALLOWED = 5
const STRANGERS_SHARE = 0.01

/**
 * A file cut off between two lines looks sound by itself. Every schedule has a row for every filer, in the order of
 * RSSD IDs, so the POR tells where each must end, and the schedules tell where the POR must.
 */
export async function checkComplete(
  client: ClickHouseClient,
  staging: Staging,
  rejects: Reject[],
): Promise<void> {
  const answer = await client.query({ query: extents(staging), format: 'JSONEachRow' })
  for (const { member, rows, last, missing } of await answer.json<Extent>()) {
    if (missing > 0)
      throw new LoadError(
        `${member}: is cut off: it ends with RSSD ID ${last}, and the POR has ${missing} filers after that`,
      )
    const strangers = rejects.filter(
      (reject) => reject.member === member && reject.reason.endsWith('is not in the POR'),
    )
    if (strangers.length > Math.max(STRANGERS_ALLOWED, rows * STRANGERS_SHARE))
      throw new LoadError(
        `${member}: ${strangers.length} of its ${rows} rows are of institutions that the POR does not have: is the POR whole?`,
      )
  }
}
