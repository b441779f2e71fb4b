import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import { ClusterPlaces } from './cluster/index.ts'
import type { Connection } from './connection.ts'
import {
  type Engine,
  type EngineState,
  isUp,
  type Logger,
  type NodeState,
  type ReadQuery,
  type ReadResult,
} from './engine.ts'
import {
  AnswerCut,
  BadQuery,
  DataDamaged,
  EngineStartError,
  EngineUnavailable,
  isReported,
} from './errors.ts'
import { usersOf } from './external.ts'
import { Holdings } from './holdings.ts'
import { asEngineError, isConnectionLoss, isUnreached } from './http.ts'
import { Node } from './node.ts'
import type { Places } from './place.ts'

const LONGEST_PAUSE_MS = 30_000
/** A read that two nodes took and lost may be what ended them: it is not sent to a third. What a node reports has not ended it. */
const MOST_LOST = 2
// ClickHouse's UNKNOWN_TABLE and UNKNOWN_DATABASE
const MISSING = new Set([60, 81])
/** What another node may answer all the same; the last is a small answer that was not whole. */
const ELSEWHERE = [EngineUnavailable, DataDamaged, AnswerCut]

/** What a node has had to do. */
interface Work {
  inside: number
  reads: number
  lost: number
}

/**
 * Several ClickHouse servers at CLICKHOUSE_URL that hold the same data versions, each whole or, in a cluster, the rows of
 * its shard and the way to the others'. A read goes to the least busy of those
 * that answer and hold its version whole, and once more to another where it was lost before its answer began. What is
 * written, and the control database, is the first one's alone.
 */
export class ReplicatedEngine implements Engine {
  readonly config: Config
  readonly places?: Places
  readonly #log: Logger
  readonly #starts: boolean
  readonly #first: Node
  readonly #nodes: readonly Node[]
  readonly #work: ReadonlyMap<Node, Work>
  readonly #holdings: Holdings
  /** The version that was read last. */
  #database: string | undefined
  #turn = 0

  /** @param starts whether this process writes (a start, a load): then the first server must answer when it opens */
  constructor(config: Config, log: Logger, starts = true) {
    this.config = config
    this.#log = log
    this.#starts = starts
    const users = usersOf(config, log)
    // who can be asked elsewhere is given up before a query's time is over
    const patience = { patienceMs: config.querySeconds * 500, longestPauseMs: LONGEST_PAUSE_MS }
    this.#nodes = config.clickhouseUrl.map((url) => new Node(url, users, config, log, patience))
    this.#first = this.#nodes[0]!
    this.#work = new Map(this.#nodes.map((node) => [node, { inside: 0, reads: 0, lost: 0 }]))
    const divided = config.clickhouseCluster !== ''
    this.#holdings = new Holdings(this.#nodes, config.clickhouseDatabase, log, divided)
    if (divided) this.places = new ClusterPlaces(this.#nodes, config, log)
  }

  /** @throws EngineStartError where a node refuses its user, the first one is needed and away, or all are */
  async open(): Promise<void> {
    const opened = await Promise.allSettled(this.#nodes.map((node) => node.open()))
    for (const [index, one] of opened.entries()) {
      if (one.status === 'fulfilled') continue
      const away = isConnectionLoss((one.reason as EngineStartError).cause)
      if (!away || (index === 0 && this.#starts)) throw one.reason
      this.#log.warn({ node: this.#nodes[index]!.name }, 'a node of CLICKHOUSE_URL does not answer yet')
    }
    if (opened.every(({ status }) => status === 'rejected')) {
      throw new EngineStartError('UNREACHABLE', 'None of the ClickHouse servers at CLICKHOUSE_URL answers.')
    }
  }

  read(query: ReadQuery): Promise<ReadResult> {
    return this.#anywhere(query, async (connection, signal, ended) => {
      const result = await connection.read({ ...query, signal }, false)
      result.stream.once('close', ended)
      return result
    })
  }

  rows<T>(query: Omit<ReadQuery, 'format'>): Promise<T[]> {
    return this.#anywhere(query, async (connection, signal, ended) => {
      const rows = await connection.rows<T>({ ...query, signal }, false)
      ended()
      return rows
    })
  }

  loader(database?: string): ClickHouseClient {
    return this.#first.connection.loader(database)
  }

  /** `ready` while any node can answer for the version that is read. */
  state(): EngineState {
    if (this.nodes().some(isUp)) return 'ready'
    const states = this.#nodes.map((node) => node.state())
    return states.find((state) => state === 'starting' || state === 'stalled') ?? 'down'
  }

  nodes(): readonly NodeState[] {
    return this.#nodes.map((node) => ({
      name: node.name,
      state: node.state(),
      holds: this.#database === undefined || this.#holdings.of(node, this.#database) !== false,
      ...this.#work.get(node)!,
    }))
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()))
  }

  /** @param ask what is asked of a node; it calls `ended` when the node has no more work of it */
  async #anywhere<T>(
    { database, signal }: Pick<ReadQuery, 'database' | 'signal'>,
    ask: (connection: Connection, signal: AbortSignal, ended: () => void) => Promise<T>,
  ): Promise<T> {
    const tried = new Set<Node>()
    let failure: unknown = new EngineUnavailable('no engine that holds the data version answers')
    for (let lost = 0; lost < MOST_LOST; ) {
      const node = await this.#choose(database, tried)
      if (!node) break
      tried.add(node)
      const work = this.#work.get(node)!
      const ended = (): void => void work.inside--
      work.inside++
      work.reads++
      try {
        return await node.attempt(signal, (connection, until) => ask(connection, until, ended))
      } catch (error) {
        ended()
        node.noticed(error)
        failure = asEngineError(error)
        if (signal?.aborted) break
        const lacks = await this.#lacks(node, database, error)
        if (lacks)
          failure = new EngineUnavailable('no engine that holds the data version answers', { cause: error })
        else if (!ELSEWHERE.some((kind) => failure instanceof kind)) break
        work.lost++
        if (!lacks && !isUnreached(error) && !isReported(error)) lost++
      }
    }
    throw failure
  }

  /** The least busy of those that can answer; each of them in turn where they are alike. */
  async #choose(database: string, tried: ReadonlySet<Node>): Promise<Node | undefined> {
    const up = (node: Node): boolean => node.state() === 'ready' && !tried.has(node)
    // the first one's alone: the control database, and what it is building
    if (!database.startsWith(`${this.config.clickhouseDatabase}_v_`))
      return up(this.#first) ? this.#first : undefined
    this.#database = database
    const holding = (): Node[] =>
      this.#nodes.filter((node) => up(node) && this.#holdings.holds(node, database))
    let able = holding()
    if (able.length === 0) {
      await this.#holdings.ask(this.#nodes.filter(up), database)
      able = holding()
    }
    const turn = this.#turn++
    let best: Node | undefined
    for (let n = 0; n < able.length; n++) {
      const node = able[(turn + n) % able.length]!
      if (!best || this.#work.get(node)!.inside < this.#work.get(best)!.inside) best = node
    }
    return best
  }

  /** Whether it failed because the node has not all of the version any more, rather than because of the query. */
  async #lacks(node: Node, database: string, error: unknown): Promise<boolean> {
    if (!(error instanceof BadQuery && MISSING.has(error.clickhouseCode))) return false
    await this.#holdings.ask([node], database)
    return !this.#holdings.of(node, database)
  }
}
