import type { ClickHouseClient } from '@clickhouse/client'
import { type Shards, shardDatabase } from '../../../sql/derive/shards.ts'
import { rowsOf } from '../../../sql/rows.ts'
import { cloneTables } from '../clone.ts'
import type { Logger } from '../engine.ts'
import type { Node } from '../node.ts'
import type { Place } from '../place.ts'
import { dropDatabase } from '../places.ts'
import { clusterSettings } from '../profiles.ts'
import { assertAlike, dropOthers, makeViews, recordHeld, viewsOf } from './complete.ts'
import { bringAll, type Extent, type Extents, extentsOf, type Way } from './copy.ts'
import { type Definition, definitionIn, divided, viewIn, wordsRead } from './statement.ts'

type Settings = Readonly<Record<string, string | number>>

/** A server that builds its shard's part of a version, and what it has of the tables that are whole everywhere. */
interface Leader {
  readonly node: Node
  readonly known: Map<string, Extent>
  /** Names of tables that its own rows can be joined with, by their definition. */
  readonly seen: Map<string, string>
}

/** A server that has the same rows as the leader of its shard. */
interface Copy {
  readonly node: Node
  readonly leader: Node
  /** Whether it can clone what the version is cloned from. */
  readonly holdsBase: boolean
}

export interface Cluster {
  readonly name: string
  /** Of each shard the server that builds; the first is where the control database is. */
  readonly leaders: readonly [Node, ...Node[]]
  /** All others that answer. */
  readonly copies: readonly Copy[]
  readonly log: Logger
}

/**
 * A version built on the shards of a cluster. On each server the version's database has all tables that are not divided,
 * and for those that are a `Distributed` one; the rows of these are in the shard's own database beside it. While it is
 * built, the first server alone has what is not divided up to date: others are brought what a statement reads, and at
 * the end all.
 */
export class ClusterPlace implements Place {
  readonly client: ClickHouseClient
  readonly shards: Shards
  readonly #cluster: Cluster
  readonly #database: string
  readonly #base: string | null
  readonly #leaders: readonly Leader[]
  /** How the tables of the base were cloned, on the first server. */
  #cloned: Extents = new Map()
  /** The same of each leader's own rows. */
  readonly #clonedRows = new Map<Node, Extents>()
  /** What each view reads. */
  readonly #views = new Map<string, readonly string[]>()
  #bringing: Promise<unknown> = Promise.resolve()

  constructor(cluster: Cluster, database: string, base: string | null) {
    this.#cluster = cluster
    this.#database = database
    this.#base = base
    this.#leaders = cluster.leaders.map((node) => ({ node, known: new Map(), seen: new Map() }))
    this.client = this.#routed(this.#on(cluster.leaders[0]))
    this.shards = {
      whole: (table) => `${database}.${table}`,
      each: (query, parameters, settings) => this.#each(query, parameters, settings),
    }
  }

  get #rows(): string {
    return shardDatabase(this.#database)
  }

