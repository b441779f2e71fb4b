import { type Lack, lackingSql, wordsOf } from './damage.ts'
import type { Logger } from './engine.ts'
import type { Node } from './node.ts'

/** What was found whole is looked at again after this time; it is read meanwhile. */
const HELD_MS = 60_000
/** A node that lacks something may be getting it. */
const LACKS_MS = 3_000
/** Versions that are remembered: those that are served, and few before. */
const MOST_VERSIONS = 8
const LONGEST_LOOK_MS = 10_000

interface Known {
  readonly holds: boolean
  /** When it is to be asked again. */
  readonly until: number
  /** Of the node, when it was asked: it went away since where it has more. */
  readonly losses: number
}

/**
 * Which nodes hold which data version whole: what its publication says that it holds (`damage.ts`) is compared with
 * what the node has, by table and partition, before the first read of it there.
 */
export class Holdings {
  readonly #nodes: readonly Node[]
  readonly #control: string
  readonly #log: Logger
  readonly #divided: boolean
  readonly #known = new Map<string, Map<Node, Known>>()
  readonly #asking = new Map<string, Promise<void>>()
  readonly #published = new Map<string, string>()

  /**
   * @param nodes the first is the one that builds
   * @param divided whether each holds other rows: then each has recorded for itself what it is to hold
   */
  constructor(nodes: readonly Node[], control: string, log: Logger, divided = false) {
    this.#nodes = nodes
    this.#control = control
    this.#log = log
    this.#divided = divided
  }

  /** Whether it does, as far as is known; undefined where it was not asked since it last came back. */
  of(node: Node, database: string): boolean | undefined {
    const known = this.#known.get(database)?.get(node)
    return known?.losses === node.losses ? known.holds : undefined
  }

  /** Whether it is known to. Where that is not known, or is old, it is asked, for whoever comes later. */
  holds(node: Node, database: string): boolean {
    const known = this.#known.get(database)?.get(node)
    const fresh = known?.losses === node.losses && Date.now() < known.until
    if (!fresh && node.state() === 'ready') void this.#ask(node, database)
    return this.of(node, database) === true
  }

  /** Asks these, until one of them is known to hold it or none does. */
  async ask(nodes: readonly Node[], database: string): Promise<void> {
    const each = nodes.map(async (node) => {
      await this.#ask(node, database)
      if (!this.of(node, database)) throw new Error('it does not')
    })
    await Promise.any(each).catch(() => {})
  }

  /** Once at a time for each node and version. It never rejects. */
  #ask(node: Node, database: string): Promise<void> {
    const key = `${database} ${node.name}`
    let asking = this.#asking.get(key)
    if (!asking) {
      asking = this.#look(node, database)
        .catch((error: unknown) => {
          node.noticed(error)
          // slow is not lacking: what was whole is read on, unless the node went away
          this.#keep(node, database, this.of(node, database) === true, LACKS_MS)
        })
        .finally(() => this.#asking.delete(key))
      this.#asking.set(key, asking)
    }
    return asking
  }

  async #look(node: Node, database: string): Promise<void> {
    const holds = await this.#holdsOf(node, database)
    if (holds === null) {
      // it is being built, or was taken back
      this.#keep(node, database, node === this.#nodes[0], LACKS_MS)
      return
    }
    const lacks = await ask<Lack>(node, 'default', {
      sql: lackingSql(`SELECT CAST({holds:String}, 'Array(Tuple(String, String, UInt64))') AS holds`),
      params: { database, holds },
    })
    const words = wordsOf(lacks)
    if (words !== null && this.of(node, database) !== false)
      this.#log.warn(
        { node: node.name, database, lacks: words },
        'a node lacks a data version: others are asked',
      )
    this.#keep(node, database, words === null, words === null ? HELD_MS : LACKS_MS)
  }

  /**
   * The column `holds` of its publication as text; null where nobody knows it as published. The control database is
   * the first node's, but where others have a copy that says it, this is as true. In a cluster each has its own.
   */
  async #holdsOf(of: Node, database: string): Promise<string | null> {
    const key = this.#divided ? `${database} ${of.name}` : database
    const before = this.#published.get(key)
    if (before !== undefined) return before
    let failure: unknown
    for (const node of this.#divided ? [of] : this.#nodes) {
      try {
        if (node.state() !== 'ready') throw new Error(`${node.name} does not answer`)
        const [row] = await ask<{ holds: string }>(node, this.#control, {
          sql: `SELECT toString(holds) AS holds FROM publications WHERE database = {database:String}
                ORDER BY published_at DESC LIMIT 1`,
          params: { database },
        })
        if (!row) continue
        this.#published.set(key, row.holds)
        forgetFirst(this.#published, this.#nodes.length)
        return row.holds
      } catch (error) {
        // what only copies do not know may be published all the same
        if (node === this.#nodes[0]) failure = error
      }
    }
    if (failure) throw failure
    return null
  }

  #keep(node: Node, database: string, holds: boolean, forMs: number): void {
    let known = this.#known.get(database)
    if (!known) {
      known = new Map()
      this.#known.set(database, known)
      forgetFirst(this.#known)
    }
    known.set(node, { holds, until: Date.now() + forMs, losses: node.losses })
  }
}

function forgetFirst(map: Map<string, unknown>, each = 1): void {
  if (map.size > MOST_VERSIONS * each) map.delete(map.keys().next().value!)
}

const ask = <T>(node: Node, database: string, query: { sql: string; params: Record<string, unknown> }) =>
  node.attempt(AbortSignal.timeout(LONGEST_LOOK_MS), (connection, signal) =>
    connection.rows<T>({ ...query, database, signal }),
  )
