import { createReadStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { sha256OfFile } from '../lib/digest.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Discovery, Edition, InputFile, Refusal } from '../lib/source.ts'
import { type FoundFile, findFiles, isClutter } from '../lib/walk.ts'
import { openZip, type Zip } from '../lib/zip.ts'
import { archiveDate, faultsOfSet, type MemberName, parseMemberName } from './member-name.ts'

/** A quarter's files: a zip, a folder, or files named one by one. */
export interface CallReportEdition extends Edition {
  reportDate: string
  /** Opens the files for reading; `close` when done. */
  open(): Promise<{ members: CallReportMember[]; close(): void }>
}

export interface CallReportMember extends InputFile, MemberName {
  open(): Promise<Readable>
}

/** Finds the quarters among the given paths and refuses, by name and reason, what cannot be one. */
export async function discoverEditions(paths: string[]): Promise<Discovery<CallReportEdition>> {
  const found: Discovery<CallReportEdition> = { editions: [], refused: [], ignored: [] }
  const loose = new Map<string, FoundFile[]>()
  for (const file of await findFiles(paths)) {
    if (/\.zip$/i.test(file.name)) await discoverZip(file, found)
    else if (isReadme(file.name)) continue
    else if (/\.txt$/i.test(file.name)) sortOut(file, loose, found.refused)
    else if (file.given)
      found.refused.push({ name: file.path, reason: `is neither a .zip nor a .txt file: ${EXPECTED}` })
    else found.ignored.push(file.path)
  }
  for (const files of loose.values()) discoverLoose(files, found)
  found.editions.sort((a, b) => (a.reportDate < b.reportDate ? -1 : 1))
  return found
}

const EXPECTED =
  'expected the FFIEC CDR\'s "Call Bulk All Schedules MMDDYYYY.zip", or its files such as "FFIEC CDR Call Schedule RC MMDDYYYY.txt"'

// The CDR puts a Readme.txt into each download.
const isReadme = (name: string) => /^read ?me\b/i.test(basename(name))

async function discoverZip(file: FoundFile, found: Discovery<CallReportEdition>): Promise<void> {
  try {
    const zip = await openZip(file.path)
    try {
      const members = membersOf(zip, file.path)
      const reportDate = reportDateOf(members, file.path)
      const named = archiveDate(file.name)
      if (named && named !== reportDate)
        throw new LoadError(`${file.path}: the name says ${named}, its files say ${reportDate}`)
      found.editions.push({
        name: file.name,
        reportDate,
        bytes: file.bytes,
        volume: volumeOf(members),
        sha256: () => sha256OfFile(file.path),
        async open() {
          const again = await openZip(file.path)
          return { members: membersOf(again, file.path), close: () => again.close() }
        },
      })
    } finally {
      zip.close()
    }
  } catch (error) {
    found.refused.push({ name: file.name, reason: wordsOf(error) })
  }
}

function membersOf(zip: Zip, path: string): CallReportMember[] {
  const members: CallReportMember[] = []
  for (const { name, bytes, open } of zip.members) {
    if (isClutter(name) || isReadme(name)) continue
    const parsed = parseMemberName(basename(name))
    if (!parsed) throw new LoadError(`${path}: "${name}" is no file of a Call Report quarter; ${EXPECTED}`)
    members.push({ ...parsed, name: basename(name), place: `${path}: ${name}`, bytes, open })
  }
  return members
}

function sortOut(file: FoundFile, loose: Map<string, FoundFile[]>, refused: Refusal[]): void {
  const parsed = parseMemberName(file.name)
  if (!parsed) {
    refused.push({ name: file.path, reason: `is no file of a Call Report quarter; ${EXPECTED}` })
    return
  }
  // Files named one by one may lie anywhere; those of a folder belong together and to no other folder's.
  const group = `${parsed.reportDate} ${file.given ? '' : dirname(file.path)}`
  loose.set(group, [...(loose.get(group) ?? []), file])
}

function discoverLoose(files: FoundFile[], found: Discovery<CallReportEdition>): void {
  const first = files[0]!
  const members = files.map((file) => ({
    ...parseMemberName(file.name)!,
    name: file.name,
    place: file.path,
    bytes: file.bytes,
    open: async () => createReadStream(file.path, { highWaterMark: 1 << 18 }),
  }))
  const reportDate = members[0]!.reportDate
  const name = first.given ? `${files.length} files of ${reportDate}` : basename(dirname(first.path))
  try {
    reportDateOf(members, first.given ? name : dirname(first.path))
  } catch (error) {
    found.refused.push({ name, reason: wordsOf(error) })
    return
  }
  found.editions.push({
    name,
    reportDate,
    bytes: volumeOf(members),
    volume: volumeOf(members),
    sha256: async () => null,
    open: async () => ({ members, close() {} }),
  })
}

function volumeOf(members: CallReportMember[]): number {
  return members.reduce((sum, member) => sum + member.bytes, 0)
}

function reportDateOf(members: CallReportMember[], place: string): string {
  const faults = faultsOfSet(members)
  if (faults.length > 0) throw new LoadError(`${place}: ${faults.join('; ')}`)
  return members[0]!.reportDate
}
