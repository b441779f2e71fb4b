/** `npm run refresh`: asks the publishers for what is new, once or again and again, and takes up what is dropped. */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import pino from 'pino'
import { runCommand } from '../../server/command.ts'
import { type Config, readConfig } from '../../server/config/config.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { openEngine } from '../../server/engine/open.ts'
import { publishing } from '../../server/publishing.ts'
import { canBeFetched, checkSourceSettings, type FetchedSource } from '../fetch/fetching.ts'
import { UsageError, wordsOf } from '../lib/errors.ts'
import { openProgress, type Progress } from '../lib/progress.ts'
import { exitCodeOf, reportLines } from '../lib/report.ts'
import { runLoads } from '../lib/run.ts'
import { sources } from '../sources.ts'
import { dryRun } from './dry-run.ts'
import { type RefreshOutcome, refresh, type SourceReport } from './refresh.ts'
import { place, Watcher } from './watch.ts'

interface Flags {
  source?: string[]
  dryRun?: boolean
  every?: number
  watch?: string
  settle: number
  json?: boolean
}

/** A repetition comes up to a tenth early or late, so that many installations do not ask at the same time. */
const JITTER = 0.1
const LOOK_MS = 1000
/** After a fault of another kind than a file's, such as an engine that does not answer. */
const FAULT_PAUSE_MS = 30_000

/** 0: all went well; 2: bad usage; 1: something failed. */
async function main(argv: string[]): Promise<number> {
  let exitCode = 0
  const program = new Command('npm run refresh --')
    .description('Asks every source for what is new, loads what changed as one build, and publishes it once.')
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('(npm run refresh -- --help lists the options)')
    .allowExcessArguments(false)
    .option('--source <key>', 'only this source; may be repeated', (key, all: string[] = []) => [...all, key])
    .option('--dry-run', 'say what would be asked for, and why; nobody is asked')
    .option('--every <time>', 'stay, and refresh again and again: 30m, 6h, 1d', milliseconds)
    .option('--watch <folder>', 'stay, and load the files that somebody drops there, once they are whole')
    .option('--settle <seconds>', 'for how long a dropped file may not change before it is whole', seconds, 5)
    .option('--json', 'a JSON object as the last line, for machines')
    .action(async (flags: Flags) => {
      exitCode = await run(flags)
    })
  return (await runCommand(program, argv, { expected: 'all', usage: [UsageError] })) || exitCode
}

