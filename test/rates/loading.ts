import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { EditionOutcome } from '../../loaders/lib/load-edition.ts'
import type { LoadOutcome } from '../../loaders/lib/run.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { loaderEngine } from '../loaders/helpers.ts'

export interface Observation {
  series: string
  date: string
  value: number | null
}

/** An engine to load files of a source into, given by name and text, and looks at what it holds. */
export async function ratesEngine(t: Test, env: Record<string, string> = {}) {
  const { load, rows, ...rest } = await loaderEngine(t, env)
  /** Loads files of these names and texts; a text may be bytes. */
  const loadTexts = async (
    source: string,
    files: Record<string, string | Buffer>,
    force = false,
  ): Promise<LoadOutcome> => {
    const folder = await temporaryFolder(t)
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    return load(source, [folder], force)
  }
  return {
    ...rest,
    load,
    rows,
    loadTexts,
    /** One file; its outcome. */
    async loadText(
      source: string,
      text: string | Buffer,
      name = 'file.csv',
      force = false,
    ): Promise<EditionOutcome> {
      const folder = await temporaryFolder(t)
      const path = join(folder, name)
      await writeFile(path, text)
      const { editions } = await load(source, [path], force)
      return editions[0]!
    },
    /** What is in force of a series, oldest first. */
    async series(id: string): Promise<[string, number | null][]> {
      const held = await rows<{ d: string; v: number | null }>(
        `SELECT toString(date) AS d, value AS v FROM observations WHERE series = '${id}' AND toYear(replaced_at) = 2200 ORDER BY date`,
      )
      return held.map(({ d, v }) => [d, v])
    },
    /** Reasons of the rejects of the file that was loaded last. */
    async rejects(): Promise<{ line: number; reason: string }[]> {
      return rows(`SELECT toUInt32(line) AS line, reason FROM load_rejects
        WHERE file_sha256 = (SELECT argMax(sha256, loaded_at) FROM load_files) ORDER BY line`)
    },
  }
}
