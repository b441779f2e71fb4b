import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { compareResults } from './compare.ts'
import { examples } from './examples.ts'
import { collectFamilies } from './families/collect.ts'
import { growth } from './growth.ts'
import { loading } from './loading.ts'
import { micro } from './micro.ts'
import { pages } from './pages.ts'
import { datasette } from './peers/datasette.ts'
import { exportFilling } from './peers/filling.ts'
import { finishedBytes } from './peers/finished-bytes.ts'
import { openPeers } from './peers/index.ts'
import { ours } from './peers/ours.ts'
import { profile } from './profile.ts'
import { markdown } from './report.ts'
import { circumstances, errorCount, type Result } from './result.ts'
import { run } from './run.ts'
import { startOurServer } from './server.ts'
import { shards, shardsMarkdown } from './shards/shards.ts'
import { readUniverse } from './universe.ts'
import { workloads } from './workloads.ts'

interface Flags {
  peers?: boolean
  short?: boolean
  only?: string[]
  seconds?: number
  quarters?: number
  data?: string
  out?: string
  compare?: string[]
  examples?: boolean
  growth?: boolean
  load?: string
  micro?: boolean
  pages?: boolean
  profile?: string
  shards?: boolean
}

const RESULTS = join(import.meta.dirname, 'results')
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const whole = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('a whole number from 1 is expected')
  return value
}

const positive = (text: string): number => {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is expected')
  return value
}

const program = new Command('npm run bench --')
  .description('The workloads of bench/README.md against this server; results go to bench/results/.')
  .option('--peers', 'with the peers that want Python and PostgreSQL')
  .option('--short', '8 quarters and 0.7 seconds a cell: errors and wrong answers rather than figures')
  .option('--only <workloads>', 'such as W1,W6', (text) => text.split(','))
  .option('--seconds <n>', 'length of a cell', positive)
  .option('--quarters <n>', 'of the demo universe', whole)
  .option('--data <folder>', 'where the data is kept, and built where there is none')
  .option('--out <name>', 'name of the result in bench/results/, or a path without its ending')
  .option('--compare <results...>', 'two results, names or files: what became faster, what slower')
  .option('--examples', 'every dataset by the examples of its declaration')
  .option('--growth', 'W1, W2, W5 and W7 with 8 and with 80 quarters of history')
  .option('--load <folder>', 'load and derive the real Call Report quarters of a folder')
  .option('--micro', 'parsing, planning and the envelope by themselves')
  .option('--pages', "the explorer's pages in a browser; with --peers beside Datasette")
  .option('--shards', 'what the workloads cost the servers of a cluster of 1, 2 and 4 shards')
  .option('--profile <workload>', "where the server's time goes, as in W1 or W1:seen")

async function main(): Promise<number> {
  const flags = program.parse().opts<Flags>()
  if (flags.compare) return compare(flags.compare)
  if (flags.examples) return every(flags)
  if (flags.growth) return grow(flags)
  if (flags.load !== undefined) return load(flags.load, flags.out)
  if (flags.micro) return micro().then(() => 0)
  if (flags.pages) return browsed(flags)
  if (flags.shards) return sharded(flags)
  if (flags.profile !== undefined) return profiled(flags, flags.profile)
  return bench(flags)
}

const folderOf = (flags: Flags, quarters: number): string =>
  resolve(flags.data ?? join('data', `bench-${quarters}`))

async function every(flags: Flags): Promise<number> {
  const quarters = flags.quarters ?? 100
  const server = await startOurServer({ dataDir: folderOf(flags, quarters), quarters, say })
  try {
    const { timings, text, failed } = await examples(server.origin, ours(server).headers, say)
    await write(flags.out ?? 'examples', { ...(await circumstances()), timings }, `# Datasets\n\n${text}`)
    return failed ? 1 : 0
  } finally {
    await server.close()
  }
}

async function grow(flags: Flags): Promise<number> {
  const { data } = flags
  const { cells, text, failed } = await growth({
    // one of its own for each: a folder that was given holds both
    folderOf: (quarters) => (data ? resolve(data, `bench-${quarters}`) : folderOf(flags, quarters)),
    seconds: flags.seconds ?? 3,
    say,
  })
  await write(
    flags.out ?? 'growth',
    { ...(await circumstances()), cells },
    `# Cost as history grows\n\n${text}`,
  )
  return failed ? 1 : 0
}

async function sharded({ data, quarters = 8, only, out = 'shards' }: Flags): Promise<number> {
  const folder = resolve(data ?? join('data', 'bench-shards'))
  const cells = await shards({ folder, quarters, only, say })
  await write(out, { ...(await circumstances()), cells }, shardsMarkdown(cells, quarters))
  return 0
}

async function load(folder: string, out = 'loading'): Promise<number> {
  const { loadings, text } = await loading(folder, say)
  await write(out, { ...(await circumstances()), loadings }, `# Loading and deriving\n\n${text}`)
  return 0
}

