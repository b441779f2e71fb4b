/** The institutions that each key watches: a log of changes in the control database, read anew by every request. */
import type { ClickHouseClient } from '@clickhouse/client'
import { universes } from '../../../sql/universes/index.ts'
import { Problem } from '../../errors.ts'
import { smallCount } from '../columns.ts'
import type { AskingClient, Step } from '../define.ts'
import { type EntityKind, idList, type Parameters } from '../parameters.ts'

interface Watched {
  readonly entity: EntityKind
  readonly id: number
}

/** Which kinds of institution a parameter may name, in the order in which they are looked for. */
const kinds: Readonly<Record<string, readonly EntityKind[]>> = {
  rssd_id: ['bank', 'holding_company'],
  cu_number: ['credit_union'],
}
const MOST_AT_ONCE = 1000

/** Whom to put on the list, or to take off it. */
const watchParameters: Parameters = {
  rssd_id: {
    ...idList({ doc: 'RSSD ID of a bank or holding company, or several by comma.', most: MOST_AT_ONCE }),
    entity: 'bank',
  },
  cu_number: {
    ...idList({ doc: 'Charter number of a credit union, or several by comma.', most: MOST_AT_ONCE }),
    entity: 'credit_union',
  },
}

/** The name under which a step binds the watched institutions of a kind, an `Array(UInt32)`. */
export const watchedOf = (entity: EntityKind): string => `watched_${entity}`

/** Binds whom the key watches, by kind. */
export const readWatched: Step = {
  binds: Object.fromEntries(universes.map(({ entity }) => [watchedOf(entity), 'Array(UInt32)'])),
  async client({ control, keyId }) {
    const list = await watchedBy(control, keyId)
    const of = (entity: EntityKind) => list.filter((one) => one.entity === entity).map(({ id }) => id)
    return Object.fromEntries(universes.map(({ entity }) => [watchedOf(entity), of(entity)]))
  },
}

/**
 * Changes the list of the key: all that are named or, where one is refused, none. Binds how many the list has then
 * (`watched`), how many were named, and how many of them are on the list: a repeat gives the same answer.
 */
const changeWatched = (change: 'add' | 'remove'): Step => ({
  binds: { watched: 'UInt32', named: 'UInt32', named_watched: 'UInt32' },
  client: (asking, values) =>
    inTurn(asking.keyId, async () => {
      const before = await watchedBy(asking.control, asking.keyId)
      const named = change === 'add' ? known(asking, values) : onList(before, values)
      const there = new Set(before.map(textOf))
      const fresh = named.filter((one) => there.has(textOf(one)) === (change === 'remove'))
      const most = asking.config.watchlistMost
      if (change === 'add' && fresh.length > 0 && before.length + fresh.length > most)
        reject(
          values,
          `the list has ${before.length} institutions, and with ${fresh.length} more it would exceed ${most}: nothing was added`,
        )
      const changes = asking.mayChange && fresh.length > 0
      if (changes) await write(asking, change, fresh)
      // others, and other servers, may have changed it meanwhile
      const after = changes ? new Set((await watchedBy(asking.control, asking.keyId)).map(textOf)) : there
      return {
        watched: after.size,
        named: given(values).reduce((sum, [, ids]) => sum + ids.length, 0),
        named_watched: named.filter((one) => after.has(textOf(one))).length,
      }
    }),
})

const textOf = ({ entity, id }: Watched): string => `${entity} ${id}`

/** The ids that a request gives, by parameter. */
const given = (values: Readonly<Record<string, unknown>>): [string, readonly number[]][] =>
  Object.keys(kinds).flatMap((name) => (values[name] === undefined ? [] : [[name, values[name] as number[]]]))

function reject(values: Readonly<Record<string, unknown>>, reason: string, parameter?: string): never {
  const name = parameter ?? given(values)[0]?.[0] ?? 'rssd_id'
  throw new Problem('invalid-parameter', `${name}: ${reason}`, { errors: [{ parameter: name, reason }] })
}

/** @throws Problem naming those that no source knows */
function known({ knows }: AskingClient, values: Readonly<Record<string, unknown>>): Watched[] {
  const named = given(values)
  if (named.length === 0) reject(values, 'rssd_id or cu_number must say whom to watch')
  return named.flatMap(([parameter, ids]) => {
    const found = ids.map((id) => ({ id, entity: kinds[parameter]!.find((kind) => knows(kind, id)) }))
    const unknown = found.filter(({ entity }) => entity === undefined).map(({ id }) => id)
    if (unknown.length > 0) {
      const shown = `${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ', …' : ''}`
      reject(values, `no source that is loaded knows ${shown}: nothing was added`, parameter)
    }
    return found as Watched[]
  })
}

/** Those of the list that a request names: what is watched may be unknown by now. */
function onList(list: readonly Watched[], values: Readonly<Record<string, unknown>>): Watched[] {
  const named = given(values)
  if (named.length === 0) reject(values, 'rssd_id or cu_number must say whom to take off the list')
  return named.flatMap(([parameter, ids]) => {
    const wanted = new Set(ids)
    return list.filter(({ entity, id }) => kinds[parameter]!.includes(entity) && wanted.has(id))
  })
}

async function watchedBy(control: ClickHouseClient, keyId: string): Promise<Watched[]> {
  const answer = await control.query({
    query: `SELECT entity, entity_id AS id FROM watch_changes WHERE key_id = {keyId:String}
            GROUP BY entity, entity_id HAVING argMax(change, (at, change)) = 'add' ORDER BY min(at), entity, id`,
    query_params: { keyId },
    format: 'JSONEachRow',
  })
  return answer.json<Watched>()
}

/**
 * The time is ClickHouse's: the clocks of several servers may differ. A key that was revoked writes nothing, though this
 * server may not have heard of it yet: what belonged to it is gone, and nobody would take away what came later.
 */
const write = ({ control, keyId }: AskingClient, change: string, list: readonly Watched[]) =>
  control.command({
    query: `INSERT INTO watch_changes (key_id, entity, entity_id, at, change)
            SELECT {keyId:String}, entity, id, now64(6), {change:String}
            FROM (SELECT 1) ARRAY JOIN {entities:Array(String)} AS entity, {ids:Array(UInt32)} AS id
            WHERE (SELECT count() FROM api_key_changes WHERE key_id = {keyId:String} AND change = 'revoke') = 0`,
    query_params: {
      ...{ keyId, change },
      entities: list.map(({ entity }) => entity),
      ids: list.map(({ id }) => id),
    },
  })

const last = new Map<string, Promise<unknown>>()

/** Changes of one key follow each other, so that its limit holds. */
async function inTurn<T>(keyId: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(keyId) ?? Promise.resolve()).then(work, work)
  last.set(keyId, turn)
  try {
    return await turn
  } finally {
    if (last.get(keyId) === turn) last.delete(keyId)
  }
}

/** What a dataset that changes the list is, but for its key and its words. */
export const changing = (change: 'add' | 'remove') => ({
  notes:
    'A plain GET changes the list; HEAD, a conditional request, a range and a prefetch do not. To repeat it changes nothing more. Answers are never cached.',
  scope: 'client' as const,
  from: 'SELECT {watched:UInt32} AS watched, {named:UInt32} AS named, {named_watched:UInt32} AS named_watched',
  grain: ['watched'],
  parameters: watchParameters,
  steps: [changeWatched(change)],
  columns: [
    smallCount('watched', 'Institutions on the list now'),
    smallCount('named', 'Institutions that the request names'),
    smallCount('named_watched', 'Of them on the list now'),
  ],
  sources: [],
})
