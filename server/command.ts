/** What the commands of the server have in common: their exit codes, and how they report errors. */
import { type Command, CommanderError } from 'commander'
import { ConfigError } from './config/config.ts'
import { DataDamaged, EngineStartError } from './engine/errors.ts'
import { say } from './progress.ts'

type Kinds = readonly (new (...args: never[]) => Error)[]

export interface CommandRules {
  /** Further errors whose message says it all, or `all`; of any other the stack is printed. */
  readonly expected: Kinds | 'all'
  /** Further errors of bad usage. */
  readonly usage?: Kinds
}

/**
 * Runs a command line; where it has subcommands and none is given it prints the help.
 * @returns the exit code: 0 done, 2 bad usage or settings, 1 anything else
 */
export async function runCommand(
  program: Command,
  argv: string[],
  { expected, usage = [] }: CommandRules,
): Promise<number> {
  const isOf = (error: unknown, kinds: Kinds) => kinds.some((kind) => error instanceof kind)
  try {
    if (argv.length === 0 && program.commands.length > 0) program.help({ error: true })
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const said =
      expected === 'all' || isOf(error, [ConfigError, DataDamaged, EngineStartError, ...expected, ...usage])
    const text = error instanceof Error ? (said ? error.message : error.stack) : String(error)
    say(String(text))
    return isOf(error, [ConfigError, ...usage]) ? 2 : 1
  }
}
