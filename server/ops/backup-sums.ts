/** SHA-256 of all files of a backup, in the form of sha256sum: a copy can be checked on a machine without the server. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'

const SUMS = 'SHA256SUMS'

/** Writes them beside the files. */
export async function writeSums(folder: string): Promise<void> {
  const lines: string[] = []
  for (const file of await filesOf(folder)) lines.push(`${await sha256(join(folder, file))}  ${file}\n`)
  await writeFile(join(folder, SUMS), lines.join(''), { mode: 0o600 })
}

/** What is wrong with a file, in words; null where all are as they were written, or the sums never were. */
export async function wrongFile(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, SUMS), 'utf8').catch(() => null)
  if (text === null) return null
  const there = new Set(await filesOf(folder))
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [sum, file] = line.split('  ', 2)
    if (file === undefined) return `${SUMS} has a line that is no checksum`
    if (!there.delete(file)) return `${file} is missing`
    if ((await sha256(join(folder, file))) !== sum) return `${file} is not what was written`
  }
  const [stranger] = there
  return stranger === undefined ? null : `${stranger} was not written by the backup`
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => file !== SUMS)
    .sort()
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
