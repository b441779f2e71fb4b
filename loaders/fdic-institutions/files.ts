import { basename, dirname, join } from 'node:path'
import { sha256OfFile } from '../lib/digest.ts'
import { LoadError } from '../lib/errors.ts'
import type { Discovery, Edition } from '../lib/source.ts'
import { beginningOf, readCsv, readJsonRecords, type TableRecord } from '../lib/table.ts'
import { findFiles } from '../lib/walk.ts'

export interface InstitutionsEdition extends Edition {
  read(): AsyncIterable<TableRecord> | Promise<TableRecord[]>
}

/** CSV and JSON files whose columns are those of FDIC's institutions. */
export async function discoverInstitutions(paths: string[]): Promise<Discovery<InstitutionsEdition>> {
  const found: Discovery<InstitutionsEdition> = { editions: [], refused: [], ignored: [] }
  for (const { path, name, bytes, given } of await findFiles(paths)) {
    const kind = await kindOf(path, name)
    if (kind) {
      found.editions.push({
        // SDI's files have one name; the folder tells the quarter.
        name: given ? name : join(basename(dirname(path)), name),
        reportDate: null,
        bytes,
        volume: bytes,
        sha256: () => sha256OfFile(path),
        read: () => (kind === 'csv' ? readCsv(path) : readJsonRecords(path)),
      })
    } else if (given) found.refused.push({ name: path, reason: EXPECTED })
    else found.ignored.push(path)
  }
  return found
}

const EXPECTED =
  'expected a CSV with the columns CERT and NAME, or a JSON answer of BankFind\'s "institutions"'

async function kindOf(path: string, name: string): Promise<'csv' | 'json' | null> {
  if (!/\.(csv|json)$/i.test(name)) return null
  const text = await beginningOf(path)
  if (/^\s*[[{]/.test(text)) return /"CERT"\s*:/i.test(text) ? 'json' : null
  const header = (text.split('\n', 1)[0] ?? '')
    .toLowerCase()
    .split(',')
    .map((cell) => cell.replaceAll(/["\r]/g, '').trim())
  return header.includes('cert') && header.includes('name') ? 'csv' : null
}

/** All records of an edition. @throws LoadError where there is none */
export async function recordsOf(edition: InstitutionsEdition): Promise<TableRecord[]> {
  const records: TableRecord[] = []
  for await (const record of await edition.read()) records.push(record)
  if (records.length === 0) throw new LoadError(`${edition.name}: has no records`)
  return records
}
