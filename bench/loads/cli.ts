/**
 * What loads of the largest tables cost, on files made for it: `sod` (years of branches), `hmda` (a year of mortgages), `group`
 * (the largest holding company), `table` (a plain one). Prints one JSON object.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import type { Source } from '../../loaders/lib/source.ts'
import type { Engine } from '../../server/engine/engine.ts'
import { currentPublication } from '../../server/engine/publications.ts'
import { inEmptyHistory, load } from '../histories.ts'
import { watch } from '../processes.ts'
import { topHolder, writeGroup } from './group.ts'
import { plainTable, writePlainTable } from './plain-table.ts'
import { writeRegister } from './register.ts'
import { costsOf } from './service.ts'
import { largestBank, writeSurveys } from './sod.ts'
import { dearest, traced } from './trace.ts'

interface Flags {
  years: string
  lines: string
  entities: string
  files?: string[]
  folder?: string
  trace?: boolean
}

const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Files of a source into an empty history, as one load: wall and CPU seconds from the file to the publish. */
async function loadOnce(engine: Engine, source: string | Source, paths: string[], trace: boolean) {
  const { engine: seen, costs } = trace ? traced(engine) : { engine, costs: new Map() }
  const own = process.cpuUsage()
  const { result, usage } = await watch([process.pid], () => load(seen, source, paths))
  const { user, system } = process.cpuUsage(own)
  if (trace) say(dearest(costs))
  const rows = result.editions.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
  return {
    source: typeof source === 'string' ? source : source.key,
    files: paths.length,
    rows,
    seconds: result.seconds,
    rowsASecond: Math.round(rows / result.seconds),
    cpuSeconds: usage && usage.cpuMs / 1000,
    ownCpuSeconds: (user + system) / 1e6,
    ownMb: usage && Math.round(usage.ownMb),
    allMb: usage && Math.round(usage.allMb),
  }
}

async function inFolder<T>(flags: Flags, use: (folder: string) => Promise<T>): Promise<T> {
  if (flags.folder) return use(resolve(flags.folder))
  const folder = await mkdtemp(join(tmpdir(), 'bench-files-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const TIMES = 40

/** What the engine needs for the branches of all years of one bank: of the median one, a large one and the largest. */
async function branchQueries(engine: Engine) {
  const { database } = (await currentPublication(engine))!
  const found = []
  for (const bank of [2750, 100, 0]) {
    const sql = 'SELECT * FROM branch_deposits WHERE rssd_id = {bank:UInt32} ORDER BY year, branch_number'
    const times: number[] = []
    let rows = 0
    for (let turn = 0; turn < TIMES; turn++) {
      const began = performance.now()
      const { stream } = await engine.read({
        sql,
        database,
        params: { bank: largestBank + bank },
        format: 'RowBinary',
      })
      for await (const chunk of stream) rows += (chunk as Buffer).length
      times.push(performance.now() - began)
    }
    times.sort((a, b) => a - b)
    found.push({ bank, bytes: rows / TIMES, p50: times[TIMES / 2], best: times[0] })
  }
  return found
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const tasks: Record<string, (flags: Flags) => Promise<object>> = {
  sod: (flags) =>
    inFolder(flags, async (folder) => {
      const years = Array.from({ length: Number(flags.years) }, (_, k) => 2023 - k).reverse()
      const paths = years.map((year) => join(folder, `ALL_${year}.csv`))
      const there = await Promise.all(paths.map(isThere))
      const files = flags.files ?? (there.every(Boolean) ? paths : await writeSurveys(folder, years))
      return inEmptyHistory(async (engine) => ({
        ...(await loadOnce(engine, 'fdic-sod', files, flags.trace ?? false)),
        branches: await branchQueries(engine),
      }))
    }),
  group: (flags) =>
    inFolder(flags, async (folder) => {
      const paths = await writeGroup(folder, Number(flags.entities))
      return inEmptyHistory(async (engine) => {
        for (const [source, path] of Object.entries(paths)) await loadOnce(engine, source, [path], false)
        const full = `/banks/${topHolder}/structure/full/`
        return { answers: await costsOf(engine, [full, `${full}?as_of=2020-12-31`]) }
      })
    }),
  hmda: (flags) =>
    inFolder(flags, async (folder) => {
      const files = flags.files ?? [await writeRegister(folder, Number(flags.lines))]
      return inEmptyHistory((engine) => loadOnce(engine, 'hmda', files, flags.trace ?? false))
    }),

  table: (flags) =>
    inFolder(flags, async (folder) => {
      const files = flags.files ?? [await writePlainTable(folder, Number(flags.lines))]
      return inEmptyHistory((engine) => loadOnce(engine, plainTable, files, flags.trace ?? false))
    }),
}

const program = new Command('loads')
  .argument('<task>', Object.keys(tasks).join(', '))
  .option('--years <n>', 'of branches', '1')
  .option('--lines <n>', 'of the register, or the table', '2000000')
  .option('--entities <n>', 'of the group', '5000')
  .option('--files <paths...>', 'these instead of made ones')
  .option('--folder <folder>', 'where the files are made and kept')
  .option('--trace', 'the dearest statements, by the time until each is answered')
const [task = ''] = program.parse().args
const run = tasks[task] ?? program.error(`expected one of ${Object.keys(tasks).join(', ')}`)
process.stdout.write(`${JSON.stringify(await run(program.opts<Flags>()))}\n`)
