import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { assembleLoaded } from '../../sql/derive/ubpr/read.ts'
import { parse } from '../../sql/formula/index.ts'
import { sha256OfFile, sha256OfText } from '../lib/digest.ts'
import { downloadAll } from '../lib/download-all.ts'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import type { Discovery, Edition, LoadContext, Loaded, Refusal, Reject } from '../lib/source.ts'
import { beginningOf } from '../lib/table.ts'
import { findFiles } from '../lib/walk.ts'
import { type Part, type Row, rowsOf } from './rows.ts'

interface GuideFile {
  path: string
  name: string
  part: Part
  bytes: number
}

/** An edition of the guide: a dictionary, or the table of pages with the table of the concepts that they refer to. */
export interface GuideEdition extends Edition {
  label: string
  files: GuideFile[]
}

const EXPECTED =
  'expected a table of the UBPR User\'s Guide (CSV with the columns "CONCEPT NAME" or "REFERENCED CONCEPT", and "FORMULA"), or a data dictionary (JSON array of objects with "mdrm" and "formula")'

/** The files of the guide among the given paths; the two tables of one date are one edition. */
export async function discoverGuide(paths: string[]): Promise<Discovery<GuideEdition>> {
  const found: Discovery<GuideEdition> = { editions: [], refused: [], ignored: [] }
  const editions = new Map<string, GuideFile[]>()
  for (const { path, name, bytes, given } of await findFiles(paths)) {
    const part = partOf(await beginningOf(path, 1 << 12))
    if (part) {
      const label = labelOf(name)
      editions.set(label, [...(editions.get(label) ?? []), { path, name, part, bytes }])
    } else if (given) found.refused.push({ name: path, reason: EXPECTED })
    else found.ignored.push(path)
  }
  for (const [label, files] of editions) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const [first, ...rest] = files
    found.editions.push({
      name: files.map(({ name }) => name).join(', '),
      label,
      files,
      reportDate: isoDate.exec(label)?.[0] ?? null,
      bytes,
      volume: bytes,
      sha256: async () =>
        rest.length === 0
          ? sha256OfFile(first!.path)
          : sha256OfText((await Promise.all(files.map(({ path }) => sha256OfFile(path)))).sort().join()),
    })
  }
  return found
}

const isoDate = /\d{4}-\d{2}-\d{2}/
/** `2017-06-22` or `v129` of a name; the name itself where it has neither. */
const labelOf = (name: string) =>
  isoDate.exec(name)?.[0] ?? /\bv\d+\b/i.exec(name)?.[0] ?? name.replace(/\.\w+$/, '')

function partOf(text: string): Part | null {
  if (/^\s*\[\s*\{/.test(text) && /"mdrm"\s*:/.test(text)) return 'dictionary'
  const [header = ''] = text.split(/\r?\n/, 1)
  if (!/\bformula\b/i.test(header)) return null
  if (/\bconcept name\b/i.test(header)) return 'pages'
  return /\breferenced concept\b/i.test(header) ? 'references' : null
}

/** Fetches the file that UBPR_GUIDE_URL names. */
export async function downloadGuide(
  folder: string,
  progress: Progress,
  refuse?: (refusal: Refusal) => void,
): Promise<string[]> {
  const { ubprGuideUrl } = readConfig(process.env)
  const name = decodeURIComponent(new URL(ubprGuideUrl).pathname.split('/').pop() || 'ubpr-guide')
  return downloadAll([{ url: ubprGuideUrl, path: join(folder, name) }], progress, refuse)
}

/** Replaces the edition of the same date, and says what of all loaded editions together compiles. */
export async function loadGuide(edition: GuideEdition, { client, progress }: LoadContext): Promise<Loaded> {
  const rows: Row[] = []
  const rejects: Reject[] = []
  let rowsRead = 0
  for (const file of edition.files) {
    const found = await rowsOf(file.path, file.name, file.part)
    rows.push(...found.rows)
    rejects.push(...found.rejects)
    rowsRead += found.read
    progress.bytes(file.bytes)
  }
  if (rows.length === 0) throw new LoadError(`${edition.name}: none of its ${rowsRead} rows is a concept`)
  const editionDate = edition.reportDate ?? newestDate(rows)
  if (editionDate === null)
    throw new LoadError(
      `${edition.name}: no date in its name and none in its formulas, so its age is not known`,
    )
  for (const row of rows) {
    const fault = row.formula === '' ? null : faultOf(row)
    if (fault)
      rejects.push({
        member: memberOf(edition, row),
        line: row.line,
        reason: fault,
        text: row.formula.slice(0, 200),
      })
  }
  await client.command({ query: `ALTER TABLE ubpr_guide DROP PARTITION '${editionDate}'` })
  await client.insert({
    table: 'ubpr_guide',
    format: 'JSONEachRow',
    values: rows.map((row) => ({ ...row, edition_date: editionDate, edition: edition.label })),
  })
  progress.rows(rowsRead)
  return {
    status: 'loaded',
    reportDate: editionDate,
    contentSha256: sha256OfText(JSON.stringify(rows)),
    rowsRead,
    rowsKept: rows.length,
    rejects,
    notes: await compileNotes(client),
    changed: [],
  }
}

const memberOf = (edition: GuideEdition, { part }: Row) =>
  edition.files.find((file) => file.part === part)?.name ?? ''

/** A formula that does not parse is kept as published, and listed. */
function faultOf({ code, formula }: Row): string | null {
  try {
    parse(formula, code)
    return null
  } catch (error) {
    return wordsOf(error)
  }
}

/** A guide speaks of no date after its own: the newest one in its formulas is at most that old. */
function newestDate(rows: readonly Row[]): string | null {
  const dates = rows.flatMap(({ formula }) => formula.match(/(?<=')\d{4}-\d{2}-\d{2}(?=')/g) ?? [])
  return dates.sort().at(-1) ?? null
}

/** How many of the concepts compile now, and each that does not. */
async function compileNotes(client: LoadContext['client']): Promise<string[]> {
  const { published, refused } = await assembleLoaded(client)
  const failed = refused.filter(({ kind }) => kind !== 'no-formula')
  const without = refused.length - failed.length
  const all = published + failed.length
  const share = ((100 * published) / all).toFixed(2)
  return [
    `${published} of ${all} concepts with a formula compile (${share} %); ${without} have none`,
    ...failed.map(({ code, label, reason }) => `${code} (${label}) is not computed: ${reason}`),
  ]
}
