/** Backup and restore of what is served: ClickHouse's own BACKUP, of the control database and the served version. */
import { join } from 'node:path'
import { readKeys } from '../access/key-store.ts'
import { enginePaths, readEngineFile } from '../engine/address.ts'
import { makeDurable, versionDatabaseName } from '../engine/build.ts'
import { type BuildLock, BuildLockLost, takeBuildLock } from '../engine/build-lock.ts'
import { prepareControl } from '../engine/control.ts'
import { assertNoLostPublications, assertVersionIntact, markPublished } from '../engine/damage.ts'
import type { Engine, Logger } from '../engine/engine.ts'
import { currentPublication, type Publication } from '../engine/publications.ts'
import { BackupError, dropCopy, readCopy, runBackup } from './backup-copy.ts'
import { writeSums } from './backup-sums.ts'

export { BackupError } from './backup-copy.ts'

export interface BackupReport {
  /** The folder below BACKUP_DIR. */
  readonly name: string
  /** Where it is. */
  readonly path: string
  readonly publication: Publication
  readonly files: number
  readonly bytes: number
}

export interface RestoreReport extends BackupReport {
  /** Keys in force of which it is not known here whether they were revoked after the backup was made. */
  readonly keysOfBackup: number
}

/**
 * Copies the control database and the version that is served into the folder `name` of BACKUP_DIR, while the server
 * runs. Builds wait meanwhile, so that the copy names no version that it does not hold.
 * @throws BackupError, BuildLocked; DataDamaged where what is served is not whole
 */
export async function backUp(engine: Engine, name: string | undefined, log: Logger): Promise<BackupReport> {
  const backups = await folderOf(engine)
  await prepareControl(engine)
  return withLock(engine, 'a backup', log, async () => {
    await assertNoLostPublications(engine)
    const publication = await currentPublication(engine)
    if (!publication) throw new BackupError('Nothing is published yet: there is nothing to back up.')
    await assertVersionIntact(engine, publication)
    const folder = name ?? `${publication.dataVersion}-${stampOf(new Date())}`
    const { clickhouseDatabase: control } = engine.config
    // the lock is of the running processes: taken back it would keep out the next build for a while
    const locks = await lockTables(engine)
    const except = locks.map((table) => `${control}.${table}`).join(', ')
    const done = await runBackup(
      engine,
      `BACKUP DATABASE ${publication.database}, DATABASE ${control} EXCEPT TABLES ${except} TO File({name:String})`,
      folder,
    )
    await writeSums(join(backups, folder))
    await makeDurable(engine, log)
    return { name: folder, path: join(backups, folder), publication, ...done }
  })
}

/**
 * Reads a whole backup back beside what is served, holds it against its checksums and the rows that it is to have,
 * and drops it again. It needs as much disk as the backup. @throws BackupError saying what is wrong with it
 */
export async function verify(engine: Engine, name: string, log: Logger): Promise<BackupReport> {
  const backups = await folderOf(engine)
  await prepareControl(engine)
  return withLock(engine, 'a check of a backup', log, async () => {
    // not one of the versions: nothing of it is to be seen
    const copy = { control: copyOfControl(engine), database: `${copyOfControl(engine)}_v` }
    try {
      return { name, path: join(backups, name), ...(await readCopy(engine, name, copy)) }
    } finally {
      await dropCopy(engine, copy)
    }
  })
}

/**
 * Brings back what a backup holds, with its data version: reads it beside what is served, checks it as `verify`
 * does, and publishes it last. Keys are joined with those here, so what is revoked here stays revoked.
 * @param options.replace also where something is published here
 * @throws BackupError where something is published, or the backup is not sound: then all is as it was
 */
