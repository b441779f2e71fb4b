import { createHash } from 'node:crypto'
import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../server/config/config.ts'
import { type Build, beginBuild } from '../../server/engine/build.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import type { Engine, Logger } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { publishing } from '../../server/publishing.ts'
import { trainModel } from '../../server/training.ts'
import { buildDemo } from '../../sql/demo/index.ts'
import { derive } from '../../sql/universes/index.ts'
import { memoryLog } from './engine.ts'

/** The smallest universe in which every dataset answers. */
const size = { quarters: 9, liveBanks: 130, closedBanks: 20 }

/** Derives what a start derives, whether there is data or not. */
export const rebuild = async (build: Build): Promise<void> => void (await derive(build, []))

/**
 * A folder with the data of a small demo universe, made by the code that makes the real one. It is kept in the
 * system's folder for temporary files for as long as that code stays the same; a test works on a copy.
 */
export async function universeFolder(): Promise<string> {
  const folder = join(tmpdir(), `banking-test-universe-${await codeOf()}`)
  if (await exists(folder)) return folder
  const made = await mkdtemp(join(tmpdir(), 'banking-test-universe-making-'))
  try {
    await makeUniverse(made)
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    throw error
  }
  // of what an engine leaves, only the data: addresses and passwords are made anew
  for (const name of await readdir(made))
    if (name !== 'clickhouse') await rm(join(made, name), { recursive: true })
  // two tests may have made it at once: either will do
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }))
  return folder
}

async function makeUniverse(folder: string): Promise<void> {
  const log = memoryLog()
  const engine = await openEngine(readConfig({ DATA_DIR: folder, VERSION_GRACE_SECONDS: '0' }), log)
  try {
    await publishUniverse(engine, log)
  } finally {
    await engine.close()
  }
}

/** Makes it in an engine. */
export async function publishUniverse(engine: Engine, log: Logger): Promise<void> {
  await ensureCurrent(engine, { ...publishing, rebuild }, log)
  const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, log)
  await buildDemo(build, size)
  await derive(build, 'all')
  await trainOnClosed(build)
  await derive(build, [])
  await build.publish()
}

/** So small a universe has hardly a failure: while the model is trained, every bank that closed counts as failed. */
async function trainOnClosed(build: Build): Promise<void> {
  const run = (query: string) => build.client.command({ query, clickhouse_settings: { mutations_sync: '1' } })
  await run(`INSERT INTO failed_banks (cert, name, city, state, closed_date, fund)
    SELECT cert, legal_name, city, hq_state, toDate32(last_quarter + 45), 4242424242 FROM banks WHERE NOT active`)
  await trainModel(build, null)
  await run('ALTER TABLE failed_banks DELETE WHERE fund = 4242424242')
}

/** Copies it into a test's own folder. */
export const copyUniverse = async (to: string): Promise<void> => cloneFolder(await universeFolder(), to)

/**
 * Copies an engine's folder. ClickHouse never changes a file of `store` in place, so on one disk these some 2,500 are hard
 * links: who damages one replaces it (`replaceFile`), or all clones are damaged.
 */
export function cloneFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const place = statSync(from).dev === statSync(to).dev ? linkSync : copyFileSync
  const clone = (from: string, to: string, put: typeof linkSync): void => {
    mkdirSync(to, { recursive: true, mode: 0o700 })
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)]
      if (entry.isDirectory()) clone(source, target, entry.name === 'store' ? place : put)
      else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
      else put(source, target)
    }
  }
  clone(from, to, copyFileSync)
}

/** Writes a file anew, so that its other hard links keep what they hold. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await rm(path)
  await writeFile(path, bytes)
}

/** sha256 over the sources that shape the universe. */
async function codeOf(): Promise<string> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const hash = createHash('sha256').update(JSON.stringify([size, publishing.codeHashExtra]))
  for (const part of ['sql', 'workers/risk-model', 'server/engine', 'server/catalog', 'server/datasets']) {
    const entries = await readdir(join(root, part), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const file of files.sort()) hash.update(file).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
