/** `npm run backup -- create [NAME]`, `verify NAME` and `restore NAME`. */
import { Command } from 'commander'
import { pino } from 'pino'
import { runCommand } from '../command.ts'
import { readConfig } from '../config/config.ts'
import { BuildLocked } from '../engine/build-lock.ts'
import type { Engine } from '../engine/engine.ts'
import { MigrationError } from '../engine/migrate.ts'
import { openEngine } from '../engine/open.ts'
import { BackupError, type BackupReport, backUp, type RestoreReport, restore, verify } from './backup.ts'

function main(argv: string[]): Promise<number> {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const within = async (
    work: (engine: Engine) => Promise<BackupReport & Partial<RestoreReport>>,
    did: string,
  ): Promise<void> => {
    const engine = await openEngine(readConfig(process.env), log)
    try {
      const { path, publication, files, bytes, keysOfBackup = 0 } = await work(engine)
      const size = `${files} files, ${(bytes / 2 ** 20).toFixed(1)} MiB`
      process.stdout.write(`${did} ${path}: data version ${publication.dataVersion}, ${size}\n`)
      if (keysOfBackup > 0) {
        process.stderr.write(
          `WARNING: ${keysOfBackup} API ${keysOfBackup === 1 ? 'key is' : 'keys are'} in force as when the backup was made. ` +
            'This DATA_DIR knew of no keys: what was revoked or rotated since works again until you revoke it ' +
            '(npm run keys -- list).\n',
        )
      }
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
    .command('verify')
    .description('reads a backup back beside what is served and checks it; takes as much disk as the backup')
    .argument('<name>', 'of the backup')
    .action((name: string) => within((engine) => verify(engine, name, log), 'sound:'))
  program
    .command('restore')
    .description('from BACKUP_DIR: reads it beside what is served, checks it, and publishes it')
    .argument('<name>', 'of the backup')
    .option('--replace', 'also where something is published', false)
    .action((name: string, options: { replace: boolean }) =>
      within((engine) => restore(engine, name, options, log), 'restored'),
    )
  return runCommand(program, argv, { expected: [BackupError, BuildLocked, MigrationError] })
}

process.exitCode = await main(process.argv.slice(2))
