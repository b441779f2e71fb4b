/** How many processes answer, and what each of them may use. */
import { availableParallelism } from 'node:os'
import type { Config } from '../config/config.ts'

/** How many processes the settings ask for. */
export const processesOf = ({ processes }: Pick<Config, 'processes'>): number =>
  processes === 0 ? availableParallelism() : processes

/** What is for all processes together, as far as it is this one's. The resident tables each of them holds whole. */
export function shareOf(config: Config): Config {
  const count = processesOf(config)
  const share = (whole: number): number => Math.ceil(whole / count)
  return {
    ...config,
    maxConcurrentQueries: share(config.maxConcurrentQueries),
    cacheMib: share(config.cacheMib),
    cacheAnswerMib: share(config.cacheAnswerMib),
    cacheFilesMib: share(config.cacheFilesMib),
    historyMemoryMib: share(config.historyMemoryMib),
  }
}
