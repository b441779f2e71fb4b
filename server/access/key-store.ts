/** API keys in the control database. */

import { randomBytes } from 'node:crypto'
import { rowsOf } from '../../sql/rows.ts'
import { prepareControl } from '../engine/control.ts'
import { assertTablesIntact } from '../engine/damage.ts'
import type { Engine } from '../engine/engine.ts'
import type { KeyPlan } from './plans.ts'
import { digestOf, newSecret } from './secret.ts'

/** A key as it stands now. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly plan: KeyPlan
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly rotatedAt: string | null
  readonly revokedAt: string | null
  /** SHA-256 of what is accepted as this key, the newest first; `until` in milliseconds of a replaced one. */
  readonly digests: readonly { readonly sha256: string; readonly until?: number }[]
}

/** The command is impossible: the key is unknown or revoked. */
export class KeyError extends Error {
  override name = 'KeyError'
}

interface Change {
  readonly key_id: string
  /** Milliseconds. */
  readonly at: number
  readonly change: 'create' | 'rotate' | 'set-plan' | 'revoke'
  readonly sha256: string
  readonly plan: KeyPlan
  readonly name: string
  readonly overlap_seconds: number
}

/** Longest time to read the keys: a query that hangs would keep a revoked key valid. */
const LONGEST_LOOK_MS = 2_000

/**
 * Every key, also those revoked, the oldest first.
 * @throws DataDamaged where changes were lost: among them may be revocations
 */
export async function readKeys(engine: Engine): Promise<ApiKey[]> {
  await assertTablesIntact(engine, ['api_key_changes'])
  const rows = await query<Change>(
    engine,
    // of one millisecond: a key is made before anything is done to it
    `SELECT key_id, toUnixTimestamp64Milli(at) AS at, change, sha256, plan, name, overlap_seconds
     FROM api_key_changes ORDER BY api_key_changes.at, api_key_changes.change, key_id`,
  )
  const keys = new Map<string, ApiKey>()
  for (const row of rows) {
    const next = changed(keys.get(row.key_id), { ...row, at: Number(row.at) })
    if (next) keys.set(row.key_id, next)
  }
  return [...keys.values()]
}

/** Changes whenever any key does. */
export async function keysState(engine: Engine): Promise<string> {
  const [row] = await query<{ state: string }>(
    engine,
    "SELECT concat(toString(count()), ' ', toString(max(at))) AS state FROM api_key_changes",
  )
  return row!.state
}

/** @returns the key itself beside its description: it is nowhere else */
export async function createKey(
  engine: Engine,
  { plan, name }: { plan: KeyPlan; name: string },
): Promise<{ key: ApiKey; secret: string }> {
  await prepareControl(engine)
  const id = `k${randomBytes(6).toString('hex')}`
  const secret = newSecret(plan)
  await add(engine, { key_id: id, change: 'create', sha256: digestOf(secret), plan, name })
  return { key: await find(engine, id), secret }
}

/** Gives a key a new secret; its plan, allowance and counts stay. */
export async function rotateKey(
  engine: Engine,
  id: string,
  overlapSeconds = 0,
): Promise<{ key: ApiKey; secret: string }> {
  const { plan } = await inForce(engine, id)
  const secret = newSecret(plan)
  const sha256 = digestOf(secret)
  await add(engine, { key_id: id, change: 'rotate', sha256, overlap_seconds: overlapSeconds })
  return { key: await find(engine, id), secret }
}

export async function setPlan(engine: Engine, id: string, plan: KeyPlan): Promise<ApiKey> {
  await inForce(engine, id)
  await add(engine, { key_id: id, change: 'set-plan', plan })
  return find(engine, id)
}

/** What belongs to the key goes with it. Revoking again changes nothing, but ends what a failure left undone. */
export async function revokeKey(engine: Engine, id: string): Promise<ApiKey> {
  await prepareControl(engine)
  const key = await find(engine, id)
  if (key.revokedAt === null) await add(engine, { key_id: id, change: 'revoke' })
  await engine.loader().command({
    query: 'ALTER TABLE watch_changes DELETE WHERE key_id = {id:String}',
    query_params: { id },
  })
  return find(engine, id)
}

function changed(key: ApiKey | undefined, row: Change): ApiKey | undefined {
  const at = new Date(row.at).toISOString()
  if (row.change === 'create') {
    const { key_id: id, name, plan, sha256 } = row
    return { id, name, plan, createdAt: at, rotatedAt: null, revokedAt: null, digests: [{ sha256 }] }
  }
  if (!key) return undefined
  if (row.change === 'set-plan') return { ...key, plan: row.plan }
  if (row.change === 'revoke') return { ...key, revokedAt: key.revokedAt ?? at, digests: [] }
  if (key.revokedAt !== null) return key
  const until = row.at + row.overlap_seconds * 1000
  const before = key.digests.map((one) => ({ ...one, until: Math.min(one.until ?? until, until) }))
  return { ...key, rotatedAt: at, digests: [{ sha256: row.sha256 }, ...before] }
}

async function inForce(engine: Engine, id: string): Promise<ApiKey> {
  await prepareControl(engine)
  const key = await find(engine, id)
  if (key.revokedAt !== null) throw new KeyError(`The key ${id} was revoked at ${key.revokedAt}.`)
  return key
}

async function find(engine: Engine, id: string): Promise<ApiKey> {
  const key = (await readKeys(engine)).find((one) => one.id === id)
  if (!key)
    throw new KeyError(`There is no key with the id ${JSON.stringify(id)}: npm run keys -- list shows them.`)
  return key
}

/** The time is ClickHouse's: the clocks of the machines that run the command may differ. */
async function add(
  engine: Engine,
  change: Pick<Change, 'key_id' | 'change'> & Partial<Change>,
): Promise<void> {
  await assertTablesIntact(engine, ['api_key_changes'])
  await engine.loader().command({
    query: `INSERT INTO api_key_changes (key_id, at, change, sha256, plan, name, overlap_seconds)
            SELECT {key_id:String}, now64(3), {change:String}, {sha256:String}, {plan:String}, {name:String},
                   {overlap_seconds:UInt32}`,
    query_params: { sha256: '', plan: '', name: '', overlap_seconds: 0, ...change },
  })
}

async function query<T>(engine: Engine, sql: string): Promise<T[]> {
  return rowsOf<T>(engine.loader(), sql, {}, { seconds: LONGEST_LOOK_MS / 1000 })
}
