import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { wordsOf } from '../lib/errors.ts'
import { silent } from '../lib/progress.ts'
import type { LoadJob } from '../lib/run.ts'
import type { Discovery, Source } from '../lib/source.ts'
import { findFiles, isClutter } from '../lib/walk.ts'

/** What browsers and this program call a file that is still being written. */
const UNFINISHED = /\.(part|partial|crdownload|download|tmp)$/i

/** A file of the folder, or a folder in it, which is taken as a whole. */
interface Entry {
  path: string
  /** Names, sizes and times of all its files. */
  state: string
  finished: boolean
}

/** What was found to be whole, by the sources that it is of. */
export interface Placed {
  jobs: LoadJob[]
  /** What no source knows, and what is of several. */
  unplaced: { path: string; reason: string }[]
}

/** Looks at a folder for what somebody drops into it. A file is taken once: again only when it has changed. */
export class Watcher {
  readonly #folder: string
  readonly #settleMs: number
  readonly #seen = new Map<string, { state: string; since: number }>()
  readonly #taken = new Map<string, string>()

  /** @param settleMs for how long nothing of a file may change before it is taken for whole */
  constructor(folder: string, settleMs: number) {
    this.#folder = folder
    this.#settleMs = settleMs
  }

  /** Paths that are whole and new. @throws where the folder cannot be read */
  async settled(now = performance.now()): Promise<string[]> {
    const entries = await this.#entries()
    const there = new Set(entries.map(({ path }) => path))
    for (const path of this.#seen.keys()) if (!there.has(path)) this.#forget(path)
    const settled: string[] = []
    for (const { path, state, finished } of entries) {
      if (this.#taken.get(path) === state) continue
      const seen = this.#seen.get(path)
      if (seen?.state !== state) this.#seen.set(path, { state, since: now })
      else if (finished && now - seen.since >= this.#settleMs) settled.push(path)
    }
    return settled
  }

  /** What was looked at is not looked at again unless it changes. */
  take(paths: readonly string[]): void {
    for (const path of paths) this.#taken.set(path, this.#seen.get(path)!.state)
  }

  #forget(path: string): void {
    this.#seen.delete(path)
    this.#taken.delete(path)
  }

  async #entries(): Promise<Entry[]> {
    const entries: Entry[] = []
    for (const name of (await readdir(this.#folder)).sort()) {
      if (isClutter(name) || UNFINISHED.test(name)) continue
      const path = join(this.#folder, name)
      try {
        const files = await findFiles([path])
        if (files.length === 0) continue
        const states = await Promise.all(
          files.map(async (file) => `${file.path} ${file.bytes} ${(await stat(file.path)).mtimeMs}`),
        )
        const finished = files.every((file) => file.bytes > 0 && !UNFINISHED.test(file.name))
        entries.push({ path, state: states.join('\n'), finished })
      } catch {
        // it went away meanwhile
      }
    }
    return entries
  }
}

/** Asks all sources which of the paths are theirs. */
export async function place(paths: readonly string[], sources: readonly Source[]): Promise<Placed> {
  const jobs = new Map<Source, string[]>()
  const unplaced: Placed['unplaced'] = []
  for (const path of paths) {
    const found: { source: Source; discovery: Discovery }[] = []
    let fault = 'no source knows it'
    for (const source of sources) {
      const discovery = await source.discover([path], silent).catch((error: unknown): Discovery => {
        fault = wordsOf(error)
        return { editions: [], refused: [], ignored: [] }
      })
      if (discovery.editions.length > 0) found.push({ source, discovery })
    }
    const [first, second] = found
    if (!first) unplaced.push({ path, reason: fault })
    else if (second && isFile(path, found))
      unplaced.push({
        path,
        reason: `it could be of ${found.map(({ source }) => source.key).join(' or ')}: load it with npm run load`,
      })
    else {
      for (const { source } of found) jobs.set(source, [...(jobs.get(source) ?? []), path])
      unplaced.push(...leftAlone(found.map(({ discovery }) => discovery)))
    }
  }
  return { jobs: [...jobs].map(([source, of]) => ({ source, paths: of })), unplaced }
}

/** Whether it is a single file: of a folder, several sources may have their files. */
const isFile = (path: string, found: { discovery: Discovery }[]): boolean =>
  found.every(({ discovery: { ignored } }) => ignored.every((one) => one === path))

/** Files of a folder that none of the sources takes. */
function leftAlone(discoveries: readonly Discovery[]): Placed['unplaced'] {
  const [first, ...others] = discoveries
  return first!.ignored
    .filter((path) => others.every(({ ignored }) => ignored.includes(path)))
    .map((path) => ({ path, reason: 'no source knows it' }))
}