export async function restore(
  engine: Engine,
  name: string,
  options: { replace: boolean },
  log: Logger,
): Promise<RestoreReport> {
  const backups = await folderOf(engine)
  await prepareControl(engine)
  return withLock(engine, 'a restore', log, async (lock) => {
    await assertNoLostPublications(engine)
    const before = await currentPublication(engine)
    if (before && !options.replace) {
      throw new BackupError(
        `${before.dataVersion} is published in this DATA_DIR: give --replace to serve the backup in its place.`,
      )
    }
    const known = await readKeys(engine)
    const copy = { control: copyOfControl(engine), database: versionDatabaseName(engine) }
    let published = false
    try {
      const read = await readCopy(engine, name, copy)
      await joinKeys(engine, copy.control)
      await makeDurable(engine, log)
      await publishCopy(engine, copy, lock)
      const publication = await currentPublication(engine)
      published = publication?.database === copy.database
      if (!published) throw new BuildLockLost('A build took over meanwhile: nothing was restored.')
      await markPublished(engine, copy.database)
      const inForce = (await readKeys(engine)).filter(({ revokedAt }) => revokedAt === null)
      const keysOfBackup = known.length === 0 ? inForce.length : 0
      return { name, path: join(backups, name), ...read, publication: publication!, keysOfBackup }
    } finally {
      await dropCopy(engine, published ? { control: copy.control } : copy)
    }
  })
}

const copyOfControl = (engine: Engine): string => `${engine.config.clickhouseDatabase}_restored`

/** Of what belongs to keys, both what is here and what the backup has. */
async function joinKeys(engine: Engine, copy: string): Promise<void> {
  const columns = 'key_id, at, change, sha256, plan, name, overlap_seconds'
  for (const query of [
    `INSERT INTO api_key_changes (${columns}) SELECT ${columns} FROM ${copy}.api_key_changes
     WHERE (key_id, at, change, sha256) NOT IN (SELECT key_id, at, change, sha256 FROM api_key_changes)`,
    // what a revoked key watched is gone
    `INSERT INTO watch_changes SELECT * FROM ${copy}.watch_changes
     WHERE (key_id, entity, entity_id, at, change) NOT IN (SELECT key_id, entity, entity_id, at, change FROM watch_changes)
       AND key_id NOT IN (SELECT key_id FROM api_key_changes WHERE change = 'revoke')`,
    // of the same run of a server the newer count wins
    `INSERT INTO client_use SELECT * FROM ${copy}.client_use`,
  ])
    await engine.loader().command({ query })
}

/** The row of the backup, later than any here, for the database that it was read into. */
async function publishCopy(
  engine: Engine,
  { control, database }: { control: string; database: string },
  lock: BuildLock,
): Promise<void> {
  await engine.loader().command({
    query: `INSERT INTO publications (data_version, database, published_at, as_of, synthetic, code_hash, holds)
            SELECT data_version, {database:String}, greatest(published_at, p.latest + toIntervalMillisecond(1)),
                   as_of, synthetic, code_hash, holds
            FROM ${control}.publications AS copied, (SELECT max(published_at) AS latest FROM publications) AS p
            WHERE ${lock.heldCondition} ORDER BY copied.published_at DESC LIMIT 1`,
    query_params: { database },
  })
}

async function withLock<T>(
  engine: Engine,
  what: string,
  log: Logger,
  work: (lock: BuildLock) => Promise<T>,
): Promise<T> {
  const lock = await takeBuildLock(
    engine.loader(),
    { what, waitSeconds: engine.config.buildWaitSeconds },
    log,
  )
  try {
    return await work(lock)
  } finally {
    await lock.release()
  }
}

/** The folder of backups. @throws BackupError where ClickHouse runs elsewhere, or was started with another folder */
async function folderOf(engine: Engine): Promise<string> {
  if (engine.config.clickhouseUrl.length > 0) {
    throw new BackupError(
      'CLICKHOUSE_URL is set: its administrator backs it up with BACKUP and RESTORE (docs/operating.md).',
    )
  }
  const { backups, address } = enginePaths(engine.config)
  const running = (await readEngineFile(address))?.backups
  if (running !== undefined && running !== backups) {
    throw new BackupError(
      `BACKUP_DIR is ${backups}, but the server that runs on this DATA_DIR was started with ${running}: ` +
        'give the same, or start the server with the other.',
    )
  }
  return backups
}

async function lockTables(engine: Engine): Promise<string[]> {
  const result = await engine.loader().query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^(build|refresh)_lock_')`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ name: string }>()).map(({ name }) => name)
}

/** `20261121T094500` */
const stampOf = (time: Date): string => time.toISOString().slice(0, 19).replace(/[-:]/g, '')
