/** The command was used wrongly (a path that is not there, no files where files are needed): exit 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What was given cannot be loaded. The message names the file, what was expected and what was found. */
export class LoadError extends Error {
  override name = 'LoadError'
}

/** The words of an error for a user, without its stack. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
