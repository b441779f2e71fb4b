import { type DestinationStream, type Logger, pino } from 'pino'
import { withoutSecrets } from '../access/secret.ts'
import type { Config } from '../config/config.ts'

/** What waits in memory is written after so long. */
const FLUSH_MS = 500

/**
 * The server's log: one JSON object a line. No key is ever in it: headers are not logged, and what looks like a key
 * is taken out of each line as it is written, whatever it came in by.
 * @param destination in place of stdout, for tests
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    hooks: { streamWrite: withoutSecrets },
  }
  if (destination) return pino(options, destination)
  // in blocks: a system call for each line would cost more than an answer from memory
  const stdout = pino.destination({ dest: 1, sync: false, minLength: 8192 })
  setInterval(() => stdout.flush(), FLUSH_MS).unref()
  return pino(options, stdout)
}
