/** Real Call Report quarters as folders of files, and the same files once more under earlier dates. */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { discoverItems } from '../loaders/items/discover.ts'
import { parseMemberName } from '../loaders/items/members.ts'
import { openZip } from '../loaders/lib/zip.ts'
import { quartersBefore } from '../sql/quarter.ts'
import callReport from '../sql/sources/ffiec-call-report.ts'

export interface RealQuarter {
  readonly path: string
  /** ISO 8601. */
  readonly reportDate: string
}

/** The quarters among the zips of a folder that follow each other without a gap up to the newest, oldest first. */
export async function consecutiveQuarters(folder: string, zips: readonly string[]): Promise<RealQuarter[]> {
  const found: RealQuarter[] = []
  for (const name of zips) {
    const path = join(folder, name)
    const { editions } = await discoverItems(callReport, [path])
    for (const { reportDate } of editions) found.push({ path, reportDate })
  }
  found.sort((a, b) => (a.reportDate < b.reportDate ? -1 : 1))
  const gap = found.findLastIndex(
    ({ reportDate }, i) => i > 0 && found[i - 1]!.reportDate !== before(reportDate),
  )
  return gap < 0 ? found : found.slice(gap)
}

/** The quarter before. */
export const before = (reportDate: string): string => quartersBefore(reportDate, 1)

/**
 * Writes a quarter's files into a folder under another report date: in their names, and where the filings state
 * it themselves (item 9999 of schedule ENT).
 * @returns the folder
 */
export async function asOfAnotherDate(
  quarter: RealQuarter,
  reportDate: string,
  root: string,
): Promise<string> {
  const [year, month, day] = reportDate.split('-')
  const folder = join(root, `${month}${day}${year}`)
  await mkdir(folder, { recursive: true })
  const zip = await openZip(quarter.path)
  try {
    for (const { name, open } of zip.members) {
      const member = parseMemberName(callReport, basename(name))
      if (!member) continue
      const renamed = basename(name).replace(/\d{8}/, `${month}${day}${year}`)
      const steps = member.part === 'ENT' ? [redated(quarter.reportDate, reportDate)] : []
      await pipeline([await open(), ...steps, createWriteStream(join(folder, renamed))])
    }
  } finally {
    zip.close()
  }
  return folder
}

/** The schedule that states the date is small: it is changed whole. */
function redated(from: string, to: string): Transform {
  const chunks: Buffer[] = []
  return new Transform({
    transform(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
    flush(done) {
      const text = Buffer.concat(chunks).toString('latin1')
      const changed = text.replaceAll(`\t${from.replaceAll('-', '')}\t`, `\t${to.replaceAll('-', '')}\t`)
      done(null, Buffer.from(changed, 'latin1'))
    },
  })
}
