import { rowsOf } from '../../../sql/rows.ts'
import { EngineError } from '../errors.ts'
import type { Node } from '../node.ts'

/** The servers do not make up the cluster that CLICKHOUSE_CLUSTER names. */
export class ClusterError extends EngineError {
  override name = 'ClusterError'
  override readonly code = 'CLUSTER'
}

/** Servers by their shard: the first of the array are those of shard 1. */
export type ShardNodes = readonly (readonly Node[])[]

/**
 * Which of the servers at CLICKHOUSE_URL belong to which shard of a cluster, as each says of itself. Those that do not answer
 * are left out.
 * @throws ClusterError where one knows no such cluster, is in none of its shards, or counts other shards than the others do
 */
export async function shardNodes(nodes: readonly Node[], cluster: string): Promise<ShardNodes> {
  const up = nodes.filter((node) => node.state() === 'ready')
  const told = await Promise.all(
    up.map(async (node) => {
      const [found] = await rowsOf<{ shards: number; own: number[] }>(
        node.connection.loader('default'),
        `SELECT toUInt32(max(shard_num)) AS shards, groupUniqArrayIf(shard_num, is_local) AS own
         FROM system.clusters WHERE cluster = {cluster:String}`,
        { cluster },
      )
      return { node, ...found! }
    }),
  )
  const shards = told[0]?.shards ?? 0
  for (const { node, shards: count, own } of told) {
    if (count === 0) throw new ClusterError(`${node.name} knows no cluster ${cluster} (remote_servers)`)
    if (count !== shards)
      throw new ClusterError(
        `${node.name} counts ${count} shards in ${cluster}, ${told[0]!.node.name} ${shards}`,
      )
    if (own.length !== 1)
      throw new ClusterError(`${node.name} is in ${own.length} shards of ${cluster}: expected one`)
  }
  return Array.from({ length: shards }, (_, index) =>
    told.filter(({ own }) => own[0] === index + 1).map(({ node }) => node),
  )
}
