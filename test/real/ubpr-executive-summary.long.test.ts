// The FFIEC's published values of one bank, quarter by quarter, against the UBPR worked out from its Call Reports.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { openZip } from '../../loaders/lib/zip.ts'
import { temporaryFolder } from '../helpers/engine.ts'
import { zipOf } from '../loaders/helpers.ts'
import { bulkFile, noRealData, realData } from './quarters.ts'
import { derivedUbpr } from './ubpr-derived.ts'

const bank = 852218
const published = `ubpr-official/executive-summary-${bank}-2016Q1-2018Q4.tsv`
const skip = noRealData(published, 'ffiec-call-report', 'ubpr', 'fdic-sdi')

/** What looks back a quarter: the first of the quarters has none before it among the files. */
const lookingBack = ['UBPRE152', 'UBPRE141', 'UBPRKX41', 'UBPRKX45', 'UBPRKY37']

/**
 * The filing of 2018-12-31 that the files have was submitted in July 2020, the values are of one before it: it has 2 million
 * dollars more of real estate loans that are neither for construction nor owner-occupied, 0.0010 % of capital.
 */
const replaced = { quarter: '2018-12-31', codes: ['UBPRE884', 'UBPRD647', 'UBPRD649'], within: 0.0011 }

t.test('the Executive Summary of JPMorgan Chase Bank as the FFIEC publishes it', { skip }, async (t) => {
  const [header, ...lines] = readFileSync(realData + published, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  const quarters = header!.slice(2)
  t.same([lines.length, quarters.length], [38, 12])
  const folder = await temporaryFolder(t)
  const files = await Promise.all(quarters.map((quarter) => withoutOthers(bulkFile(quarter), folder)))
  const { rows } = await derivedUbpr(t, quarters, files)
  const positions = new Map(
    await rows<[string, number]>('SELECT code, position FROM ubpr_concepts WHERE position > 0'),
  )
  const ours = new Map(
    await rows<[string, (number | null)[]]>(
      `SELECT report_date, values FROM ubpr_rows WHERE rssd_id = ${bank}`,
    ),
  )
  let equal = 0
  for (const [code, caption, ...values] of lines) {
    const position = positions.get(code!)
    if (position === undefined) {
      t.fail(`${code} (${caption}) is not computed`)
      continue
    }
    for (const [i, quarter] of quarters.entries()) {
      if (i === 0 && lookingBack.includes(code!)) continue
      const own = ours.get(quarter)![position - 1] ?? Number.NaN
      const official = Number(values[i])
      const amended = quarter === replaced.quarter && replaced.codes.includes(code!)
      const within = amended ? replaced.within : 1e-9 * Math.max(1, Math.abs(official))
      if (Math.abs(own - official) <= within) equal++
      else t.fail(`${code} (${caption}) ${quarter}: ${own}, official ${official}`)
    }
  }
  t.equal(equal, 38 * 12 - lookingBack.length)
})

/** A bulk file with the rows of the one bank alone, so that the quarters are read in no time. */
async function withoutOthers(path: string, folder: string): Promise<string> {
  const zip = await openZip(path)
  const kept: [string, Buffer][] = []
  for (const member of zip.members) {
    const lines = (await buffer(await member.open())).toString('latin1').split('\r\n')
    // The header, the descriptions that schedules have below it, and the bank.
    const rest = lines.filter((line, i) => {
      const [id] = line.split('\t', 1)
      return i === 0 || (i === 1 && id === '') || id!.replaceAll('"', '') === String(bank)
    })
    kept.push([member.name, Buffer.from(`${rest.join('\r\n')}\r\n`, 'latin1')])
  }
  zip.close()
  const trimmed = join(folder, basename(path))
  await writeFile(trimmed, zipOf(kept))
  return trimmed
}
