import type { ClickHouseClient } from '@clickhouse/client'
import { LoadError } from '../lib/errors.ts'
import type { Layout } from './layout.ts'
import { POR_COLUMNS } from './layout.ts'
import type { Quarter } from './quarter.ts'
import type { Staging } from './staging.ts'

const SUBMITTED = POR_COLUMNS.at(-1)!

/** What the staged members will make of the quarter, before anything in the tables is touched. */
export async function stagedQuarter(
  client: ClickHouseClient,
  staging: Staging,
  layouts: Layout[],
): Promise<Quarter> {
  const por = layouts.find((layout) => layout.schedule === 'POR')!
  const answer = await client.query({
    query: `SELECT ifNull(toString(max(parseDateTimeBestEffortOrNull(
          splitByChar('\\t', line)[{column:UInt32}], 'UTC')), 'UTC'), '') AS submittedAt
      FROM (SELECT arrayJoin(arraySlice(splitByString('\\r\\n', bytes), 2)) AS line FROM ${staging.members} WHERE schedule = 'POR')`,
    query_params: { column: por.codes.indexOf(SUBMITTED) + 1 },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ submittedAt: string }>()
  const schedules = layouts.map((layout) => layout.schedule).filter((schedule) => schedule !== 'POR')
  return { filers: por.rows, submittedAt: row!.submittedAt, schedules: [...new Set(schedules)] }
}

/**
 * Holds the content against the report date of the file names: schedule ENT gives each filer's report date
 * (item 9999), and nobody files before the quarter ends.
 */
export async function checkReportDate(
  client: ClickHouseClient,
  staging: Staging,
  reportDate: string,
  layouts: Layout[],
  staged: Quarter,
): Promise<void> {
  if (staged.submittedAt !== '' && staged.submittedAt < reportDate)
    throw new LoadError(`the names say ${reportDate}, but the newest submission is of ${staged.submittedAt}`)
  for (const { member, codes, firstRow } of layouts) {
    const column = codes.findIndex((code) => /^RC[A-Z]{2}9999$/.test(code))
    if (column < 0) continue
    const answer = await client.query({
      query: `SELECT splitByChar('\\t', line)[{column:UInt32}] AS date, toUInt32(count()) AS rows
        FROM (SELECT arrayJoin(arraySlice(splitByString('\\r\\n', bytes), {first:UInt32})) AS line
          FROM ${staging.members} WHERE member = {member:String})
        WHERE date != '' GROUP BY date ORDER BY rows DESC`,
      query_params: { column: column + 1, first: firstRow, member },
      format: 'JSONEachRow',
    })
    const dates = await answer.json<{ date: string; rows: number }>()
    const [most] = dates
    if (most && most.date !== reportDate.replaceAll('-', ''))
      throw new LoadError(
        `${member}: the name says ${reportDate}, but ${most.rows} filers report as of ${most.date} (${codes[column]})`,
      )
  }
}
