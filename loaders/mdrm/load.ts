import { sha256OfFile, sha256OfText } from '../lib/digest.ts'
import { LoadError } from '../lib/errors.ts'
import type { Discovery, Edition, LoadContext, Loaded, Reject } from '../lib/source.ts'
import { beginningOf, readCsv, type TableForm } from '../lib/table.ts'
import { findFiles } from '../lib/walk.ts'
import { type DictionaryItem, itemOf } from './record.ts'

export interface DictionaryEdition extends Edition {
  path: string
  form: TableForm
}

/** MDRM_CSV.csv as the Federal Reserve publishes it, or a tab-separated list with a column "MDRM Item". */
export async function discoverDictionary(paths: string[]): Promise<Discovery<DictionaryEdition>> {
  const found: Discovery<DictionaryEdition> = { editions: [], refused: [], ignored: [] }
  for (const { path, name, bytes, given } of await findFiles(paths)) {
    const form = formOf(await beginningOf(path, 1 << 12))
    if (form)
      found.editions.push({
        name,
        path,
        form,
        reportDate: null,
        bytes,
        volume: bytes,
        sha256: () => sha256OfFile(path),
      })
    else if (given) found.refused.push({ name: path, reason: EXPECTED })
    else found.ignored.push(path)
  }
  return found
}

const EXPECTED =
  'expected the Federal Reserve\'s MDRM_CSV.csv (columns Mnemonic, Item Code, …), or a tab-separated list with "MDRM Item"'

/** The published file has the word PUBLIC on a line before its header. */
function formOf(text: string): TableForm | null {
  const lines = text.split(/\r?\n/, 3)
  const skip = lines.findIndex((line) => /^"?(mnemonic"?,|mdrm item\t)/i.test(line))
  if (skip < 0) return null
  return lines[skip]!.includes('\t') ? { delimiter: '\t', skip, quoted: false } : { skip }
}

/** Replaces the dictionary: each edition is the whole of it. */
export async function loadDictionary(
  edition: DictionaryEdition,
  { client, progress }: LoadContext,
): Promise<Loaded> {
  const items = new Map<string, DictionaryItem>()
  const rejects: Reject[] = []
  let rowsRead = 0
  for await (const record of readCsv(edition.path, edition.form)) {
    rowsRead += 1
    const item = itemOf(record)
    const reject = (reason: string) =>
      rejects.push({
        member: '',
        line: record.line,
        reason,
        text: [...record.values.values()].join(',').slice(0, 200),
      })
    if (typeof item === 'string') reject(item)
    else if (items.has(keyOf(item))) reject(`${item.mdrm} from ${item.start_date} stands there already`)
    else items.set(keyOf(item), item)
  }
  progress.bytes(edition.volume)
  if (items.size === 0) throw new LoadError(`${edition.name}: none of its ${rowsRead} rows is an item`)
  const values = [...items.values()]
  await client.command({ query: 'TRUNCATE TABLE mdrm_dictionary' })
  await client.insert({ table: 'mdrm_dictionary', format: 'JSONEachRow', values })
  progress.rows(rowsRead)
  return {
    status: 'loaded',
    reportDate: null,
    contentSha256: sha256OfText(JSON.stringify(values)),
    rowsRead,
    rowsKept: values.length,
    rejects,
    notes: [`${values.length.toLocaleString('en-US')} items`],
    changed: [],
  }
}

const keyOf = ({ mdrm, start_date }: DictionaryItem) => `${mdrm} ${start_date}`
