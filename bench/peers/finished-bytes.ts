import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Format, Question } from '../question.ts'
import type { Contestant } from './contestant.ts'
import { freePort, startServer } from './server-process.ts'

/** What the limit serves: the bytes of one answer of each workload and format. */
export interface Finished {
  readonly key: string
  readonly format: Format
  readonly body: Buffer
}

/**
 * The limit: Fastify that sends bytes which lie in its memory. A question is known by its kind alone, so the same
 * one answer stands for all of a workload; `name` says which workload is being asked.
 */
export async function finishedBytes(folder: string, answers: readonly Finished[]): Promise<Contestant> {
  const bytes = join(folder, 'finished')
  await mkdir(bytes, { recursive: true })
  for (const { key, format, body } of answers) await writeFile(join(bytes, `${key}.${format}`), body)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const script = join(import.meta.dirname, 'finished-bytes-server.ts')
  const args = ['--import', 'tsx', script, String(port), bytes]
  const server = await startServer(process.execPath, args, `${origin}/`)
  return {
    name: 'limit',
    title: 'limit: Fastify, finished bytes',
    origin,
    pids: [server.pid],
    keeps: true,
    ask: (_: Question, format, key) => ({ path: `/${key}.${format}` }),
    rows: () => [],
    close: () => server.stop(),
  }
}
