import type { ClickHouseClient } from '@clickhouse/client'

/** Names of the scratch tables of one quarter: several quarters are loaded at once. */
export interface Staging {
  /** Whole members as they are, one row each, until their quarter is in the tables. */
  members: string
  /** One row a line of the members: whose it is and how many cells it has, for the checks. */
  rows: string
  /** How each member is to be read. */
  layouts: string
}

/** @param reportDate ISO date of the quarter, which nothing else is loading in the same build */
export function stagingOf(reportDate: string): Staging {
  const name = `staging_call_report_${reportDate.replaceAll('-', '')}`
  return { members: name, rows: `${name}_rows`, layouts: `${name}_layouts` }
}

export async function dropStaging(client: ClickHouseClient, staging: Staging): Promise<void> {
  for (const table of Object.values(staging)) {
    await client.command({ query: `DROP TABLE IF EXISTS ${table} SYNC` })
  }
}
