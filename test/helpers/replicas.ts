import type { Test } from 'tap'
import { type ClusterNode, startNode, users } from '../../bench/shards/nodes.ts'
import { readConfig } from '../../server/config/config.ts'
import { enginePaths } from '../../server/engine/address.ts'
import { temporaryFolder } from './engine.ts'
import { copyUniverse } from './universe-folder.ts'

/** A ClickHouse server over a copy of the tests' universe. */
export interface Replica extends ClusterNode {
  /** Where it may read and write backups. */
  readonly backups: string
}

/**
 * Embedded engines as servers of one user each for reading and loading, over copies of one universe. They end with the test.
 * @returns them, and the settings of who uses them
 */
export async function replicas(
  t: Test,
  count: number,
): Promise<{ replicas: Replica[]; env: Record<string, string> }> {
  const known = users()
  const made: Replica[] = []
  for (let n = 0; n < count; n++) {
    const folder = await temporaryFolder(t)
    await copyUniverse(folder)
    const node = await startNode(folder, known)
    t.teardown(() => node.stop())
    made.push({ ...node, backups: enginePaths(readConfig({ DATA_DIR: folder })).backups })
  }
  return { replicas: made, env: { CLICKHOUSE_URL: made.map(({ url }) => url).join(','), ...known.env } }
}
