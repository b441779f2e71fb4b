import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishing } from '../../loaders/lib/publishing.ts'
import { readConfig } from '../../server/config.ts'
import { ensureCurrent } from '../../server/engine/current.ts'
import { openEngine } from '../../server/engine/engine.ts'
import { type Build, beginBuild } from '../../server/engine/versions.ts'
import { buildDemo } from '../../sql/demo/index.ts'
import { derive } from '../../sql/derive/index.ts'
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
    await ensureCurrent(engine, { ...publishing, rebuild }, log)
    const build = await beginBuild(engine, { synthetic: true, what: 'a test', ...publishing }, log)
    await buildDemo(build, size)
    await derive(build, 'all')
    await build.publish()
  } finally {
    await engine.close()
  }
}

/** Copies it into a test's own folder. */
export const copyUniverse = async (to: string): Promise<void> =>
  cp(await universeFolder(), to, { recursive: true })

/** sha256 over the sources that shape the universe. */
async function codeOf(): Promise<string> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const hash = createHash('sha256').update(JSON.stringify([size, publishing.codeHashExtra]))
  for (const part of ['sql', 'server/engine', 'server/datasets']) {
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