async function profiled(flags: Flags, wanted: string): Promise<number> {
  const [key, state = 'new'] = wanted.split(':')
  const workload = workloads.find((one) => one.key === key)
  if (!workload || (state !== 'new' && state !== 'seen'))
    return program.error(`--profile wants one of ${workloads.map((one) => one.key)}, with :seen or without`)
  const quarters = flags.quarters ?? 100
  const dataDir = folderOf(flags, quarters)
  const text = await profile({ dataDir, quarters, workload, state, seconds: flags.seconds ?? 5, say })
  process.stdout.write(`${text}\n`)
  return 0
}

async function browsed(flags: Flags): Promise<number> {
  const quarters = flags.quarters ?? 8
  const folder = folderOf(flags, quarters)
  const server = await startOurServer({ dataDir: folder, quarters, say })
  const closing = [() => server.close()]
  try {
    const get = (path: string) => fetch(server.origin + path, { headers: ours(server).headers })
    const { banks, dataVersion } = await readUniverse(get)
    let peer: string | undefined
    if (flags.peers) {
      const one = await datasette(await exportFilling(get, join(folder, 'peers'), dataVersion), folder)
      closing.push(() => one.close())
      peer = one.origin
    }
    const { text, ...result } = await pages(server.origin, banks[0]!, peer, say)
    await write(
      flags.out ?? 'pages',
      { ...(await circumstances()), ...result },
      `# The explorer's pages\n\n${text}`,
    )
    return 0
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

async function compare(names: readonly string[]): Promise<number> {
  if (names.length !== 2) return program.error('--compare wants two results')
  const [before, after] = await Promise.all(names.map(readResult))
  process.stdout.write(compareResults(before!, after!))
  return 0
}

async function readResult(name: string): Promise<Result> {
  const path = name.endsWith('.json') ? name : resolve(RESULTS, `${name}.json`)
  return JSON.parse(await readFile(path, 'utf8')) as Result
}

async function bench(flags: Flags): Promise<number> {
  const quarters = flags.quarters ?? (flags.short ? 8 : 100)
  const seconds = flags.seconds ?? (flags.short ? 0.7 : 4)
  const folder = folderOf(flags, quarters)
  const chosen = workloads.filter(({ key }) => !flags.only || flags.only.includes(key))
  if (chosen.length === 0) return program.error(`--only wants one of ${workloads.map(({ key }) => key)}`)
  const server = await startOurServer({ dataDir: folder, quarters, say })
  const closing = [() => server.close()]
  try {
    const us = ours(server)
    const get = (path: string) => fetch(server.origin + path, { headers: us.headers })
    const banks = await readUniverse(get)
    const withFamilies = chosen.some(({ ofFamily }) => ofFamily)
    const filling = await exportFilling(get, join(folder, 'peers'), banks.dataVersion, withFamilies)
    const universe = withFamilies
      ? { ...banks, families: await collectFamilies(get, filling.folder, banks.bySize) }
      : banks
    const peers = await openPeers(filling, flags.peers ?? false, say)
    closing.push(() => peers.close())
    const contestants = [us, ...peers.contestants]
    const { cells, differing } = await run({
      universe,
      workloads: chosen,
      contestants,
      limit: (answers) => finishedBytes(filling.folder, answers),
      connections: [1, 16],
      seconds,
      say,
    })
    const result: Result = {
      ...(await circumstances()),
      data: {
        version: universe.dataVersion,
        quarters: universe.quarters,
        banks: universe.banksNow,
        filings: universe.filings,
        panelRows: universe.panelRows,
      },
      secondsACell: seconds,
      workloads: Object.fromEntries(chosen.map(({ key, title }) => [key, title])),
      contestants: {
        ...Object.fromEntries(contestants.map(({ name, title }) => [name, title])),
        limit: 'limit: Fastify, finished bytes',
      },
      missing: peers.missing,
      differing,
      cells,
    }
    return await keep(result, flags.out ?? result.madeAt.slice(0, 16).replaceAll(':', ''))
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/**
 * Writes and prints a result. @returns 1 where a request to this server or to the plain engine failed, or any peer's
 * answer was another: that a peer cannot keep up is a finding, not a fault
 */
async function keep(result: Result, name: string): Promise<number> {
  await write(name, result, markdown(result))
  const own = result.cells.filter(({ contestant }) => contestant === 'ours' || contestant === 'clickhouse')
  const failed = own.some((cell) => errorCount(cell) > 0) || result.differing.length > 0
  // the plain engine comes with this project: it is never missing for a good reason
  return failed || 'clickhouse' in result.missing ? 1 : 0
}

async function write(name: string, result: object, text: string): Promise<void> {
  const path = resolve(RESULTS, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.json`, `${JSON.stringify(result)}\n`)
  await writeFile(`${path}.md`, text)
  process.stdout.write(text)
}

process.exitCode = await main()
