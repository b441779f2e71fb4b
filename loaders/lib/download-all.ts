import { basename } from 'node:path'
import { download, NotPublished } from './download.ts'
import { wordsOf } from './errors.ts'
import type { Progress } from './progress.ts'
import type { Refusal } from './source.ts'

export interface Wanted {
  url: string
  path: string
  /** The publisher may not have it yet: then it is passed over without a word. */
  mayLack?: boolean
}

/**
 * Fetches files one at a time, as a guest should. A file that the publisher does not have is refused by name, and
 * the others are fetched; any other fault ends the whole, for it will meet the next file too.
 * @returns the paths that were fetched
 * @throws NotPublished when the publisher has none of them
 */
export async function downloadAll(
  wanted: readonly Wanted[],
  progress: Progress,
  refuse: (refusal: Refusal) => void = () => {},
): Promise<string[]> {
  const fetched: string[] = []
  let lacking: NotPublished | undefined
  for (const [index, { url, path, mayLack }] of wanted.entries()) {
    progress.step(`fetching ${basename(path)}`, index / wanted.length)
    try {
      await download(url, path, { progress })
      fetched.push(path)
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error
      if (mayLack) continue
      lacking = error
      refuse({ name: basename(path), reason: wordsOf(error) })
    }
  }
  if (fetched.length === 0 && lacking) throw lacking
  return fetched
}
