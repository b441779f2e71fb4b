/** A backup read back into databases that nobody sees, and held against what it is to be. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enginePaths } from '../engine/address.ts'
import { lacking } from '../engine/damage.ts'
import type { Engine } from '../engine/engine.ts'
import { migrate, readMigrations } from '../engine/migrate.ts'
import { type Publication, publications } from '../engine/publications.ts'
import { wrongFile } from './backup-sums.ts'

/** A backup that cannot be made or taken back; the message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
  readonly code = 'BACKUP'
}

/** The databases that a backup is read into. */
export interface Copy {
  readonly control: string
  readonly database: string
}

export interface CopyRead {
  /** As the backup has it, with the database's name there. */
  readonly publication: Publication
  readonly files: number
  readonly bytes: number
}

/**
 * Reads the backup `name` into `copy` and checks it: that each part has the bytes that ClickHouse wrote, and each
 * table the rows that were published. @throws BackupError saying what is wrong
 */
export async function readCopy(engine: Engine, name: string, copy: Copy): Promise<CopyRead> {
  const { clickhouseDatabase: control } = engine.config
  const folder = join(enginePaths(engine.config).backups, nameOf(name))
  const wrong = await wrongFile(folder)
  if (wrong !== null) throw new BackupError(`The backup ${name} is damaged: ${wrong}.`)
  // a process that was killed may have left it
  await dropCopy(engine, copy)
  const first = await runBackup(
    engine,
    `RESTORE DATABASE ${control} AS ${copy.control} FROM File({name:String})`,
    name,
  )
  await assertUnaltered(engine, name, copy.control)
  await migrate(engine.loader(copy.control), await readMigrations('control'))
  const [publication] = await publications(engine, 1, copy.control)
  if (!publication) throw new BackupError(`${name} holds no publication: it is no backup of this server.`)
  const second = await runBackup(
    engine,
    `RESTORE DATABASE ${publication.database} AS ${copy.database} FROM File({name:String})`,
    name,
  )
  await assertUnaltered(engine, name, copy.database)
  await writeViews(
    engine,
    join(folder, 'metadata', publication.database),
    publication.database,
    copy.database,
  )
  const lacks = await lacking(engine, copy.database, {
    control: copy.control,
    database: publication.database,
  })
  if (lacks !== null) throw new BackupError(`The backup ${name} is damaged: ${lacks}.`)
  return { publication, files: first.files + second.files, bytes: first.bytes + second.bytes }
}

/** Drops what of a copy is there. An engine that is down keeps it until the next build or the next reading. */
export async function dropCopy(engine: Engine, copy: Partial<Copy>): Promise<void> {
  for (const database of Object.values(copy)) {
    const query = `DROP DATABASE IF EXISTS ${database} SYNC`
    await engine
      .loader('default')
      .command({ query })
      .catch(() => {})
  }
}

/** RESTORE under another name loses the aliases of tables in views (ClickHouse 26.7): they are made of their own text. */
async function writeViews(engine: Engine, folder: string, from: string, to: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const text = await readFile(join(folder, file), 'utf8')
    const head = /^CREATE VIEW \S+ UUID '[^']+'/.exec(text)?.[0]
    if (head === undefined) continue
    const [, , name] = head.split(' ')
    const query = `CREATE OR REPLACE VIEW ${name}${text.slice(head.length)}`
    await engine.loader(to).command({ query: query.replaceAll(from, to) })
  }
}

/** Runs a BACKUP or RESTORE of `File({name:String})`. @throws BackupError */
export async function runBackup(
  engine: Engine,
  sql: string,
  name: string,
): Promise<{ files: number; bytes: number }> {
  // a database of its own would have to exist: before a restore none does
  const client = engine.loader('default')
  try {
    const result = await client.query({
      query: sql,
      query_params: { name: nameOf(name) },
      format: 'JSONEachRow',
    })
    const [{ id }] = (await result.json()) as [{ id: string }]
    const state = await client.query({
      query: `SELECT if(startsWith(toString(status), 'RESTOR'), files_read, num_files) AS files,
                     if(startsWith(toString(status), 'RESTOR'), bytes_read, total_size) AS bytes
              FROM system.backups WHERE id = {id:String}`,
      query_params: { id },
      format: 'JSONEachRow',
    })
    const [row] = await state.json<{ files: string; bytes: string }>()
    return { files: Number(row!.files), bytes: Number(row!.bytes) }
  } catch (error) {
    const { type, message } = error as { type?: string; message?: string }
    if (type === 'BACKUP_ALREADY_EXISTS') {
      throw new BackupError(`a backup ${name} is there already: give another name.`, { cause: error })
    }
    if (type === 'BACKUP_NOT_FOUND') {
      throw new BackupError(`there is no backup ${name} in BACKUP_DIR.`, { cause: error })
    }
    if (!sql.startsWith('RESTORE')) throw error
    throw new BackupError(
      `The backup ${name} cannot be read back, so it is damaged or no backup of this server. ClickHouse says: ${message}`,
      { cause: error },
    )
  }
}

function nameOf(name: string): string {
  if (/^[\w.-]+$/.test(name) && !/^\.+$/.test(name)) return name
  throw new BackupError(`“${name}” cannot name a backup: expected letters, digits, _, - and .`)
}

async function assertUnaltered(engine: Engine, name: string, database: string): Promise<void> {
  const client = engine.loader('default')
  const tables = await client.query({
    query: `SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE '%MergeTree' ORDER BY name`,
    query_params: { database },
    format: 'JSONEachRow',
  })
  for (const table of await tables.json<{ name: string }>()) {
    const check = await client.query({
      query: `CHECK TABLE ${database}.\`${table.name}\``,
      clickhouse_settings: { check_query_single_value_result: 0 },
      format: 'JSONEachRow',
    })
    const parts = await check.json<{ part_path: string; is_passed: number; message: string }>()
    const bad = parts.find((part) => !part.is_passed)
    if (bad) {
      throw new BackupError(
        `The backup ${name} is damaged: ${table.name}, part ${bad.part_path}: ${bad.message}`,
      )
    }
  }
}
