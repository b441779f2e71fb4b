import { Command } from 'commander'
import pino from 'pino'
import { runCommand } from '../server/command.ts'
import { readConfig } from '../server/config/config.ts'
import { openEngine } from '../server/engine/open.ts'
import { publishing } from '../server/publishing.ts'
import { canBeFetched, checkSourceSettings, lackingSettings } from './fetch/fetching.ts'
import { fetchAndLoad } from './fetch/load.ts'
import { UsageError } from './lib/errors.ts'
import { openProgress } from './lib/progress.ts'
import { exitCodeOf, reportLines } from './lib/report.ts'
import { type LoadOutcome, runLoad } from './lib/run.ts'
import type { Source } from './lib/source.ts'
import { sources } from './sources.ts'

interface Flags {
  json?: boolean
  force?: boolean
  partial?: boolean
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
    const command = program
      .command(source.key)
      .summary(`${source.publisher}\n${source.address}`)
      .description(describe(source))
      .argument('[paths...]', source.fetch ? 'files or folders; none: fetch' : 'files or folders')
      .option('--json', 'a JSON object as the last line, for machines')
      .option(
        '--force',
        'load even what is there already, or what is older or smaller than the edition in force',
      )
      .action(async (paths: string[], flags: Flags) => {
        exitCode = await load(source, paths, flags)
      })
    if (source.takesPartial) command.option('--partial', 'take a quarter that lacks files, and say so')
  }
  return (await runCommand(program, argv, { expected: 'all', usage: [UsageError] })) || exitCode
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

async function load(source: Source, paths: string[], { json, force, partial }: Flags): Promise<number> {
  const config = readConfig(process.env)
  checkSourceSettings(config, sources)
  const lacking = canBeFetched(source) ? lackingSettings(source, config) : []
  if (paths.length === 0 && (!canBeFetched(source) || lacking.length > 0)) {
    const needed = lacking.length > 0 ? [`To fetch them, ${lacking.join(' and ')} must be set.`] : []
    throw new UsageError(['No files were given.', ...needed, source.howToGet].join('\n').trim())
  }
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const progress = openProgress(process.stderr)
  const engine = await openEngine(config, log)
  try {
    const options = { force, partial, progress, log, publishing }
    const outcome =
      paths.length === 0 && canBeFetched(source)
        ? await fetchAndLoad(engine, source, options)
        : await runLoad(engine, source, paths, options)
    progress.close()
    return tell(outcome, json ?? false, paths.length > 0 ? ' at the given paths' : '')
  } finally {
    progress.close()
    await engine.close()
  }
}

/** @param asked where files were looked for */
function tell(outcome: LoadOutcome, json: boolean, asked: string): number {
  const exitCode = exitCodeOf(outcome)
  if (outcome.editions.length === 0) process.stderr.write(`No file of this source was found${asked}.\n`)
  const lines = json ? [JSON.stringify({ ...outcome, exitCode })] : reportLines(outcome)
  for (const line of lines) process.stdout.write(`${line}\n`)
  return outcome.editions.length === 0 ? 1 : exitCode
}

process.exitCode = await main(process.argv.slice(2))
