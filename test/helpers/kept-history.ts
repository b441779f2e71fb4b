/** A history on disk that tests look into: what is kept, and how its answers compare with the engine's. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { currentPublication } from '../../server/engine/publications.ts'
import { type Published, readPublished } from '../../server/published.ts'
import { History, type HistoryOptions } from '../../server/resident/history/history.ts'
import { universes } from '../../sql/universes/index.ts'
import type { build } from './app.ts'
import { BothWays } from './both-ways.ts'
import { memoryLog } from './engine.ts'

export interface Kept {
  readonly published: Published
  readonly history: History
  readonly both: BothWays
  readonly lines: () => (string | undefined)[]
}

/** Takes up what is published now with a history in a folder, and waits until its files are there. */
export async function keepHistory(
  t: Test,
  { app, engine, serve }: Pick<Awaited<ReturnType<typeof build>>, 'app' | 'engine' | 'serve'>,
  folder: string,
  options: Partial<HistoryOptions> = {},
): Promise<Kept> {
  const log = memoryLog()
  const history = new History({ folder, mib: 1024, memoryMib: 64, writes: true, log, ...options })
  t.teardown(() => history.close())
  const published = await readPublished(engine, (await currentPublication(engine))!, universes, history)
  await published.resident.warm()
  const both = new BothWays({ app, serve }, published)
  return { published, history, both, lines: () => log.lines.map(({ message }) => message) }
}

/** The files of a folder by name, with what tells whether one was written again. */
export async function inodesOf(folder: string): Promise<Map<string, number>> {
  const names = (await readdir(folder)).sort()
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).ino] as const)),
  )
}
