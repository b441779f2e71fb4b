/** Embedded engines of this machine as the servers of a ClickHouse cluster. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { readConfig } from '../../server/config/config.ts'
import type { Address } from '../../server/engine/address.ts'
import { type Child, startChild } from '../../server/engine/child.ts'

/** A server. */
export interface ClusterNode {
  readonly url: string
  /** Statements as the loader's user. */
  readonly address: Address
  /** As a power cut would end it. */
  kill(): Promise<void>
  /** At the same addresses, with what lies on its disk. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly shards: number
  readonly copies?: number
  /** Where the n-th server keeps its data. */
  readonly folder: (n: number) => Promise<string>
  /** Another port by which the others reach a server, as of a proxy. */
  readonly through?: (port: number) => Promise<number>
}

export interface Cluster {
  /** The first shard is 1. */
  readonly nodes: readonly (ClusterNode & { readonly shard: number })[]
  /** The settings of who uses them. */
  readonly env: Record<string, string>
}

/** What the cluster is called in the servers' configuration. */
const CLUSTER = 'banks'

/** Starts the servers: the first copies of all shards, then the second ones. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { shards, copies = 1, folder, through = async (port) => port } = options
  const known = users()
  const among = secret()
  const places = Array.from({ length: shards * copies }, (_, n) => (n % shards) + 1)
  const ports = await freePorts(places.length)
  const reached: number[] = []
  for (const port of ports) reached.push(await through(port))
  const nodes: Cluster['nodes'][number][] = []
  for (const [n, shard] of places.entries()) {
    const remote = Array.from({ length: shards }, (_, index) => ({
      internal_replication: 'true',
      replica: places.flatMap((of, other) =>
        // a server knows itself by its own port
        of === index + 1 ? [{ host: '127.0.0.1', port: other === n ? ports[n]! : reached[other]! }] : [],
      ),
    }))
    const elements = {
      tcp_port: ports[n]!,
      remote_servers: { [CLUSTER]: { secret: among, shard: remote } },
    }
    nodes.push({ ...(await startNode(await folder(n), known, elements)), shard })
  }
  return {
    nodes,
    env: {
      CLICKHOUSE_URL: nodes.map(({ url }) => url).join(','),
      CLICKHOUSE_CLUSTER: CLUSTER,
      ...known.env,
    },
  }
}

const secret = (): string => randomBytes(16).toString('hex')

/** One that reads and one that loads, and the settings of who uses them. */
export function users() {
  const reader = { name: 'reader', password: secret() }
  const loader = { name: 'loader', password: secret() }
  const env = {
    CLICKHOUSE_USER: loader.name,
    CLICKHOUSE_PASSWORD: loader.password,
    CLICKHOUSE_READER_USER: reader.name,
    CLICKHOUSE_READER_PASSWORD: reader.password,
  }
  return { reader, loader, env }
}

/** Starts a server over a folder. @param elements of its configuration, beside what an embedded engine has */
export async function startNode(
  folder: string,
  { reader, loader }: ReturnType<typeof users>,
  elements?: Parameters<typeof startChild>[2],
): Promise<ClusterNode> {
  const config = readConfig({ DATA_DIR: folder, ENGINE_MEMORY_MIB: '2000', ENGINE_CACHE_MIB: '64' })
  let child: Child = await startChild(config, { url: 'http://127.0.0.1:0', reader, loader }, elements)
  const address = child.file
  return {
    url: address.url,
    address,
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
    stop: () => child.stop(),
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
