import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UsageError } from './errors.ts'

export interface FoundFile {
  path: string
  name: string
  bytes: number
  /** Whether the user named this very file, rather than a folder above it. */
  given: boolean
}

/** All files at or under the given paths, in the order of their names. A path that is not there is bad usage. */
export async function findFiles(paths: string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const path of paths) for (const file of await filesAt(path, true)) found.set(file.path, file)
  return [...found.values()]
}

async function filesAt(path: string, given: boolean): Promise<FoundFile[]> {
  const info = await stat(path).catch(() => {
    throw new UsageError(`${path}: there is no such file or folder`)
  })
  if (!info.isDirectory()) return [{ path, name: basename(path), bytes: info.size, given }]
  const names = (await readdir(path)).filter((name) => !isClutter(name)).sort()
  const nested: FoundFile[] = []
  for (const name of names) nested.push(...(await filesAt(join(path, name), false)))
  return nested
}

/** What operating systems leave in folders and archives. */
export function isClutter(name: string): boolean {
  return /(^|\/)(\.[^/]*|__MACOSX|Thumbs\.db|desktop\.ini)(\/|$)/i.test(name)
}
