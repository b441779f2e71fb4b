import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { temporaryFolder } from './engine.ts'

const installed = ['/usr/bin/redis-server', '/usr/local/bin/redis-server']

/** Where a redis-server is, of `REDIS_SERVER` or of the usual places; undefined where none is. */
export async function redisPath(): Promise<string | undefined> {
  for (const path of process.env.REDIS_SERVER ? [process.env.REDIS_SERVER] : installed) {
    const there = await access(path).then(
      () => true,
      () => false,
    )
    if (there) return path
  }
  return undefined
}

export interface TestRedis {
  url: string
  /** Ends it without a word, and starts it again on what it had written. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** A redis-server of this test alone, which writes everything down. Gone when the test ends. */
export async function openRedis(t: Test, path: string): Promise<TestRedis> {
  const folder = await temporaryFolder(t)
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--dir', folder]
  let child: ReturnType<typeof spawn> | undefined
  const redis: TestRedis = {
    url,
    async start() {
      child = spawn(path, ['--port', String(port), '--bind', '127.0.0.1', ...settings], { stdio: 'ignore' })
      const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
      client.on('error', () => {})
      while ((await client.ping().catch(() => '')) !== 'PONG') await wait(50)
      client.disconnect()
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
  t.teardown(() => redis.kill())
  await redis.start()
  return redis
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
