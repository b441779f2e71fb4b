import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'

/** How to reach a ClickHouse, as both of its users. */
export interface Address {
  url: string
  reader: User
  loader: User
}

export interface User {
  name: string
  password: string
}

/** What `engine.json` tells the other processes of a data folder. */
export interface EngineFile extends Address {
  /** Of the engine itself, not of the process that started it. */
  pid: number
  /** The only folder that it writes backups to and reads them from. */
  backups?: string
}

/** Where the embedded engine keeps what. */
export function enginePaths(config: Config) {
  const root = resolve(config.dataDir)
  const folder = join(root, 'engine')
  return {
    root,
    folder,
    data: join(root, 'clickhouse'),
    backups: resolve(config.backupDir || join(root, 'backups')),
    address: join(root, 'engine.json'),
    lock: join(folder, 'lock'),
    config: join(folder, 'config.xml'),
    users: join(folder, 'users.xml'),
    log: join(folder, 'clickhouse.log'),
  }
}

/** The engine that was last started on this folder, which may have ended since; null where there is none. */
export async function readEngineFile(path: string): Promise<EngineFile | null> {
  try {
    const file = JSON.parse(await readFile(path, 'utf8')) as Partial<EngineFile>
    return file.url && file.reader && file.loader && file.pid ? (file as EngineFile) : null
  } catch {
    return null
  }
}

/** Replaces the file in one step, so that no reader sees half of it. */
export async function writeEngineFile(path: string, file: EngineFile): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  await rename(temporary, path)
}

/** Headers of ClickHouse's HTTP interface that log a user in; they keep passwords out of URLs and logs. */
export function credentials(user: User): Record<string, string> {
  return { 'x-clickhouse-user': user.name, 'x-clickhouse-key': user.password }
}
