import type { ClickHouseClient } from '@clickhouse/client'
import type { Test } from 'tap'
import { type Build, beginBuild } from '../../server/engine/build.ts'
import { type DeriveReport, derive } from '../../sql/universes/index.ts'
import { sqlFolder, testEngine } from '../helpers/engine.ts'

/** What an invented bank files in one quarter, by MDRM item. */
export type Items = Readonly<Record<string, number>>

export interface World {
  client: ClickHouseClient
  /** Files (or files again) for one bank and quarter. */
  file(rssdId: number, quarter: string, items: Items, identity?: Record<string, unknown>): Promise<void>
  insert(table: string, values: object[]): Promise<void>
  derive(changed: 'all' | string[]): Promise<DeriveReport>
  rows<T = Record<string, number | null>>(query: string): Promise<T[]>
}

/** A version database of the real engine that nobody serves, for filings of invented banks. */
export async function world(t: Test): Promise<World> {
  const { engine, log } = await testEngine(t)
  const build: Build = await beginBuild(engine, { synthetic: false, sqlFolder: await sqlFolder(t) }, log)
  const { client } = build
  t.teardown(() => build.discard())
  const filed = new Set<string>()
  const insert = (table: string, values: object[]) =>
    client.insert({ table, values, format: 'JSONEachRow' }).then(() => {})
  return {
    client,
    insert,
    async file(rssd_id, report_date, items, identity = {}) {
      const again = filed.has(`${rssd_id} ${report_date}`)
      filed.add(`${rssd_id} ${report_date}`)
      for (const table of again ? ['filers', 'call_report_items'] : []) {
        await client.command({
          query: `ALTER TABLE ${table} DELETE WHERE rssd_id = ${rssd_id} AND report_date = '${report_date}'`,
          clickhouse_settings: { mutations_sync: '1' },
        })
      }
      const filer = {
        cert: rssd_id,
        legal_name: `Bank ${rssd_id}`,
        address: '',
        city: 'Here',
        state: 'GA',
        zip: '',
      }
      await insert('filers', [{ report_date, rssd_id, form: '041', ...filer, ...identity }])
      await insert(
        'call_report_items',
        Object.entries(items).map(([mdrm, value]) => ({ report_date, rssd_id, mdrm, schedule: 'X', value })),
      )
    },
    derive: (changed) => derive(build, changed),
    async rows<T>(query: string) {
      return (await client.query({ query, format: 'JSONEachRow' })).json<T>()
    },
  }
}
