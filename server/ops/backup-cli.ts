/** `npm run backup -- create [NAME]` and `npm run backup -- restore NAME`. */
import { Command, CommanderError } from 'commander'
import { pino } from 'pino'
import { ConfigError, readConfig } from '../config.ts'
import { BuildLocked } from '../engine/build-lock.ts'
import { type Engine, openEngine } from '../engine/engine.ts'
import { EngineStartError } from '../engine/errors.ts'
import { BackupError, type BackupReport, backUp, restore } from './backup.ts'

/** 0: done; 2: bad usage; 1: anything else. */
async function main(argv: string[]): Promise<number> {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const within = async (work: (engine: Engine) => Promise<BackupReport>, did: string): Promise<void> => {
    const engine = await openEngine(readConfig(process.env), log)
    try {
      const { name, publication, files, bytes } = await work(engine)
      const size = `${files} files, ${(bytes / 2 ** 20).toFixed(1)} MiB`
      process.stdout.write(`${did} ${name}: data version ${publication.dataVersion}, ${size}\n`)
    } finally {
      await engine.close()
    }
  }
  const program = new Command('npm run backup --')
    .description('Backs up what is served, and brings it back. docs/operating.md')
    .helpCommand(false)
    .exitOverride()
  program
    .command('create')
    .description('into BACKUP_DIR, while the server runs')
    .argument('[name]', 'of the folder to make; none: the data version and the time')
    .action((name?: string) => within((engine) => backUp(engine, name, log), 'backed up'))
  program
    .command('restore')
    .description('from BACKUP_DIR, into an empty DATA_DIR before the server starts')
    .argument('<name>', 'of the backup')
    .action((name: string) => within((engine) => restore(engine, name), 'restored'))
  try {
    if (argv.length === 0) program.help({ error: true })
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const foreseen = [BackupError, BuildLocked, ConfigError, EngineStartError].some(
      (kind) => error instanceof kind,
    )
    process.stderr.write(
      `${foreseen ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
    )
    return error instanceof ConfigError ? 2 : 1
  }
}

process.exitCode = await main(process.argv.slice(2))
