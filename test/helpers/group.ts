import { readdirSync } from 'node:fs'
import t from 'tap'

/** What `npm test` leaves to `npm run test:long`. */
export const isLong = (file: string): boolean => file.endsWith('.long.test.ts')

const folder = (name: string): URL => new URL(`../${name}/`, import.meta.url)

/** The tests of a folder that `npm test` runs. */
export const quickTests = (name: string): string[] =>
  readdirSync(folder(name))
    .filter((file) => file.endsWith('.test.ts') && !isLong(file))
    .sort()

/**
 * Runs the tests of some folders in this process, a file after the other: to import the server takes seconds of CPU, so
 * once for all of them. Each file still runs by itself.
 * @param names folders below `test`
 */
export async function group(...names: string[]): Promise<void> {
  for (const name of names)
    for (const file of quickTests(name)) {
      t.comment(`test/${name}/${file}`)
      await import(new URL(file, folder(name)).href)
      // runs when those of the file have ended
      await t.test(`test/${name}/${file} is over`, async () => {})
    }
}