  #on(node: Node, database = this.#database): ClickHouseClient {
    return node.connection.loader(database)
  }

  /** Makes both databases on every leader, cloned from the base. */
  async begin(): Promise<void> {
    const { leaders } = this.#cluster
    await Promise.all(
      leaders.map(async (node) => {
        const client = this.#on(node, 'default')
        for (const name of [this.#database, this.#rows])
          await client.command({ query: `CREATE DATABASE ${name}` })
        if (!this.#base) return
        await cloneTables(client, this.#base, this.#database)
        await cloneTables(client, shardDatabase(this.#base), this.#rows)
        this.#clonedRows.set(node, await extentsOf(client, this.#rows))
        await this.#defineDistributed(node)
      }),
    )
    this.#cloned = await extentsOf(this.#on(leaders[0]), this.#database)
    for (const { known } of this.#leaders)
      for (const [table, extent] of this.#cloned) known.set(table, extent)
  }

  async #defineDistributed(node: Node, rowsIn = this.#rows): Promise<void> {
    const there = await rowsOf<{ name: string }>(
      this.#on(node),
      'SELECT name FROM system.tables WHERE database = {database:String} ORDER BY name',
      { database: rowsIn },
    )
    for (const { name } of there)
      if (divided.has(name)) await this.#on(node).command({ query: this.#distributed(name, rowsIn) })
  }

  #distributed(table: string, rowsIn = this.#rows): string {
    const of = `'${this.#cluster.name}', '${this.#rows}', '${table}', ${divided.get(table)}`
    return `CREATE OR REPLACE TABLE ${this.#database}.${table} AS ${rowsIn}.${table} ENGINE = Distributed(${of})`
  }

  /** The client of the first server, whose statements about divided tables reach all shards. */
  #routed(first: ClickHouseClient): ClickHouseClient {
    const withSettings = <P extends { clickhouse_settings?: object }>(params: P): P => ({
      ...params,
      clickhouse_settings: { ...clusterSettings, ...params.clickhouse_settings },
    })
    const command: ClickHouseClient['command'] = async (params) => {
      const definition = definitionIn(params.query)
      if (definition) return this.#define(definition, params)
      await this.#bringFor(params.query)
      const result = await first.command(withSettings(params))
      const view = viewIn(params.query)
      if (view) this.#views.set(view, wordsRead(params.query))
      return result
    }
    const own: Partial<ClickHouseClient> = {
      command,
      query: (async (params: Parameters<ClickHouseClient['query']>[0]) => {
        await this.#bringFor(params.query)
        return first.query(withSettings(params))
      }) as ClickHouseClient['query'],
      exec: (async (params: Parameters<ClickHouseClient['exec']>[0]) => {
        await this.#bringFor(params.query)
        return first.exec(withSettings(params))
      }) as ClickHouseClient['exec'],
      insert: ((params: Parameters<ClickHouseClient['insert']>[0]) =>
        first.insert(withSettings(params))) as ClickHouseClient['insert'],
    }
    return new Proxy(first, {
      get(target, name) {
        const value = own[name as keyof ClickHouseClient] ?? Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** A statement about a divided table is one about the rows of each shard. */
  async #define(
    { verb, table, columns }: Definition,
    params: Parameters<ClickHouseClient['command']>[0],
  ): ReturnType<ClickHouseClient['command']> {
    const results = await Promise.all(
      this.#leaders.map(async ({ node }) => {
        const result = await this.#on(node, this.#rows).command(params)
        if (verb === 'CREATE' || columns) await this.#on(node).command({ query: this.#distributed(table) })
        if (verb === 'DROP') await this.#on(node).command({ query: `DROP TABLE IF EXISTS ${table} SYNC` })
        return result
      }),
    )
    return results[0]!
  }

  /** A shard may join its rows with tables that are whole everywhere: each is brought those that a statement names. */
  async #bringFor(sql: string): Promise<void> {
    const words = this.#reads(sql)
    if (words.some((word) => divided.has(word))) await this.#bring(words)
  }

  /** The words of a statement, and of the views among them. */
  #reads(sql: string): readonly string[] {
    const words = new Set(wordsRead(sql))
    // a set may grow while it is gone through
    for (const word of words) for (const other of this.#views.get(word) ?? []) words.add(other)
    return [...words]
  }

  /** One after the other: two statements may need the same table. @returns those of the names that are such tables */
  #bring(names?: readonly string[]): Promise<Extents> {
    const done = this.#bringing.then(async () => {
      const [first, ...others] = this.#leaders
      const now = await extentsOf(this.#on(first!.node), this.#database, names)
      await Promise.all(others.map(({ node, known }) => bringAll(this.#way(first!.node, node), known, now)))
      return now
    })
    this.#bringing = done.catch(() => {})
    return done
  }

  #way(from: Node, to: Node): Way {
    const database = this.#database
    return { from: this.#on(from), to: this.#on(to), database, into: database }
  }

  async #each(query: string, query_params: Record<string, unknown>, settings: Settings): Promise<void> {
    const tables = await this.#bring(this.#reads(query))
    await Promise.all(
      this.#leaders.map(async ({ node, seen }) => {
        const client = this.#on(node, this.#rows)
        for (const [table, { definition }] of tables) {
          if (seen.get(table) === definition) continue
          await client.command({
            query: `CREATE OR REPLACE VIEW ${table} AS SELECT * FROM ${this.#database}.${table}`,
          })
          seen.set(table, definition)
        }
        await client.command({
          query,
          query_params,
          clickhouse_settings: { ...clusterSettings, ...settings } as never,
        })
      }),
    )
  }

  /**
   * Brings every other server all that it is to have: each leader, of which one that fails ends the build, and every copy of a
   * shard that answers, of which one that fails is left without the version, and is not read.
   */
  async complete(): Promise<void> {
    const { leaders, copies, log } = this.#cluster
    const [first, ...others] = leaders
    const whole = await this.#bring()
    const views = await viewsOf(this.#on(first), this.#database)
    for (const { node, known, seen } of this.#leaders) {
      for (const view of seen.keys())
        await this.#on(node, this.#rows).command({ query: `DROP VIEW IF EXISTS ${view}` })
      if (node === first) continue
      await dropOthers(this.#on(node), this.#database, known.keys(), whole)
      await makeViews(this.#on(node), views)
    }
    for (const node of others) await this.#finish(node, first, node)
    await Promise.all(
      copies.map(async (copy) => {
        try {
          await this.#makeCopy(copy, whole, views)
          await this.#finish(copy.node, first, copy.leader)
        } catch (error) {
          log.warn({ error, node: copy.node.name, database: this.#database }, 'a copy of a shard is left out')
        }
      }),
    )
  }

  /** The rows last, and under their name when they are whole: no shard reads a copy that lacks some. */
  async #makeCopy(
    { node, leader, holdsBase }: Copy,
    whole: Extents,
    views: readonly string[],
  ): Promise<void> {
    const client = this.#on(node, 'default')
    const making = `${this.#rows}_making`
    for (const name of [this.#database, this.#rows, making]) await dropDatabase(client, name, false)
    for (const name of [this.#database, making]) await client.command({ query: `CREATE DATABASE ${name}` })
    const base = holdsBase ? this.#base : null
    if (base) {
      await cloneTables(client, base, this.#database)
      await cloneTables(client, shardDatabase(base), making)
    }
    const cloned = new Map(base ? this.#cloned : [])
    await bringAll(this.#way(this.#cluster.leaders[0], node), cloned, whole)
    await dropOthers(client, this.#database, cloned.keys(), whole)
    const own = await extentsOf(this.#on(leader), this.#rows)
    const clonedRows = new Map(base ? this.#clonedRows.get(leader) : [])
    await bringAll(
      { from: this.#on(leader), to: client, database: this.#rows, into: making },
      clonedRows,
      own,
    )
    await dropOthers(client, making, clonedRows.keys(), own)
    for (const table of own.keys()) await client.command({ query: this.#distributed(table, making) })
    await makeViews(client, views)
    await client.command({ query: `RENAME DATABASE ${making} TO ${this.#rows}` })
  }

  /** What a server has is compared, put on its disk and recorded there as what it is to hold. */
  async #finish(node: Node, first: Node, leader: Node): Promise<void> {
    await assertAlike(first, node, this.#database)
    if (leader !== node) await assertAlike(leader, node, this.#rows)
    await this.#on(node, 'default').command({ query: 'SYSTEM SYNC FILE CACHE' })
    await recordHeld(node.connection.loader(), this.#database)
  }
}
