import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { type Config, readConfig } from '../../server/config/config.ts'
import type { Engine, Logger } from '../../server/engine/engine.ts'
import { SQL_FOLDER } from '../../server/engine/migrate.ts'
import { openEngine } from '../../server/engine/open.ts'

/** A busy machine is slow: what a test does in the process of its server counts as a delay, and its queries wait. */
export const unhurried = { MAX_EVENT_LOOP_DELAY_MS: '0', MAX_WAIT_MS: '60000' } as const

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  details: object
  message?: string
}

/** A logger whose lines a test can look at. */
export function memoryLog(): Logger & { lines: LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: LogLine['level']) => (details: object, message?: string) => {
    lines.push(message === undefined ? { level, details } : { level, details, message })
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** A folder of this test alone, gone when it ends. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'banking-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/**
 * A real engine in a temporary folder, closed when the test ends.
 * @param env further settings
 */
export async function testEngine(
  t: Test,
  env: Record<string, string> = {},
): Promise<{ engine: Engine; config: Config; log: ReturnType<typeof memoryLog> }> {
  const config = readConfig({
    ...{ DATA_DIR: await temporaryFolder(t), VERSION_GRACE_SECONDS: '0', ...unhurried },
    ...env,
  })
  const log = memoryLog()
  const engine = await openEngine(config, log)
  t.teardown(() => engine.close())
  return { engine, config, log }
}

/**
 * A copy of the project's migrations with a test's own views and further files.
 * @param files path below the folder, such as `views/banks/a.sql`, and text
 */
export async function sqlFolder(t: Test, files: Record<string, string> = {}): Promise<string> {
  const folder = await temporaryFolder(t)
  await cp(join(SQL_FOLDER, 'schema'), join(folder, 'schema'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}
