/** Checks that ClickHouse still holds what was published: at its start it detaches broken parts and carries on without them. */
import { databasesSql } from '../../sql/derive/shards.ts'
import { rowsOf } from '../../sql/rows.ts'
import type { Engine } from './engine.ts'
import { DataDamaged } from './errors.ts'

/** The comment of a version database that was published. It names it, as a copy of the database has its comment. */
const PUBLISHED = 'published as '
/** Damage to these loses publications or revives revoked keys; the other control tables are of the running processes. */
export type GuardedTable = 'publications' | 'api_key_changes'

const SHOWN = 3
const LONGEST_LOOK_MS = 30_000

const DATABASES = databasesSql('{database:String}')

/** Rows by table and partition of `{database:String}`, and each table with 0 in the partition ''. From metadata alone. */
const HELD = `SELECT table, partition, sum(rows) AS rows FROM system.parts
              WHERE active AND database IN ${DATABASES} GROUP BY table, partition
              UNION ALL
              SELECT name AS table, '' AS partition, toUInt64(0) AS rows FROM system.tables
              WHERE database IN ${DATABASES}`

/** SQL for the column `holds` of a publication of `{database:String}`. */
export const HOLDS = `(SELECT groupArray((table, partition, rows)) FROM (${HELD}))`

/** Says that a database was published, so that the loss of the row that says so is noticed. */
export async function markPublished(engine: Engine, database: string): Promise<void> {
  await engine
    .loader()
    .command({ query: `ALTER DATABASE ${database} MODIFY COMMENT '${PUBLISHED}${database}'` })
}

/** @throws DataDamaged where ClickHouse detached broken parts of these control tables */
export async function assertTablesIntact(engine: Engine, tables: readonly GuardedTable[]): Promise<void> {
  const torn = await ask<{ table: string; name: string }>(
    engine,
    `SELECT table, name FROM system.detached_parts
     WHERE database = currentDatabase() AND startsWith(reason, 'broken') AND table IN {tables:Array(String)}`,
    { tables },
  )
  if (torn.length === 0) return
  throw new DataDamaged(
    `The control database is damaged: of ${[...new Set(torn.map(({ table }) => table))].join(' and ')} ` +
      `${torn.length === 1 ? 'a part was' : `${torn.length} parts were`} torn (${torn[0]!.name}), and what it said is ` +
      'not known any more. End the server, move DATA_DIR/clickhouse away and restore a backup (docs/operating.md, Damage).',
  )
}

/**
 * Refuses where publications were lost: torn, or a version database says of itself that it was published and they do
 * not name it. Nothing may be dropped then, as what is served is not known.
 * @throws DataDamaged
 */
export async function assertNoLostPublications(engine: Engine): Promise<void> {
  await assertTablesIntact(engine, ['publications'])
  // the databases first: one is marked after its row was inserted
  const databases = await ask<{ name: string; comment: string }>(
    engine,
    `SELECT name, comment FROM system.databases WHERE match(name, concat('^', currentDatabase(), '_v_[0-9a-z]+$'))`,
  )
  const rows = await ask<{ database: string }>(
    engine,
    'SELECT database FROM publications ORDER BY published_at DESC',
  )
  const named = new Set(rows.map(({ database }) => database))
  const marked = databases.filter(({ name, comment }) => comment === PUBLISHED + name)
  const lost = marked.find(({ name }) => !named.has(name))
  if (lost) {
    throw new DataDamaged(
      `The control database is damaged: ${lost.name} was published, and the table publications does not name it any ` +
        'more. Nothing was dropped. End the server, move DATA_DIR/clickhouse away and restore a backup ' +
        '(docs/operating.md, Damage).',
    )
  }
  // its builder ended before it could, or was of an older program
  const served = databases.find(({ name }) => name === rows[0]?.database)
  if (served && !marked.includes(served)) await markPublished(engine, served.name)
}

/** @throws DataDamaged where a version has fewer rows in any partition than were published, or lacks a table */
export async function assertVersionIntact(
  engine: Engine,
  { dataVersion, database }: { dataVersion: string; database: string },
): Promise<void> {
  const lacks = await lacking(engine, database)
  if (lacks === null) return
  throw new DataDamaged(
    `The data version ${dataVersion} is damaged: ${lacks}. Restore a backup (npm run backup -- restore NAME --replace), ` +
      'or end the server, move DATA_DIR/clickhouse away and load the files again (docs/operating.md, Damage).',
  )
}

/**
 * What a database lacks of what its publication says that it holds, in words; null where nothing.
 * @param published another control database and the database's name there, as of a backup
 */
export async function lacking(
  engine: Engine,
  database: string,
  published: { control: string; database: string } = { control: engine.config.clickhouseDatabase, database },
): Promise<string | null> {
  const rows = await ask<Lack>(
    engine,
    lackingSql(`SELECT holds FROM ${published.control}.publications WHERE database = {published:String}
             ORDER BY published_at DESC LIMIT 1`),
    { database, published: published.database },
  )
  return wordsOf(rows)
}

/** A partition, or with '' a table, of which there is less than was published. */
export interface Lack {
  table: string
  partition: string
  published: string
  held: string
}

/**
 * What `{database:String}` lacks: a `Lack` a row.
 * @param holds SELECT of the one value `holds` that a publication has
 */
export const lackingSql = (holds: string): string =>
  `SELECT expected.table AS table, expected.partition AS partition, expected.rows AS published, held.rows AS held
     FROM (
       SELECT hold.1 AS table, hold.2 AS partition, hold.3 AS rows
       FROM (${holds}) ARRAY JOIN holds AS hold
     ) AS expected LEFT JOIN (${HELD}) AS held
       ON held.table = expected.table AND held.partition = expected.partition
     WHERE held.table = '' OR held.rows < expected.rows
     ORDER BY table, partition`

/** The first of them in words; null where there are none. */
export function wordsOf(rows: readonly Lack[]): string | null {
  if (rows.length === 0) return null
  const missing = new Set(rows.filter(({ partition }) => partition === '').map(({ table }) => table))
  const parts = rows.filter(({ table, partition }) => partition === '' || !missing.has(table))
  const words = parts.slice(0, SHOWN).map(({ table, partition, published, held }) => {
    if (partition === '') return `the table ${table} is gone`
    return `${table} has ${held} of ${published} rows${partition === 'tuple()' ? '' : ` of ${partition}`}`
  })
  return `${words.join(', ')}${parts.length > SHOWN ? `, and ${parts.length - SHOWN} more such` : ''}`
}

async function ask<T>(
  engine: Engine,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<T[]> {
  return rowsOf<T>(engine.loader(), query, query_params, { seconds: LONGEST_LOOK_MS / 1000 })
}
