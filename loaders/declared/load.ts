import type { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import type { DeclaredSource, DocumentsForm, Table } from '../../sql/sources/declare.ts'
import { prepareDeclaredTables } from '../../sql/sources/tables.ts'
import { DigestStream, sha256OfText } from '../lib/digest.ts'
import { LoadError } from '../lib/errors.ts'
import type { AlreadyThere, LoadContext, Loaded, Reject, Source } from '../lib/source.ts'
import { isBundled } from './bundles.ts'
import { type DeclaredEdition, discoverDeclared } from './discover.ts'
import { digestOf, readDocuments } from './documents.ts'
import { checkEdition, putRows, type StagedRows, stagedRows, takeDuplicates } from './editions.ts'
import { addToHistory } from './history.ts'
import type { Part } from './part.ts'
import { readFileOf } from './read.ts'
import { stageSeries } from './series.ts'
import { dropScratch, type Staged, type StageFile, scratchOf, stage } from './stage.ts'

/** A declared source as the command and the runs of loads know it. */
export const declaredSource = (declaration: DeclaredSource): Source<DeclaredEdition> => ({
  ...declaration,
  discover: (paths) => discoverDeclared(declaration, paths),
  load: (edition, context) => loadDeclared(declaration, edition, context),
})

/**
 * Loads an edition: reads and checks each of its files before any table is touched.
 * @throws LoadError naming file, line and reason where a file is not what it should be
 */
async function loadDeclared(
  source: DeclaredSource,
  edition: DeclaredEdition,
  context: LoadContext,
): Promise<Loaded | AlreadyThere> {
  const { client, force } = context
  const tables = [...new Set(edition.parts.map(({ table }) => table))]
  try {
    // those of a source that is not the project's own too
    await prepareDeclaredTables(client, tables)
    for (const table of tables) await dropScratch(client, table)
    const files = await stageParts(edition, context)
    const names = edition.parts.map(({ name }) => name)
    const repeated: Reject[] = []
    const older: Reject[] = []
    const notes = files.flatMap((file) => file.notes)
    const staged: StagedRows[] = []
    for (const table of tables) staged.push(await stagedRows(client, table, edition.name))
    for (const rows of staged) {
      repeated.push(...(await takeDuplicates(client, rows, names)))
      if (!force) await checkEdition(client, rows, edition.name)
    }
    const reportDate = await newestDay(client, staged)
    const partitions: string[] = []
    for (const rows of staged) {
      if (rows.table.edition.replaces === 'history') {
        const added = await addToHistory(client, rows, { fileSha256: await edition.sha256(), names, force })
        notes.push(added.note)
        older.push(...added.rejects)
      } else partitions.push(...(await putRows(client, rows)))
    }
    const sum = (of: (file: StagedFile) => number) => files.reduce((total, file) => total + of(file), 0)
    return {
      status: 'loaded',
      reportDate,
      contentSha256: sha256OfText(files.map(({ sha256 }) => sha256).join()),
      ...manifestPlace(tables, partitions),
      rowsRead: sum(({ rowsRead }) => rowsRead),
      rowsKept: sum(({ rowsSound }) => rowsSound) - repeated.length,
      rejects: [...files.flatMap(({ rejects }) => rejects), ...repeated, ...older],
      notes: [...notes, ...((await source.notes?.(client)) ?? [])],
      changed: [],
    }
  } finally {
    for (const table of tables) await dropScratch(client, table)
  }
}

type StagedFile = Staged & { sha256: string }

async function stageParts(edition: DeclaredEdition, context: LoadContext): Promise<StagedFile[]> {
  const files: StagedFile[] = []
  const { read, close } = await edition.open()
  const staged = new Set<Table>()
  const held = (name: string) => {
    const table = [...staged].find((one) => one.name === name)
    return table ? scratchOf(table).rows : name
  }
  try {
    for (const [index, part] of edition.parts.entries()) {
      const file = { ...part, index, held }
      files.push(
        isDocuments(part)
          ? await stageDocuments(part, file, context)
          : await stagePart(part, await read(part), file, context),
      )
      staged.add(part.table)
    }
  } finally {
    close()
  }
  return files
}

type DocumentsPart = Part & Required<Pick<Part, 'documents'>> & { form: DocumentsForm }

const isDocuments = (part: Part): part is DocumentsPart => part.documents !== undefined

/** Documents of which nobody is wanted are none of a fault: an archive is of everybody. */
async function stageDocuments(
  part: DocumentsPart,
  file: StageFile,
  { client, progress }: LoadContext,
): Promise<StagedFile> {
  const reading = await readDocuments(client, part, file.held, progress)
  const staged = await stage(client, part.table, reading, file, progress)
  checkRejects(part.place, staged)
  return { ...staged, sha256: digestOf(part.documents) }
}

async function stagePart(
  part: Part,
  input: Readable,
  file: StageFile,
  { client, progress }: LoadContext,
): Promise<StagedFile> {
  const { table, form, name, place } = part
  const digest = new DigestStream()
  input.on('error', (error) => digest.destroy(error))
  try {
    const reading = await readFileOf(table, form, input.pipe(digest), part)
    const staged = await (table.series ? stageSeries : stage)(client, table, reading, file, progress)
    progress.bytes(digest.bytes)
    const sha256 = digest.sha256()
    if (part.sha256 && (await part.sha256()) !== sha256)
      throw new LoadError(`${place}: was changed while it was loaded`)
    if (staged.rowsRead === 0 && !isBundled(form))
      throw new LoadError(`${place}: there is no line below the header`)
    checkRejects(place, staged)
    const found = reading.rejects.map((reject) => ({ member: name, ...reject }))
    return { ...staged, rejects: [...found, ...staged.rejects], sha256 }
  } finally {
    input.destroy()
  }
}

/** @throws LoadError where most of it cannot be read: then it is something else */
function checkRejects(place: string, { rejected, rowsRead, rejects }: Staged): void {
  if (rejected * 2 <= rowsRead) return
  const [first] = rejects
  throw new LoadError(
    `${place}: ${rejected} of ${rowsRead} lines cannot be read; the first is line ${first!.line}: ${first!.reason}`,
  )
}

/** The newest day or quarter that the rows speak of. */
async function newestDay(client: ClickHouseClient, staged: readonly StagedRows[]): Promise<string | null> {
  const days: string[] = []
  for (const { table, relation } of staged) {
    const { time, edition } = table
    // a history may end before there were reports
    if (edition.replaces === 'history' || (time.kind !== 'day' && time.kind !== 'quarter')) continue
    const answer = await client.query({
      query: `SELECT toString(max(${time.column})) AS day FROM ${relation}`,
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ day: string }>()
    if (row) days.push(row.day)
  }
  return days.sort().at(-1) ?? null
}

/** Which entry of the manifest this one replaces: of the same tables and partitions, or none. */
function manifestPlace(
  tables: readonly Table[],
  partitions: readonly string[],
): Pick<Loaded, 'part' | 'replaces'> {
  const part = [...tables.map(({ name }) => name), ...new Set(partitions)].join(' ')
  const addsUp = tables.some(({ edition }) => ['upsert', 'nothing', 'history'].includes(edition.replaces))
  return { part, replaces: addsUp ? 'nothing' : 'part' }
}
