import type { ClickHouseClient } from '@clickhouse/client'
import type { Engine } from './engine.ts'
import { migrate, readMigrations } from './migrate.ts'

/** Makes the control database, or brings it up to date. @throws MigrationError */
export async function prepareControl(engine: Engine, sqlFolder?: string): Promise<void> {
  await prepareControlOn((database) => engine.loader(database), engine.config.clickhouseDatabase, sqlFolder)
}

/** The same on any server. @param loader its clients, by default of the control database */
export async function prepareControlOn(
  loader: (database?: string) => ClickHouseClient,
  name: string,
  sqlFolder?: string,
): Promise<void> {
  await loader('default').command({ query: `CREATE DATABASE IF NOT EXISTS ${name}` })
  await migrate(loader(), await readMigrations('control', sqlFolder))
}
