import { LoadError } from '../lib/errors.ts'
import type { AlreadyThere, LoadContext, Loaded, Reject } from '../lib/source.ts'
import { checkComplete } from './complete.ts'
import type { CallReportEdition } from './editions.ts'
import { insertQuarter } from './insert.ts'
import { newSchedules } from './known-schedules.ts'
import { type Layout, readLayouts } from './layout.ts'
import { quarterInTables, whyNotReplace } from './quarter.ts'
import { findRejects } from './rejects.ts'
import { stageRows } from './rows.ts'
import { stage } from './stage.ts'
import { checkReportDate, stagedQuarter } from './staged.ts'
import { dropStaging, type Staging, stagingOf } from './staging.ts'

/**
 * Loads one quarter. Everything is checked in a staging table; the quarter's partitions are touched only when the
 * whole is known to be sound.
 */
export async function loadQuarter(
  edition: CallReportEdition,
  context: LoadContext,
): Promise<Loaded | AlreadyThere> {
  const { client, progress } = context
  const { reportDate } = edition
  const staging = stagingOf(reportDate)
  try {
    const contentSha256 = await stageEdition(edition, staging, context)
    const inForce = await context.inForce(reportDate)
    if (inForce?.content_sha256 === contentSha256 && !context.force)
      return { status: 'already-there', reportDate }

    const layouts = await readLayouts(client, staging)
    const notes = await compare(edition, staging, context, layouts)
    await stageRows(client, staging, layouts)
    const rejects = await findRejects(client, staging)
    checkRejects(layouts, rejects)
    await checkComplete(client, staging, rejects)
    const items = await insertQuarter(client, staging, reportDate, layouts, rejects)
    const rowsRead = layouts.reduce((sum, layout) => sum + layout.rows, 0)
    progress.rows(rowsRead)
    return {
      status: 'loaded',
      reportDate,
      contentSha256,
      rowsRead,
      rowsKept: rowsRead - rejects.length,
      rejects,
      notes: [...notes, `${items.toLocaleString('en-US')} items`],
      changed: [reportDate],
    }
  } finally {
    await dropStaging(client, staging)
  }
}

async function stageEdition(
  edition: CallReportEdition,
  staging: Staging,
  { client, progress }: LoadContext,
): Promise<string> {
  const { members, close } = await edition.open()
  try {
    return await stage(client, staging, members, progress)
  } finally {
    close()
  }
}

/** Holds the staged quarter against its name and against what it would replace. @returns notes for the user */
async function compare(
  edition: CallReportEdition,
  staging: Staging,
  context: LoadContext,
  layouts: Layout[],
): Promise<string[]> {
  const { reportDate, name } = edition
  const fresh = await stagedQuarter(context.client, staging, layouts)
  await checkReportDate(context.client, staging, reportDate, layouts, fresh)
  const notes = newSchedules(fresh.schedules).map(
    (schedule) => `schedule ${schedule} is new here, and was loaded`,
  )
  const old = await quarterInTables(context.client, reportDate)
  if (!old) return notes
  const objection = whyNotReplace(old, fresh)
  if (objection && !context.force)
    throw new LoadError(
      `${name}: does not replace ${reportDate}: ${objection} (--force loads it all the same)`,
    )
  return [...notes, `replaces the edition with submissions up to ${old.submittedAt || 'an unknown time'}`]
}

/** A member of which nothing is left is not what it is named, and a quarter without it would be half a quarter. */
function checkRejects(layouts: Layout[], rejects: Reject[]): void {
  for (const { member, rows } of layouts) {
    const own = rejects.filter((reject) => reject.member === member)
    if (rows === 0) throw new LoadError(`${member}: has no rows`)
    if (own.length >= rows)
      throw new LoadError(
        `${member}: none of its ${rows} rows can be kept; line ${own[0]!.line}: ${own[0]!.reason}`,
      )
  }
  const last = cutOff(layouts, rejects)
  if (last) throw new LoadError(`${last.member}: is cut off: its last line, ${last.line}, ${last.reason}`)
}

function cutOff(layouts: Layout[], rejects: Reject[]): Reject | undefined {
  return rejects.find(({ member, line, reason }) => {
    const { firstRow, rows } = layouts.find((layout) => layout.member === member)!
    return line === firstRow + rows - 1 && reason.startsWith('has ')
  })
}
