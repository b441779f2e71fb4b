import type { ClickHouseClient } from '@clickhouse/client'

/** What the tables hold of a quarter. */
export interface Quarter {
  filers: number
  /** Newest submission of any filer, `2019-05-15 11:40:07`; '' where none is known. */
  submittedAt: string
  schedules: string[]
}

/** The quarter as it stands in a build; `null` where it has no filers. */
export async function quarterInTables(client: ClickHouseClient, reportDate: string): Promise<Quarter | null> {
  const answer = await client.query({
    query: `SELECT toUInt32(count()) AS filers, ifNull(toString(max(submitted_at), 'UTC'), '') AS submittedAt,
        (SELECT groupUniqArray(schedule) FROM item_descriptions WHERE report_date = {date:Date}) AS schedules
      FROM filers WHERE report_date = {date:Date}`,
    query_params: { date: reportDate },
    format: 'JSONEachRow',
  })
  const [quarter] = await answer.json<Quarter>()
  return quarter && quarter.filers > 0 ? quarter : null
}

/**
 * Why an edition must not replace the one in force without being told to: it was filed earlier, or lacks schedules.
 * `null` where it may.
 */
export function whyNotReplace(old: Quarter, fresh: Quarter): string | null {
  if (fresh.submittedAt < old.submittedAt)
    return `its newest submission is of ${fresh.submittedAt}, that of the edition in force of ${old.submittedAt}`
  const lost = old.schedules.filter((schedule) => !fresh.schedules.includes(schedule)).sort()
  return lost.length > 0 ? `it lacks ${lost.join(', ')}, which the edition in force has` : null
}
