import type { Test } from 'tap'
import * as nodes from '../../bench/shards/nodes.ts'
import { temporaryFolder } from './engine.ts'
import { type TcpProxy, tcpProxy } from './tcp-proxy.ts'

export interface Cluster extends nodes.Cluster {
  /** Of each server, the network by which the others reach it. */
  readonly networks: readonly TcpProxy[]
}

/** Embedded engines as the servers of a cluster, which end with the test. */
export async function cluster(t: Test, { shards = 2, copies = 1 } = {}): Promise<Cluster> {
  const networks: TcpProxy[] = []
  const made = await nodes.startCluster({
    shards,
    copies,
    folder: () => temporaryFolder(t),
    async through(port) {
      const network = await tcpProxy(t, `http://127.0.0.1:${port}`)
      networks.push(network)
      return Number(new URL(network.url).port)
    },
  })
  t.teardown(() => Promise.all(made.nodes.map((node) => node.stop())))
  return { ...made, networks }
}
