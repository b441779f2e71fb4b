import type { ClickHouseClient } from '@clickhouse/client'
import type { Test } from 'tap'
import { beginBuild } from '../../server/engine/build.ts'
import { buildDemo, type DemoOptions, type DemoReport } from '../../sql/demo/index.ts'
import { memoryLog, testEngine } from '../helpers/engine.ts'

/** A demo universe in a build of its own engine, and a way to ask it. */
export interface Universe {
  client: ClickHouseClient
  report: DemoReport
  rows<T = Record<string, number>>(query: string): Promise<T[]>
}

/** Builds universes one after another in one engine; nothing is published. */
export async function universes(t: Test, ...options: DemoOptions[]): Promise<Universe[]> {
  const { engine } = await testEngine(t)
  const made: Universe[] = []
  for (const option of options) {
    const build = await beginBuild(engine, { synthetic: true }, memoryLog())
    const report = await buildDemo(build, option)
    // Moved out of the build, which is dropped so that the next one can begin.
    const kept = `demo_kept_${made.length}`
    const control = engine.loader()
    await control.command({ query: `CREATE DATABASE ${kept}` })
    for (const table of [
      'filers',
      'call_report_items',
      'item_descriptions',
      'fdic_institutions',
      'load_files',
      'load_rejects',
    ]) {
      await control.command({ query: `RENAME TABLE ${build.database}.${table} TO ${kept}.${table}` })
    }
    await build.discard()
    const client = engine.loader(kept)
    made.push({
      client,
      report,
      async rows<T>(query: string) {
        return (
          await client.query({
            query,
            format: 'JSONEachRow',
            clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
          })
        ).json<T>()
      },
    })
  }
  return made
}

/** One row a filing with its items in a map, for arithmetic by code: `m['RIAD4340']`. */
export const filings = `
  SELECT f.report_date AS report_date, f.rssd_id AS rssd_id, f.form AS form, i.m AS m
  FROM filers AS f
  INNER JOIN (
    SELECT report_date, rssd_id, CAST((groupArray(mdrm), groupArray(assumeNotNull(value))), 'Map(String, Float64)') AS m
    FROM (SELECT DISTINCT report_date, rssd_id, mdrm, value FROM call_report_items)
    GROUP BY report_date, rssd_id
  ) AS i ON i.report_date = f.report_date AND i.rssd_id = f.rssd_id`

/** RCFD on form 031, RCON on the others. */
export const consolidated = (code: string) => `if(form = '031', m['RCFD${code}'], m['RCON${code}'])`
