/** The command was used wrongly (a path that is not there, no files where files are needed): exit 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const LONGEST = 2_000

/** What was given cannot be loaded. The message names the file, what was expected and what was found. */
export class LoadError extends Error {
  override name = 'LoadError'
  constructor(message: string) {
    // What stands in a file, or names one, is no command to a terminal, and may be long.
    super(message.slice(0, LONGEST).replace(/\p{Cc}/gu, '\uFFFD'))
  }
}

/** The words of an error for a user, without its stack. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
