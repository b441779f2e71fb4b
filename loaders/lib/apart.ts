import { Piscina } from 'piscina'
import { threadArguments } from '../../workers/pool.ts'
import { LoadError, wordsOf } from './errors.ts'
import { limits } from './limits.ts'

/** What a thread does: an exported function of a module (by its address), and what it is given. */
export interface ThreadWork {
  module: string
  name: string
  payload: unknown
}

/** Threads for work on a file, one thing after the other. */
export interface Apart {
  /** @throws LoadError naming the place, whatever the function threw */
  run<T>(place: string, work: ThreadWork): Promise<T>
  close(): Promise<void>
}

/** Opens threads that are ended when one thing takes too long or too much memory. */
export function openApart(
  maxThreads: number,
  { seconds, mebibytes }: typeof limits.thread = limits.thread,
): Apart {
  const threads = new Piscina({
    minThreads: 0,
    maxThreads,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: mebibytes },
    execArgv: threadArguments,
  })
  return {
    async run<T>(place: string, { module, name, payload }: ThreadWork): Promise<T> {
      const deadline = new AbortController()
      // Not one that lets the process end before its time: nothing else may be under way.
      const timer = setTimeout(() => deadline.abort(), seconds * 1000)
      try {
        return await threads.run(payload, { filename: module, name, signal: deadline.signal })
      } catch (error) {
        const { code } = error as { code?: unknown }
        if (deadline.signal.aborted) throw new LoadError(`${place}: was not read within ${seconds} seconds`)
        if (code === 'ERR_WORKER_OUT_OF_MEMORY')
          throw new LoadError(`${place}: takes more than ${mebibytes} MiB of memory to read`)
        const words = wordsOf(error)
        throw new LoadError(words.startsWith(place) ? words : `${place}: cannot be read: ${words}`)
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => threads.destroy(),
  }
}

/**
 * Runs a function that parses a file as a whole in a thread of its own, which is ended when it takes too long or too
 * much memory: whatever the file does to the parser, it does it to that thread.
 * @param work `module` is mostly made of `import.meta.url` of the caller; the function returns what can be cloned
 * @throws LoadError naming the place, whatever the function threw
 */
export async function apart<T>(place: string, work: ThreadWork, most?: typeof limits.thread): Promise<T> {
  const threads = openApart(1, most)
  try {
    return await threads.run<T>(place, work)
  } finally {
    await threads.close()
  }
}
