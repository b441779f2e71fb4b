import { Command } from 'commander'
import pino from 'pino'
import { runCommand } from '../server/command.ts'
import { readConfig } from '../server/config/config.ts'
import { openEngine } from '../server/engine/open.ts'
import { currentPublication } from '../server/engine/publications.ts'
import { type Count, countedLinks, type Unsure, unsureLinks } from './lib/links.ts'

interface Flags {
  unsure?: boolean
  source?: string
  json?: boolean
}

/** 0: told; 1: nothing is published, or the engine does not answer; 2: bad usage. */
async function main(argv: string[]): Promise<number> {
  let exitCode = 0
  const program = new Command('npm run links --')
    .description(
      'What the sources call institutions, and which these are: how many are linked by each method. A correction of a link is loaded with: npm run load -- corrections FILE',
    )
    .option('--unsure', 'list what could be one institution or another, or is not certain to be one, and why')
    .option('--source <key>', 'of one source alone')
    .option('--json', 'a JSON object a line, for machines')
    .helpCommand(false)
    .exitOverride()
    .action(async (flags: Flags) => {
      exitCode = await tell(flags)
    })
  return (await runCommand(program, argv, { expected: 'all' })) || exitCode
}

async function tell(flags: Flags): Promise<number> {
  const config = readConfig(process.env)
  const engine = await openEngine(
    config,
    pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2)),
  )
  try {
    const published = await currentPublication(engine)
    if (!published) {
      process.stderr.write('Nothing is published yet.\n')
      return 1
    }
    const lines = flags.unsure
      ? (await unsureLinks(engine, published.database, flags.source)).map(unsureLine)
      : (await countedLinks(engine, published.database, flags.source)).map(countLine)
    if (lines.length === 0)
      process.stderr.write(
        flags.unsure ? 'No link is uncertain.\n' : 'No source that is loaded names institutions.\n',
      )
    for (const [row, text] of lines) process.stdout.write(`${flags.json ? JSON.stringify(row) : text}\n`)
    return 0
  } finally {
    await engine.close()
  }
}

const unsureLine = (row: Unsure): [Unsure, string] => [
  row,
  `${row.source}  ${row.own}  → ${row.entity} ${row.candidates.join(', ')}?  ${row.evidence}`,
]

const countLine = (row: Count): [Count, string] => {
  const { source, relation, entity, method, linked, unsure, unknown } = row
  return [
    row,
    `${source}  ${relation} → ${entity}  ${method}: ${linked} linked, ${unsure} unsure, ${unknown} of nobody known`,
  ]
}

process.exitCode = await main(process.argv.slice(2))
