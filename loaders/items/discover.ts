import { createReadStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { type ItemSource, quarterEnd } from '../../sql/sources/items.ts'
import { beginningOf } from '../declared/discover.ts'
import { sha256OfFile } from '../lib/digest.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import { zipLimits } from '../lib/limits.ts'
import type { Discovery, Edition, InputFile } from '../lib/source.ts'
import { type FoundFile, findFiles, isClutter } from '../lib/walk.ts'
import { openZip, type Zip } from '../lib/zip.ts'
import { BEGINNING_BYTES, openingOf } from './header.ts'
import { faultsOfSet, hasFilers, type MemberName, parseMemberName } from './members.ts'
import { openSingle } from './single.ts'

/** The files of a report date: a zip, a folder, or files named one by one. */
export interface ItemEdition extends Edition {
  reportDate: string
  /** Opens the files for reading; `close` when done. */
  open(): Promise<{ members: ItemMember[]; close(): void }>
}

export interface ItemMember extends InputFile, MemberName {
  open(): Promise<Readable>
}

/** Finds the editions among the given paths and refuses, by name and reason, what cannot be one. */
export async function discoverItems(source: ItemSource, paths: string[]): Promise<Discovery<ItemEdition>> {
  const found: Discovery<ItemEdition> = { editions: [], refused: [], ignored: [] }
  const loose = new Map<string, (FoundFile & MemberName)[]>()
  const { called, others } = source
  for (const file of await findFiles(paths)) {
    if (/\.zip$/i.test(file.name)) await refusing(found, file.name, () => zipEdition(source, file))
    else if (others?.test(file.name)) continue
    else if (/\.(txt|csv)$/i.test(file.name)) {
      const parsed = parseMemberName(source, file.name)
      if (parsed) addLoose(loose, { ...file, ...parsed })
      else if (/\.txt$/i.test(file.name) || file.given)
        found.refused.push({ name: file.path, reason: `is no file of ${called.edition}; ${called.expected}` })
      else found.ignored.push(file.path)
    } else if (file.given)
      found.refused.push({
        name: file.path,
        reason: `is neither a .zip nor a .txt file: ${called.expected}`,
      })
    else found.ignored.push(file.path)
  }
  for (const files of loose.values()) {
    const first = files[0]!
    const several = first.given ? `${files.length} files` : basename(dirname(first.path))
    const name = first.role === 'both' ? first.name : several
    await refusing(
      found,
      first.reportDate && name === `${files.length} files` ? `${name} of ${first.reportDate}` : name,
      (title) => looseEdition(source, files, title),
    )
  }
  found.editions.sort((a, b) => (a.reportDate < b.reportDate ? -1 : 1))
  return found
}

/** Adds the edition, or what is wrong with it. */
async function refusing(
  found: Discovery<ItemEdition>,
  name: string,
  edition: (name: string) => Promise<ItemEdition>,
): Promise<void> {
  try {
    found.editions.push(await edition(name))
  } catch (error) {
    found.refused.push({ name, reason: wordsOf(error) })
  }
}

async function zipEdition(source: ItemSource, file: FoundFile): Promise<ItemEdition> {
  const most = zipLimits(source.largestFile)
  const zip = await openZip(file.path, { most })
  try {
    const members = membersOf(source, zip, file.path)
    const text = source.archive.exec(file.name)?.groups?.date
    const named = text === undefined ? null : quarterEnd(text)
    const reportDate = await reportDateOf(source, members, file.path, named)
    return {
      ...{ name: file.name, reportDate, bytes: file.bytes, volume: volumeOf(members) },
      sha256: () => sha256OfFile(file.path),
      async open() {
        const again = await openZip(file.path, { most })
        return { members: membersOf(source, again, file.path), close: () => again.close() }
      },
    }
  } finally {
    zip.close()
  }
}

function membersOf(source: ItemSource, zip: Zip, path: string): ItemMember[] {
  const members: ItemMember[] = []
  for (const { name, bytes, open } of zip.members) {
    if (isClutter(name) || source.others?.test(basename(name))) continue
    const parsed = parseMemberName(source, basename(name))
    if (!parsed)
      throw new LoadError(
        `${path}: "${name}" is no file of ${source.called.edition}; ${source.called.expected}`,
      )
    members.push({ ...parsed, name: basename(name), place: `${path}: ${name}`, bytes, open })
  }
  return members
}

/**
 * Files named one by one may lie anywhere; those of a folder belong together and to no other folder's. A file that holds
 * filers and items is an edition by itself.
 */
function addLoose(loose: Map<string, (FoundFile & MemberName)[]>, file: FoundFile & MemberName): void {
  const folder = file.given ? '' : dirname(file.path)
  const group = file.role === 'both' ? file.path : `${file.reportDate} ${folder}`
  loose.set(group, [...(loose.get(group) ?? []), file])
}

async function looseEdition(
  source: ItemSource,
  files: (FoundFile & MemberName)[],
  name: string,
): Promise<ItemEdition> {
  const members = files.map(
    ({ given: _, path, ...file }): ItemMember => ({
      ...file,
      place: path,
      open: async () =>
        file.single
          ? openSingle(source.single!, { ...file, place: path })
          : createReadStream(path, { highWaterMark: 1 << 18 }),
    }),
  )
  const place = files[0]!.given ? name : dirname(files[0]!.path)
  const reportDate = await reportDateOf(source, members, place, null)
  const volume = volumeOf(members)
  return {
    ...{ name, reportDate, bytes: volume, volume },
    sha256: async () => null,
    open: async () => ({ members, close() {} }),
  }
}

const volumeOf = (members: ItemMember[]): number => members.reduce((sum, { bytes }) => sum + bytes, 0)

/** The report date by the names, else by the first filer's line; the load holds all lines against it. */
async function reportDateOf(
  source: ItemSource,
  members: ItemMember[],
  place: string,
  named: string | null,
): Promise<string> {
  const faults = faultsOfSet(source, members)
  if (faults.length > 0) throw new LoadError(`${place}: ${faults.join('; ')}`)
  const date = members.find(({ reportDate }) => reportDate !== null)?.reportDate ?? null
  if (named && date && named !== date)
    throw new LoadError(`${place}: the name says ${named}, its files say ${date}`)
  return date ?? named ?? (await statedDate(source, members.find(hasFilers)!))
}

async function statedDate(source: ItemSource, filers: ItemMember): Promise<string> {
  const { layout, first } = openingOf(source, filers, await beginningOf(filers, BEGINNING_BYTES))
  const stated = first[layout.dateColumn - 1] ?? ''
  const date = quarterEnd(stated)
  if (date === null)
    throw new LoadError(`${filers.place}: its first line states no report date (“${stated.slice(0, 40)}”)`)
  return date
}
