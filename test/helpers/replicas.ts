import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { readConfig } from '../../server/config/config.ts'
import { type Address, enginePaths } from '../../server/engine/address.ts'
import { type Child, startChild } from '../../server/engine/child.ts'
import { temporaryFolder } from './engine.ts'
import { copyUniverse } from './universe-folder.ts'

/** A ClickHouse server over a copy of the tests' universe. */
export interface Replica {
  readonly url: string
  /** Where it may read and write backups. */
  readonly backups: string
  /** As a power cut would end it. */
  kill(): Promise<void>
  /** At the same address, with what lies on its disk. */
  start(): Promise<void>
}

/**
 * Embedded engines as servers of one user each for reading and loading, over copies of one universe. They end with the test.
 * @returns them, and the settings of who uses them
 */
export async function replicas(
  t: Test,
  count: number,
): Promise<{ replicas: Replica[]; env: Record<string, string> }> {
  const secret = (): string => randomBytes(16).toString('hex')
  const reader = { name: 'reader', password: secret() }
  const loader = { name: 'loader', password: secret() }
  const made: Replica[] = []
  for (let n = 0; n < count; n++) made.push(await replica(t, { url: 'http://127.0.0.1:0', reader, loader }))
  return {
    replicas: made,
    env: {
      CLICKHOUSE_URL: made.map(({ url }) => url).join(','),
      CLICKHOUSE_USER: loader.name,
      CLICKHOUSE_PASSWORD: loader.password,
      CLICKHOUSE_READER_USER: reader.name,
      CLICKHOUSE_READER_PASSWORD: reader.password,
    },
  }
}

async function replica(t: Test, wanted: Address): Promise<Replica> {
  const folder = await temporaryFolder(t)
  await copyUniverse(folder)
  const config = readConfig({ DATA_DIR: folder, ENGINE_MEMORY_MIB: '1500', ENGINE_CACHE_MIB: '64' })
  let child: Child = await startChild(config, wanted)
  const address = child.file
  t.teardown(() => child.stop())
  return {
    url: address.url,
    backups: enginePaths(config).backups,
    async kill() {
      // what was started keeps no process alive that has nothing else to do
      const waiting = setInterval(() => {}, 1_000)
      process.kill(child.file.pid, 'SIGKILL')
      await child.ended
      clearInterval(waiting)
    },
    async start() {
      child = await startChild(config, address)
    },
  }
}
