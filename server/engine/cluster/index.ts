import { shardDatabase } from '../../../sql/derive/shards.ts'
import { rowsOf } from '../../../sql/rows.ts'
import type { Config } from '../../config/config.ts'
import { prepareControlOn } from '../control.ts'
import { type Lack, lackingSql, wordsOf } from '../damage.ts'
import type { Logger } from '../engine.ts'
import { EngineUnavailable } from '../errors.ts'
import { isConnectionLoss } from '../http.ts'
import type { Node } from '../node.ts'
import type { Place, Places } from '../place.ts'
import { dropDatabase, versionDatabases } from '../places.ts'
import { ClusterPlace } from './place.ts'
import { ClusterError, shardNodes } from './shards.ts'

/** The servers at CLICKHOUSE_URL as the shards of CLICKHOUSE_CLUSTER, and the copies of these. */
export class ClusterPlaces implements Places {
  readonly #nodes: readonly Node[]
  readonly #config: Config
  readonly #log: Logger

  /** @param nodes the first has the control database */
  constructor(nodes: readonly Node[], config: Config, log: Logger) {
    this.#nodes = nodes
    this.#config = config
    this.#log = log
  }

  get #up(): readonly Node[] {
    return this.#nodes.filter((node) => node.state() === 'ready')
  }

  /**
   * @throws ClusterError where the servers are not the cluster, or the base was made by one server or other shards;
   *   EngineUnavailable where of a shard none answers that holds the base
   */
  async create(database: string, base: string | null): Promise<Place> {
    const name = this.#config.clickhouseCluster
    const shards = await shardNodes(this.#nodes, name)
    await Promise.all(
      this.#up.map(({ connection }) =>
        prepareControlOn((of) => connection.loader(of), this.#config.clickhouseDatabase),
      ),
    )
    const holding = new Set<Node>()
    if (base) {
      await this.#assertDivided(base)
      await Promise.all(this.#up.map(async (node) => (await this.#holds(node, base)) && holding.add(node)))
    }
    const leaders = shards.map((nodes, index) => {
      const able = nodes.filter((node) => !base || holding.has(node))
      const leader = able.find((node) => node === this.#nodes[0]) ?? able[0]
      if (leader) return leader
      throw new EngineUnavailable(
        `of shard ${index + 1} of ${name} no server answers${base ? ` that holds ${base}` : ''}: nothing can be built`,
      )
    })
    const [first] = this.#nodes
    if (!leaders.includes(first!))
      throw new EngineUnavailable(`${first!.name} does not answer: nothing can be built`)
    const copies = shards.flatMap((nodes, index) =>
      nodes
        .filter((node) => node !== leaders[index])
        .map((node) => ({ node, leader: leaders[index]!, holdsBase: holding.has(node) })),
    )
    const ordered = [first!, ...leaders.filter((node) => node !== first)] as const
    const place = new ClusterPlace({ name, leaders: ordered, copies, log: this.#log }, database, base)
    try {
      await place.begin()
    } catch (error) {
      await this.drop(database, true).catch(() => {})
      throw error
    }
    return place
  }

  async #assertDivided(base: string): Promise<void> {
    const control = this.#nodes[0]!.connection.loader()
    const found = await rowsOf(control, 'SELECT name FROM system.databases WHERE name = {name:String}', {
      name: shardDatabase(base),
    })
    if (found.length === 0)
      throw new ClusterError(
        `The data version ${base} lies on one server, and is not divided between those of ${this.#config.clickhouseCluster}: ` +
          'load the files again with another CLICKHOUSE_DATABASE (docs/operating.md, Cluster).',
      )
  }

  /** Whether a server has all that it recorded of a version. */
  async #holds(node: Node, database: string): Promise<boolean> {
    const lacks = await rowsOf<Lack>(
      node.connection.loader(),
      lackingSql(
        'SELECT holds FROM publications WHERE database = {database:String} ORDER BY published_at DESC LIMIT 1',
      ),
      { database },
    )
    if (lacks.length > 0)
      this.#log.warn({ node: node.name, database, lacks: wordsOf(lacks) }, 'a server lacks rows')
    const recorded = await rowsOf(
      node.connection.loader(),
      'SELECT 1 FROM publications WHERE database = {database:String} LIMIT 1',
      { database },
    )
    return lacks.length === 0 && recorded.length > 0
  }

  async databases(): Promise<string[]> {
    const found = await Promise.all(
      this.#up.map((node) => versionDatabases(node.connection.loader()).catch(() => [])),
    )
    return [...new Set(found.flat())]
  }

  /** On every server that answers; on the others it is dropped when they are there again. */
  async drop(database: string, wait: boolean): Promise<void> {
    const own = shardDatabase(database)
    await Promise.all(
      this.#up.map(async (node) => {
        try {
          for (const name of [database, own, `${own}_making`])
            await dropDatabase(node.connection.loader('default'), name, wait)
        } catch (error) {
          node.noticed(error)
          if (!isConnectionLoss(error)) throw error
        }
      }),
    )
  }
}
