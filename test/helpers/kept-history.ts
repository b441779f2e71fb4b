/** A history on disk that tests look into: what is kept, and how its answers compare with the engine's. */
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { currentPublication } from '../../server/engine/publications.ts'
import { type Published, readPublished } from '../../server/published.ts'
import { History, type HistoryOptions } from '../../server/resident/history/history.ts'
import { universes } from '../../sql/universes/index.ts'
import type { build } from './app.ts'
import { BothWays } from './both-ways.ts'
import { memoryLog, temporaryFolder } from './engine.ts'

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

/** A folder of its own with the same files. */
export async function copied(t: Test, folder: string): Promise<string> {
  const own = await temporaryFolder(t)
  for (const name of await readdir(folder)) await copyFile(join(folder, name), join(own, name))
  return own
}

/** Changes a bit of a file. @param place of the byte, by the size of the file */
export const changed =
  (place: (size: number) => number) =>
  async (path: string): Promise<void> => {
    const bytes = await readFile(path)
    bytes[place(bytes.length)]! ^= 1
    await writeFile(path, bytes)
  }

/** The files of a folder by name, with what tells whether one was written again. */
export async function inodesOf(folder: string): Promise<Map<string, number>> {
  const names = (await readdir(folder)).sort()
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).ino] as const)),
  )
}
