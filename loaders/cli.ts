import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import pino from 'pino'
import { ConfigError, readConfig } from '../server/config.ts'
import { openEngine } from '../server/engine/engine.ts'
import { UsageError, wordsOf } from './lib/errors.ts'
import { openProgress, type Progress } from './lib/progress.ts'
import { publishing } from './lib/publishing.ts'
import { exitCodeOf, reportLines } from './lib/report.ts'
import { type LoadOutcome, runLoad } from './lib/run.ts'
import type { Refusal, Source } from './lib/source.ts'
import { sources } from './sources.ts'

interface Flags {
  json?: boolean
  force?: boolean
}

/** 0: everything given was published or was there already; 2: bad usage; 1: anything else. */
async function main(argv: string[]): Promise<number> {
  let exitCode = 0
  const program = new Command('npm run load --')
    .description("Loads an agency's files and publishes them as a new data version.")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('(npm run load -- --help lists the sources)')
  for (const source of sources) {
    program
      .command(source.key)
      .summary(`${source.publisher}\n${source.address}`)
      .description(describe(source))
      .argument('[paths...]', source.download ? 'files or folders; none: download' : 'files or folders')
      .option('--json', 'a JSON object as the last line, for machines')
      .option(
        '--force',
        'load even what is there already, or what is older or smaller than the edition in force',
      )
      .action(async (paths: string[], flags: Flags) => {
        exitCode = await load(source, paths, flags)
      })
  }
  try {
    if (argv.length === 0) program.help({ error: true })
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`${wordsOf(error)}\n`)
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1
  }
}

function describe({ name, what, publisher, address, licence, howToGet }: Source): string {
  return [
    `${name}. ${what}`,
    `Publisher: ${publisher}`,
    `Address:   ${address}`,
    `Licence:   ${licence}`,
    howToGet ?? '',
  ]
    .join('\n')
    .trim()
}

async function load(source: Source, paths: string[], { json, force }: Flags): Promise<number> {
  if (paths.length === 0 && !source.download) throw new UsageError(`No files were given.\n${source.howToGet}`)
  const config = readConfig(process.env)
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const progress = openProgress(process.stderr)
  try {
    const outcome = await withFiles(source, paths, progress, async (files, missing) => {
      const engine = await openEngine(config, log)
      try {
        return await runLoad(engine, source, files, {
          force,
          progress,
          log,
          publishing,
          missing,
        })
      } finally {
        await engine.close()
      }
    })
    progress.close()
    return tell(outcome, json ?? false)
  } finally {
    progress.close()
  }
}

/** Calls `use` with the given paths, or with what was downloaded into a folder that is removed afterwards. */
async function withFiles<T>(
  source: Source,
  paths: string[],
  progress: Progress,
  use: (paths: string[], missing: Refusal[]) => Promise<T>,
): Promise<T> {
  if (paths.length > 0 || !source.download) return use(paths, [])
  const missing: Refusal[] = []
  const folder = await mkdtemp(join(tmpdir(), 'load-'))
  try {
    return await use(await source.download(folder, progress, (one) => void missing.push(one)), missing)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function tell(outcome: LoadOutcome, json: boolean): number {
  const exitCode = exitCodeOf(outcome)
  if (outcome.editions.length === 0)
    process.stderr.write('No file of this source was found at the given paths.\n')
  const lines = json ? [JSON.stringify({ ...outcome, exitCode })] : reportLines(outcome)
  for (const line of lines) process.stdout.write(`${line}\n`)
  return outcome.editions.length === 0 ? 1 : exitCode
}

process.exitCode = await main(process.argv.slice(2))
