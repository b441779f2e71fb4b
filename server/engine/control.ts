import type { Engine } from './engine.ts'
import { migrate, readMigrations } from './migrate.ts'

/** Makes the control database, or brings it up to date. @throws MigrationError */
export async function prepareControl(engine: Engine, sqlFolder?: string): Promise<void> {
  const { clickhouseDatabase } = engine.config
  await engine.loader('default').command({ query: `CREATE DATABASE IF NOT EXISTS ${clickhouseDatabase}` })
  await migrate(engine.loader(), await readMigrations('control', sqlFolder))
}
