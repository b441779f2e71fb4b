/** `npm run keys`: creates, lists, changes and revokes API keys, whether or not a server of the data folder is running. */
import { Command, InvalidArgumentError, Option } from 'commander'
import pino from 'pino'
import { runCommand } from '../command.ts'
import { readConfig } from '../config/config.ts'
import { prepareControl } from '../engine/control.ts'
import type { Engine } from '../engine/engine.ts'
import { openEngine } from '../engine/open.ts'
import { type ApiKey, createKey, KeyError, readKeys, revokeKey, rotateKey, setPlan } from './key-store.ts'
import { type KeyPlan, keyPlans } from './plans.ts'
import { withoutSecrets } from './secret.ts'

interface Outcome {
  /** One object, or the list; of what was made, with the key itself. */
  readonly json: object
  readonly lines: readonly string[]
}

function main(argv: string[]): Promise<number> {
  const program = new Command('npm run keys --')
    .description('API keys. A running server takes up every change within 5 seconds.')
    .helpCommand(false)
    .exitOverride()
    // what was given wrong is repeated, and may be a key
    .configureOutput({ writeErr: (text) => process.stderr.write(withoutSecrets(text)) })
    .showHelpAfterError('(npm run keys -- --help lists the commands)')
  const command = (usage: string, description: string): Command =>
    program.command(usage).description(description).option('--json', 'JSON, for machines')
  const plan = (text: string): KeyPlan => {
    const found = keyPlans.find((one) => one === text)
    if (!found) throw new InvalidArgumentError(`Expected one of ${keyPlans.join(', ')}.`)
    return found
  }

  command('create', 'Makes a key and shows it, this once: only its SHA-256 is kept.')
    .addOption(new Option('--plan <plan>', 'what it reads').choices(keyPlans).makeOptionMandatory())
    .requiredOption('--name <name>', 'whose it is', named)
    .action((given: { plan: KeyPlan; name: string; json?: boolean }) =>
      run(given, async (engine) => withSecret(await createKey(engine, given))),
    )
  command('list', 'Every key, also those revoked, the oldest first.').action((given: { json?: boolean }) =>
    run(given, async (engine) => {
      const keys = await readKeys(engine)
      return { json: keys.map(asJson), lines: keys.length === 0 ? ['There are no keys.'] : table(keys) }
    }),
  )
  command('revoke', 'Ends a key for ever.')
    .argument('<id>', 'id of the key, not the key itself', idOf)
    .action((id: string, given: { json?: boolean }) =>
      run(given, async (engine) => plainly(await revokeKey(engine, id))),
    )
  command(
    'rotate',
    'Makes another key in place of this one, which keeps id, plan and use, and shows it, this once.',
  )
    .argument('<id>', 'id of the key, not the key itself', idOf)
    .option('--overlap <seconds>', 'for how long the key before still works', seconds, 0)
    .action((id: string, given: { overlap: number; json?: boolean }) =>
      run(given, async (engine) => withSecret(await rotateKey(engine, id, given.overlap))),
    )
  command(
    'set-plan',
    'Gives a key another plan. The letter in the key stays: it only says which plan it was created with.',
  )
    .argument('<id>', 'id of the key, not the key itself', idOf)
    .argument('<plan>', keyPlans.join(' or '), plan)
    .action((id: string, next: KeyPlan, given: { json?: boolean }) =>
      run(given, async (engine) => plainly(await setPlan(engine, id, next))),
    )
  return runCommand(program, argv, { expected: [KeyError] })
}

async function run({ json }: { json?: boolean }, work: (engine: Engine) => Promise<Outcome>): Promise<void> {
  const config = readConfig(process.env)
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const engine = await openEngine(config, log)
  try {
    await prepareControl(engine)
    const outcome = await work(engine)
    const lines = json ? [JSON.stringify(outcome.json)] : outcome.lines
    for (const line of lines) process.stdout.write(`${line}\n`)
  } finally {
    await engine.close()
  }
}

function withSecret({ key, secret }: { key: ApiKey; secret: string }): Outcome {
  return {
    json: { ...asJson(key), key: secret },
    lines: [secret, '', ...table([key]), '', 'The key is shown this once: only its SHA-256 is kept.'],
  }
}

const plainly = (key: ApiKey): Outcome => ({ json: asJson(key), lines: table([key]) })

const asJson = ({ id, name, plan, createdAt, rotatedAt, revokedAt }: ApiKey): object => ({
  id,
  name,
  plan,
  created_at: createdAt,
  rotated_at: rotatedAt,
  revoked_at: revokedAt,
})

function table(keys: readonly ApiKey[]): string[] {
  const heads = ['ID', 'PLAN', 'CREATED', 'ROTATED', 'REVOKED', 'NAME']
  const rows = keys.map(({ id, plan, createdAt, rotatedAt, revokedAt, name }) => [
    id,
    plan,
    ...[createdAt, rotatedAt, revokedAt].map((time) => time?.slice(0, 19).concat('Z') ?? '-'),
    name,
  ])
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  return [heads, ...rows].map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}

/** A key given in place of its id would stand in the shell's history and in the error. */
function idOf(text: string): string {
  if (!/^k[0-9a-f]{12}$/.test(text)) {
    throw new InvalidArgumentError(
      'Expected an id as npm run keys -- list shows it: k and 12 hexadecimal digits.',
    )
  }
  return text
}

function named(text: string): string {
  const name = text.trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those of a terminal must not be listed
  if (name === '' || name.length > 200 || /[\u0000-\u001f\u007f]/.test(name)) {
    throw new InvalidArgumentError('Expected 1 to 200 characters on one line.')
  }
  return name
}

function seconds(text: string): number {
  const most = 30 * 86_400
  if (!/^\d+$/.test(text) || Number(text) > most) {
    throw new InvalidArgumentError(`Expected whole seconds, at most ${most}.`)
  }
  return Number(text)
}

process.exitCode = await main(process.argv.slice(2))
