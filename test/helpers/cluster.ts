import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import type { Test } from 'tap'
import { readConfig } from '../../server/config/config.ts'
import type { Address } from '../../server/engine/address.ts'
import { type Child, startChild } from '../../server/engine/child.ts'
import { temporaryFolder } from './engine.ts'

/** A server of a cluster. */
export interface ClusterNode {
  readonly url: string
  /** 1 for the first. */
  readonly shard: number
  /** As a power cut would end it. */
  kill(): Promise<void>
  /** At the same addresses, with what lies on its disk. */
  start(): Promise<void>
}

/** What the cluster is called in the servers' configuration. */
const CLUSTER = 'banks'

/**
 * Embedded engines as the servers of a cluster: the first copies of all shards, then the second ones. They end with the test.
 * @param through another port for one that the others reach by it, as of a proxy, given its own
 * @returns them, and the settings of who uses them
 */
export async function cluster(
  t: Test,
  { shards = 2, copies = 1, through = async (port: number) => port } = {},
): Promise<{ nodes: ClusterNode[]; env: Record<string, string> }> {
  const secret = (): string => randomBytes(16).toString('hex')
  const reader = { name: 'reader', password: secret() }
  const loader = { name: 'loader', password: secret() }
  const among = secret()
  const places = Array.from({ length: shards * copies }, (_, n) => (n % shards) + 1)
  const ports = await freePorts(places.length)
  const reached = await Promise.all(ports.map(through))
  const nodes: ClusterNode[] = []
  for (const [n, shard] of places.entries()) {
    const remote = Array.from({ length: shards }, (_, index) => ({
      internal_replication: 'true',
      replica: places.flatMap((of, other) =>
        // it is itself where the port is its own
        of === index + 1 ? [{ host: '127.0.0.1', port: other === n ? ports[n]! : reached[other]! }] : [],
      ),
    }))
    const elements = {
      tcp_port: ports[n]!,
      remote_servers: { [CLUSTER]: { secret: among, shard: remote } },
    }
    nodes.push(await node(t, shard, { url: 'http://127.0.0.1:0', reader, loader }, elements))
  }
  return {
    nodes,
    env: {
      CLICKHOUSE_URL: nodes.map(({ url }) => url).join(','),
      CLICKHOUSE_CLUSTER: CLUSTER,
      CLICKHOUSE_USER: loader.name,
      CLICKHOUSE_PASSWORD: loader.password,
      CLICKHOUSE_READER_USER: reader.name,
      CLICKHOUSE_READER_PASSWORD: reader.password,
    },
  }
}

async function node(
  t: Test,
  shard: number,
  wanted: Address,
  elements: Parameters<typeof startChild>[2],
): Promise<ClusterNode> {
  const folder = await temporaryFolder(t)
  const config = readConfig({ DATA_DIR: folder, ENGINE_MEMORY_MIB: '2000', ENGINE_CACHE_MIB: '64' })
  let child: Child = await startChild(config, wanted, elements)
  const address = child.file
  t.teardown(() => child.stop())
  return {
    url: address.url,
    shard,
    async kill() {
      // what was started keeps no process alive that has nothing else to do
      const waiting = setInterval(() => {}, 1_000)
      process.kill(child.file.pid, 'SIGKILL')
      await child.ended
      clearInterval(waiting)
    },
    async start() {
      child = await startChild(config, address, elements)
    },
  }
}

/** Held open together, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer()
      return new Promise<typeof server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
