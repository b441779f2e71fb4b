/** Files of a generated EDGAR, in the agency's formats and the same for the same size. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { writeFacts } from './sec-facts.ts'
import { tickersOf, write13dg, write13f } from './sec-holders.ts'
import { writeInsiders } from './sec-insiders.ts'
import { nicFiles, registrantsOf, type Size } from './sec-registrants.ts'
import { writeSubmissions } from './sec-submissions.ts'

/** Files of a source that are loaded together. */
export interface SourceFiles {
  readonly source: string
  readonly paths: readonly string[]
  /** What they hold of what is counted, and of JSON or text unpacked; MB are millions of bytes. */
  readonly holds: string
  readonly megabytes: number
}

/** The files in a folder, in the order in which they are to be loaded; written there unless they are of that size already. */
export async function secFiles(folder: string, size: Size): Promise<SourceFiles[]> {
  const list = join(folder, 'files.json')
  const there = await readFile(list, 'utf8').then(JSON.parse, () => undefined)
  if (isDeepStrictEqual(there?.size, size)) return there.files
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const files = await write(folder, size)
  await writeFile(list, JSON.stringify({ size, files }))
  return files
}

async function write(folder: string, size: Size): Promise<SourceFiles[]> {
  const at = (name: string) => join(folder, name)
  const registrants = registrantsOf(size)
  const count = (number: number, what: string) => `${number.toLocaleString('en')} ${what}`
  const { attributes, relationships } = nicFiles(registrants)
  await writeFile(at('CSV_ATTRIBUTES_ACTIVE.csv'), attributes)
  await writeFile(at('CSV_RELATIONSHIPS.csv'), relationships)
  await writeFile(at('company_tickers_exchange.json'), tickersOf(size))
  const submissions = writeSubmissions(at('submissions.zip'), size)
  const facts = writeFacts(at('companyfacts.zip'), size)
  const insiders = writeInsiders((year, quarter) => at(`${year}q${quarter}_form345.zip`), size)
  const holders = write13f((year, quarter) => at(`${year}q${quarter}_form13f.zip`), size)
  const owners = write13dg(at('schedules-13dg.zip'), size)
  const one = (source: string, name: string, holds: string, bytes = 0): SourceFiles => ({
    ...{ source, paths: [at(name)], holds, megabytes: bytes / 1e6 },
  })
  return [
    one('nic-attributes', 'CSV_ATTRIBUTES_ACTIVE.csv', count(registrants.length * 1.5, 'institutions')),
    one('nic-relationships', 'CSV_RELATIONSHIPS.csv', count(registrants.length / 2, 'relationships')),
    one(
      'sec-submissions',
      'submissions.zip',
      `${count(submissions.filings, 'filings')} of ${count(registrants.length, 'registrants')}, and ${count(registrants.length * size.others, 'others')}`,
      submissions.bytes,
    ),
    one('sec-tickers', 'company_tickers_exchange.json', count(registrants.length, 'tickers')),
    one('sec-facts', 'companyfacts.zip', count(facts.facts, 'facts'), facts.bytes),
    {
      ...{ source: 'sec-ownership', paths: insiders.paths, megabytes: insiders.bytes / 1e6 },
      holds: count(insiders.transactions, 'transactions'),
    },
    one('sec-13dg', 'schedules-13dg.zip', count(owners, 'schedules')),
    {
      ...{ source: 'sec-13f', paths: holders.paths, megabytes: 0 },
      holds: count(holders.positions, 'positions'),
    },
  ]
}
