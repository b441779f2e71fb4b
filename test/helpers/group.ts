import { readdirSync } from 'node:fs'
import t from 'tap'

/** What `npm test` leaves to `npm run test:long`. */
export const isLong = (file: string): boolean => file.endsWith('.long.test.ts')

type Close = () => unknown
let ofProcess: Close[] | undefined

/** Closes something when all tests of the process have ended. */
export const atEndOfProcess = (close: Close): void => {
  if (ofProcess) ofProcess.push(close)
  else t.teardown(close)
}

/**
 * Runs the tests of some folders in this process, a file after the other: to import the server takes seconds of CPU, so
 * once for all of them. Each file still runs by itself. What a file opens for all of its tests is closed after them.
 * @param names folders below `test`
 */
export async function group(...names: string[]): Promise<void> {
  ofProcess = []
  let ofFile: Close[] = []
  // With an end of its own, tap's root would be over as soon as one file is.
  t.teardown = ((close: Close) => void ofFile.push(close)) as typeof t.teardown
  for (const name of names) {
    const folder = new URL(`../${name}/`, import.meta.url)
    for (const file of readdirSync(folder).sort()) {
      if (!file.endsWith('.test.ts') || isLong(file)) continue
      t.comment(`test/${name}/${file}`)
      await import(new URL(file, folder).href)
      // its turn comes when those of the file have ended
      await t.test(`the end of test/${name}/${file}`, () => closeAll(ofFile))
      ofFile = []
    }
  }
  await closeAll(ofProcess)
}

async function closeAll(ofAll: readonly Close[]): Promise<void> {
  for (const close of [...ofAll].reverse()) await close()
}
