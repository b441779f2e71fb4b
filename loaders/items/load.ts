import { withoutFiles } from '../../sql/sources/incomplete.ts'
import type { ItemSource } from '../../sql/sources/items.ts'
import { prepareDeclaredTables } from '../../sql/sources/tables.ts'
import { LoadError } from '../lib/errors.ts'
import { entriesInForce } from '../lib/manifest.ts'
import type { AlreadyThere, LoadContext, Loaded, Source } from '../lib/source.ts'
import { discoverItems, type ItemEdition } from './discover.ts'
import {
  checkParts,
  checkReportDate,
  describedItems,
  type Extent,
  extentInTables,
  rowsOf,
  type StagedEdition,
  stagedExtent,
  whyNotReplace,
  writeLayouts,
} from './edition.ts'
import { putEdition } from './put.ts'
import { checkComplete, checkRejects, findRejects } from './rejects.ts'
import { dropStaging, stageMembers, stagingOf } from './stage.ts'

/** A declared source of filings as the command and the runs of loads know it. */
export const itemLoader = (source: ItemSource): Source<ItemEdition> => ({
  ...source,
  atOnce: 2,
  takesPartial: source.descriptions?.member !== undefined,
  discover: (paths) => discoverItems(source, paths),
  load: (edition, context) => loadEdition(source, edition, context),
})

/**
 * Loads one edition. Everything is checked in scratch tables; the partitions of its report date are touched only when
 * the whole is known to be sound.
 * @throws LoadError naming file, line and reason where it is not
 */
async function loadEdition(
  source: ItemSource,
  { name, reportDate, open }: ItemEdition,
  context: LoadContext,
): Promise<Loaded | AlreadyThere> {
  const { client, progress } = context
  const staging = stagingOf(source, reportDate)
  const { members: files, close } = await open()
  try {
    // those of a source that is not the project's own too
    await prepareDeclaredTables(client, source.tables)
    const { staged: members, sha256 } = await stageMembers(client, source, staging, files, progress)
    const inForce = (await entriesInForce(client, source.key)).filter(
      (entry) => entry.report_date === reportDate,
    )
    if (inForce.some((entry) => entry.content_sha256 === sha256) && !context.force)
      return { status: 'already-there', reportDate }

    const single = files[0]!.single ? members[0] : undefined
    const edition: StagedEdition = { source, client, reportDate, staging, members, single }
    checkParts(members)
    const described = await describedItems(edition)
    const fresh = await stagedExtent(edition)
    const dates = await checkReportDate(edition, fresh.submitted)
    const lacking = lackingIn(source, reportDate, fresh, described.values())
    if (lacking.length > 0 && !context.partial)
      throw new LoadError(`${name}: lacks ${lacking.join(', ')} (--partial takes what is there)`)
    const notes = single ? [] : await compare(edition, name, fresh, context.force)
    const codes = await writeLayouts(edition, described)
    const rejects = await findRejects(edition, dates)
    checkRejects(edition, rejects)
    await checkComplete(edition, rejects)
    const items = await putEdition(edition, codes, rejects.length > 0)
    const rowsRead = members.reduce((sum, { rows }) => sum + rows, 0)
    progress.rows(rowsRead)
    const without = lacking.length > 0 ? withoutFiles(lacking) : undefined
    return {
      ...{ status: 'loaded', reportDate, contentSha256: sha256, rowsRead },
      rowsKept: rowsRead - rejects.length,
      rejects,
      notes: [...notes, ...(without ? [without] : []), `${items.toLocaleString('en-US')} items`],
      changed: [reportDate],
      part: single ? await titleOfSingle(edition, single.part) : without,
      ...(single && { replaces: 'part' as const }),
    }
  } finally {
    close()
    await dropStaging(client, staging)
  }
}

/** Which report of which filer it is, for the manifest. */
async function titleOfSingle(edition: StagedEdition, part: string): Promise<string> {
  const [filer] = await rowsOf<{ id: number }>(edition, `SELECT id FROM ${edition.staging.lines}`)
  return `${part} of ${filer!.id}, ${edition.reportDate}`
}

/** What is not there: parts that the file of descriptions has items of, and lists that editions of the date come with. */
function lackingIn(
  { items, listTables }: ItemSource,
  reportDate: string,
  fresh: Extent,
  described: Iterable<Readonly<Record<string, unknown>>>,
): string[] {
  const parts = new Set([...described].map((row) => row[items.part] as string))
  const due = listTables.filter(({ since }) => since !== undefined && since <= reportDate)
  return [
    ...[...parts].filter((part) => part !== '' && !fresh.parts.includes(part)).sort(),
    ...due.map(({ file }) => file).filter((file) => !fresh.lists.includes(file)),
  ]
}

/** Holds the staged edition against what it would replace. Returns notes for the user. */
async function compare(
  edition: StagedEdition,
  name: string,
  fresh: Extent,
  force: boolean,
): Promise<string[]> {
  const { source, reportDate } = edition
  const { known, called } = source.items
  const notes = fresh.parts
    .filter((part) => known && !known.includes(part))
    .sort()
    .map((part) => `${called} ${part} is new here, and was loaded`)
  const old = await extentInTables(edition)
  if (!old) return notes
  const objection = whyNotReplace(source, old, fresh)
  if (objection && !force)
    throw new LoadError(
      `${name}: does not replace ${reportDate}: ${objection} (--force loads it all the same)`,
    )
  const upTo =
    source.filers.submitted === undefined
      ? ''
      : ` with submissions up to ${old.submitted || 'an unknown time'}`
  return [...notes, `replaces the edition${upTo}`]
}