async function run(flags: Flags): Promise<number> {
  const config = readConfig(process.env)
  checkSourceSettings(config, sources)
  const chosen = choose(flags.source)
  if (flags.dryRun) return withEngine(config, (engine) => tellIntended(engine, chosen, flags))
  if (flags.watch !== undefined && !statSync(flags.watch, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${flags.watch}: there is no such folder`)
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)))
  if (flags.every === undefined && flags.watch === undefined)
    return refreshOnce(config, chosen, flags, stop.signal)
  return stay(config, chosen, flags, stop.signal)
}

function choose(keys: readonly string[] | undefined): FetchedSource[] {
  const all = sources.filter(canBeFetched)
  if (keys === undefined) return all
  return keys.map((key) => {
    const found = all.find((source) => source.key === key)
    if (found) return found
    const known = sources.some((source) => source.key === key)
    throw new UsageError(
      `${key} ${known ? 'cannot be fetched' : 'is no source'}: expected one of ${all.map((one) => one.key).join(', ')}`,
    )
  })
}

/** Repeats until it is stopped, one thing at a time. What fails is told, and tried again the next time. */
async function stay(
  config: Config,
  chosen: readonly FetchedSource[],
  flags: Flags,
  signal: AbortSignal,
): Promise<number> {
  const watcher = flags.watch === undefined ? undefined : new Watcher(flags.watch, flags.settle * 1000)
  let next = flags.every === undefined ? Number.POSITIVE_INFINITY : 0
  while (!signal.aborted) {
    let least = 0
    try {
      if (performance.now() >= next) {
        next = performance.now() + flags.every! * (1 + JITTER * (2 * Math.random() - 1))
        await refreshOnce(config, chosen, flags, signal)
      }
      if (watcher) await takeUp(config, watcher, flags, signal)
    } catch (error) {
      if (!signal.aborted) process.stderr.write(`${wordsOf(error)}\n`)
      least = FAULT_PAUSE_MS
    }
    const pause = Math.max(0, next - performance.now())
    await sleep(Math.max(least, watcher ? Math.min(LOOK_MS, pause) : pause), undefined, { signal }).catch(
      () => {},
    )
  }
  return 0
}

async function refreshOnce(
  config: Config,
  chosen: readonly FetchedSource[],
  { json, source: named }: Flags,
  signal: AbortSignal,
): Promise<number> {
  const outcome = await withEngine(config, (engine, progress, log) =>
    refresh(engine, { sources: chosen, progress, log, publishing, signal }),
  )
  // one that was asked for by name and could not be is no success
  const isFailed = ({ status }: SourceReport) =>
    status === 'failed' || (named !== undefined && status === 'not-asked')
  const exitCode = outcome.sources.some(isFailed) ? 1 : 0
  const lines = json ? [JSON.stringify({ ...outcome, exitCode })] : linesOf(outcome)
  for (const line of lines) process.stdout.write(`${line}\n`)
  return exitCode
}

function linesOf({ sources: reports, dataVersion, seconds: took }: RefreshOutcome): string[] {
  const count = (status: SourceReport['status']) => reports.filter((one) => one.status === status).length
  return [
    ...reports.flatMap(({ source, status, fetched, unchanged, failed, reason, rowsKept }) => [
      status === 'not-asked'
        ? `${source}: not asked: ${reason}`
        : `${source}: ${status}; ${fetched.length} new, ${unchanged} unchanged, ${failed.length} failed; ${rowsKept.toLocaleString('en-US')} rows kept`,
      ...failed.map((one) => `  failed: ${one.name}: ${one.reason}`),
    ]),
    `${count('published')} published, ${count('unchanged')} unchanged, ${count('failed')} failed, ${count('not-asked')} not asked; ` +
      `${dataVersion ? `data version ${dataVersion}` : 'nothing changed'}; ${took.toFixed(1)} s`,
  ]
}

/** Loads what was dropped and is whole, all of it as one build. */
async function takeUp(config: Config, watcher: Watcher, { json }: Flags, signal: AbortSignal): Promise<void> {
  const paths = await watcher.settled()
  if (paths.length === 0) return
  const { jobs, unplaced } = await place(paths, sources)
  const outcomes =
    jobs.length === 0
      ? []
      : await withEngine(config, (engine, progress, log) =>
          runLoads(engine, jobs, { progress, log, publishing, signal }),
        )
  watcher.take(paths)
  const exitCode = unplaced.length > 0 || outcomes.some((one) => exitCodeOf(one) === 1) ? 1 : 0
  const lines = json
    ? [JSON.stringify({ loads: outcomes, unplaced, exitCode })]
    : [
        ...unplaced.map(({ path, reason }) => `not loaded: ${path}: ${reason}`),
        ...outcomes.flatMap((outcome) => reportLines(outcome)),
      ]
  for (const line of lines) process.stdout.write(`${line}\n`)
}

async function tellIntended(
  engine: Engine,
  chosen: readonly FetchedSource[],
  { json }: Flags,
): Promise<number> {
  const intended = await dryRun(engine, chosen, new Date())
  const lines = json
    ? [JSON.stringify({ intended, exitCode: 0 })]
    : intended.map(
        ({ source, name, asks, why }) => `${asks ? 'asks' : 'does not ask'} ${source} ${name}: ${why}`,
      )
  for (const line of lines) process.stdout.write(`${line}\n`)
  return 0
}

/** An engine is held only while it is needed: in between, another process of the folder may run it. */
async function withEngine<T>(
  config: Config,
  use: (engine: Engine, progress: Progress, log: pino.Logger) => Promise<T>,
): Promise<T> {
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const progress = openProgress(process.stderr)
  const engine = await openEngine(config, log)
  try {
    return await use(engine, progress, log)
  } finally {
    progress.close()
    await engine.close()
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function milliseconds(text: string): number {
  const [, number, unit] = /^(\d{1,6}(?:\.\d+)?)([smhd])$/.exec(text) ?? []
  const time = Number(number) * (UNITS[unit!] ?? Number.NaN)
  if (!(time > 0 && time <= 20 * UNITS.d!))
    throw new InvalidArgumentError('Expected a time such as 30m, 6h or 1d, at most 20d.')
  return time
}

function seconds(text: string): number {
  if (!/^\d{1,5}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('Expected a number of seconds.')
  return Number(text)
}

process.exitCode = await main(process.argv.slice(2))
