import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Job, JobResult } from './job.ts'

/** The load generator's process: one for a whole run, so that it is warm in every cell. */
export class LoadGenerator {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'process.ts'), {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
    })
  }

  async run(job: Job): Promise<JobResult> {
    const over = new AbortController()
    const ended = once(this.#child, 'exit', { signal: over.signal }).then(([code]) => {
      throw new Error(`the load generator ended with ${code}`)
    })
    ended.catch(() => {})
    const answered = once(this.#child, 'message')
    this.#child.send(job)
    const [message] = (await Promise.race([answered, ended])) as [{ result?: JobResult; error?: string }]
    over.abort()
    if (!message.result) throw new Error(message.error)
    return message.result
  }

  close(): void {
    this.#child.disconnect()
  }
}
