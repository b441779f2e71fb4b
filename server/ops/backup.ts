/** Backup and restore of what is served: ClickHouse's own BACKUP, of the control database and the served version. */
import { takeBuildLock } from '../engine/build-lock.ts'
import type { Engine, Logger } from '../engine/engine.ts'
import { currentPublication, type Publication } from '../engine/versions.ts'

/** A backup that cannot be made or taken back; the message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
  readonly code = 'BACKUP'
}

export interface BackupReport {
  /** The folder below BACKUP_DIR. */
  readonly name: string
  readonly publication: Publication
  readonly files: number
  readonly bytes: number
}

/**
 * Copies the control database and the version that is served into the folder `name` of BACKUP_DIR, while the server
 * runs. Builds wait meanwhile, so that the copy names no version that it does not hold.
 * @throws BackupError, BuildLocked
 */
export async function backUp(engine: Engine, name: string | undefined, log: Logger): Promise<BackupReport> {
  refuseExternal(engine)
  const client = engine.loader()
  const lock = await takeBuildLock(
    client,
    { what: 'a backup', waitSeconds: engine.config.buildWaitSeconds },
    log,
  )
  try {
    const publication = await currentPublication(engine)
    if (!publication) throw new BackupError('Nothing is published yet: there is nothing to back up.')
    const folder = name ?? `${publication.dataVersion}-${stampOf(new Date())}`
    const { clickhouseDatabase: control } = engine.config
    // the lock is of the running processes: taken back it would keep out the next build for a while
    const locks = await lockTables(engine)
    const except = locks.map((table) => `${control}.${table}`).join(', ')
    const done = await run(
      engine,
      `BACKUP DATABASE ${publication.database}, DATABASE ${control} EXCEPT TABLES ${except} TO File({name:String})`,
      folder,
    )
    return { name: folder, publication, ...done }
  } finally {
    await lock.release()
  }
}

/**
 * Brings back what a backup holds, with its data version, into an engine that holds nothing.
 * @throws BackupError where something is published here already
 */
export async function restore(engine: Engine, name: string): Promise<BackupReport> {
  refuseExternal(engine)
  const before = await currentPublication(engine)
  if (before) {
    throw new BackupError(
      `${before.dataVersion} is published in this DATA_DIR: restore into an empty one (end the server, move ` +
        'clickhouse/ of the old one away, and restore before the next start).',
    )
  }
  const done = await run(engine, 'RESTORE ALL FROM File({name:String})', name)
  const publication = await currentPublication(engine)
  if (!publication) throw new BackupError(`${name} holds no publication: it is no backup of this server.`)
  return { name, publication, ...done }
}

function refuseExternal(engine: Engine): void {
  if (engine.config.clickhouseUrl === '') return
  throw new BackupError(
    'CLICKHOUSE_URL is set: its administrator backs it up with BACKUP and RESTORE (docs/operating.md).',
  )
}

async function run(engine: Engine, sql: string, name: string): Promise<{ files: number; bytes: number }> {
  if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) {
    throw new BackupError(`“${name}” cannot name a backup: expected letters, digits, _, - and .`)
  }
  // a database of its own would have to exist: before a restore none does
  const client = engine.loader('default')
  try {
    const result = await client.query({ query: sql, query_params: { name }, format: 'JSONEachRow' })
    const [{ id }] = (await result.json()) as [{ id: string }]
    const state = await client.query({
      query: 'SELECT num_files, total_size, error FROM system.backups WHERE id = {id:String}',
      query_params: { id },
      format: 'JSONEachRow',
    })
    const [row] = await state.json<{ num_files: string; total_size: string; error: string }>()
    return { files: Number(row!.num_files), bytes: Number(row!.total_size) }
  } catch (error) {
    const { type } = error as { type?: string }
    if (type === 'BACKUP_ALREADY_EXISTS') {
      throw new BackupError(`a backup ${name} is there already: give another name.`, { cause: error })
    }
    if (type === 'BACKUP_NOT_FOUND') {
      throw new BackupError(`there is no backup ${name} in BACKUP_DIR.`, { cause: error })
    }
    throw error
  }
}

async function lockTables(engine: Engine): Promise<string[]> {
  const result = await engine.loader().query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'build_lock_')`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

/** `20261121T094500` */
const stampOf = (time: Date): string => time.toISOString().slice(0, 19).replace(/[-:]/g, '')
