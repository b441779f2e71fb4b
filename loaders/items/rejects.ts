import { quoted } from '../../sql/quoted.ts'
import type { ItemList } from '../../sql/sources/items.ts'
import { LoadError } from '../lib/errors.ts'
import type { Reject } from '../lib/source.ts'
import { declaredSql, descriptionsOf, filersOf, listsOf, rowsOf, type StagedEdition } from './edition.ts'
import { hasFilers, hasItems } from './members.ts'
import type { StagedMember } from './stage.ts'

const REJECTED_TEXT = 200

/*
 * A row is refused when it cannot be told whose it is or which item a cell belongs to:
 *  - another number of cells than its header (a delimiter inside a text would shift the rest)
 *  - an id that is none
 *  - a second row of one institution in a file: the same again is left out; if they differ, none is the right one
 *  - a row of another report date
 *  - a row of an institution that is none of the filers: without identity it would count in sums and stand in no list
 */
function faulty(edition: StagedEdition): string {
  const { source, staging } = edition
  const { lines, layouts } = staging
  const filers = filersOf(edition)
  const called = quoted(source.id.called)
  return `
INSERT INTO ${staging.rejects}
WITH unread AS (
  SELECT ${quoted(filers.member)} AS member, _line AS line, _fault AS unread FROM (${declaredSql(edition, filers)}) WHERE _fault != ''
),
filers AS (
  SELECT id FROM ${lines} WHERE member = ${quoted(filers.member)} AND cells = ${filers.width} AND line NOT IN (SELECT line FROM unread)
),
rows AS (
  SELECT member, line, fault, cells, id, id_text, date_text, content, width
  FROM ${lines} AS lines ANY LEFT JOIN ${layouts} AS layouts USING member WHERE role NOT IN ('descriptions', 'list')
),
twice AS (
  SELECT member, id, min(line) AS first_line, min(content) != max(content) AS differ FROM rows
  WHERE id > 0 AND cells = width GROUP BY member, id HAVING count() > 1
)
SELECT member, line, multiIf(
    fault != '', fault,
    cells != width, concat('has ', toString(cells), ' cells, its header ', toString(width)),
    id = 0, concat('"', substring(id_text, 1, 40), '" is no ', ${called}),
    differ, concat(${called}, ' ', toString(id), ' has several rows that differ'),
    first_line > 0 AND line != first_line, concat('repeats line ', toString(first_line)),
    unread != '', unread,
    date_text != '' AND date_text NOT IN {dates:Array(String)}, concat('is of the report date ', date_text),
    id NOT IN (filers), concat(${called}, ' ', toString(id), ' is not in ', ${quoted(source.filers.called)}),
    '') AS reason
FROM rows LEFT JOIN twice USING (member, id) LEFT JOIN unread USING (member, line)
WHERE reason != ''`
}

/** The same of a list, which has any number of rows an institution: of those that are the same by its key the first is kept. */
function faultyInList(edition: StagedEdition, member: StagedMember, { order }: ItemList): string {
  const { source, staging } = edition
  const called = quoted(source.id.called)
  const id = source.id.column
  return `
INSERT INTO ${staging.rejects}
WITH filers AS (SELECT id FROM ${staging.lines} WHERE member = ${quoted(filersOf(edition).member)})
SELECT ${quoted(member.member)}, line, multiIf(
    _fault != '', _fault,
    date_text != '' AND date_text NOT IN {dates:Array(String)}, concat('is of the report date ', date_text),
    ${id} NOT IN (filers), concat(${called}, ' ', toString(${id}), ' is not in ', ${quoted(source.filers.called)}),
    line != first_line, concat('repeats line ', toString(first_line)),
    '') AS reason
FROM (
  SELECT _line AS line, _fault, ${id}, min(_line) OVER (PARTITION BY ${order.join(', ')}, _fault = '') AS first_line
  FROM (${declaredSql(edition, member)})
) AS rows
ANY LEFT JOIN (SELECT line, date_text FROM ${staging.lines} WHERE member = ${quoted(member.member)}) AS dated USING line
WHERE reason != ''`
}

// Put off until a fault is found, the words about a line would split its 2,500 cells once more for each of its columns.
const AT_ONCE = { short_circuit_function_evaluation: 'disable' } as const

/** Lists the staged lines that cannot be kept, with the reason and the beginning of their text. */
export async function findRejects(edition: StagedEdition, dates: readonly string[]): Promise<Reject[]> {
  const { client, staging } = edition
  await client.command({
    query: `CREATE TABLE ${staging.rejects} (member String, line UInt32, reason String) ENGINE = Memory`,
  })
  const run = (query: string) =>
    client.command({ query, query_params: { dates }, clickhouse_settings: AT_ONCE })
  await run(faulty(edition))
  for (const { member, list } of listsOf(edition)) await run(faultyInList(edition, member, list))
  const descriptions = descriptionsOf(edition)
  if (descriptions)
    await run(
      `INSERT INTO ${staging.rejects} SELECT ${quoted(descriptions.member)}, _line, _fault FROM (${declaredSql(edition, descriptions)}) WHERE _fault != ''`,
    )
  const [{ found } = { found: 0 }] = await rowsOf<{ found: number }>(
    edition,
    `SELECT toUInt32(count()) AS found FROM ${staging.rejects}`,
  )
  if (found === 0) return []
  return rowsOf<Reject>(
    edition,
    `SELECT member, line, reason, substring(text, 1, ${REJECTED_TEXT}) AS text
      FROM ${staging.rejects} AS rejects INNER JOIN ${staging.lines} AS lines USING (member, line) ORDER BY member, line`,
  )
}

/** A file of which nothing is left is not what it is named, and an edition without it would be half an edition. */
export function checkRejects({ members }: StagedEdition, rejects: readonly Reject[]): void {
  for (const { member, rows } of members) {
    const own = rejects.filter((reject) => reject.member === member)
    if (own.length >= rows)
      throw new LoadError(
        `${member}: none of its ${rows} rows can be kept; line ${own[0]!.line}: ${own[0]!.reason}`,
      )
  }
  const last = rejects.find(
    ({ member, line, reason }) =>
      reason.startsWith('has ') && members.some((one) => one.member === member && one.lastLine === line),
  )
  if (last) throw new LoadError(`${last.member}: is cut off: its last line, ${last.line}, ${last.reason}`)
}

interface FileExtent {
  member: string
  rows: number
  last: number
  missing: number
}

const extents = (edition: StagedEdition) => `
SELECT member, rows, last, toUInt32(arrayCount(filer -> filer > last, filers)) AS missing
FROM (SELECT member, toUInt32(count()) AS rows, max(id) AS last FROM ${edition.staging.lines} WHERE id > 0 GROUP BY member) AS members
CROSS JOIN (SELECT groupArray(id) AS filers FROM ${edition.staging.lines} WHERE member = ${quoted(filersOf(edition).member)}) AS filers
ORDER BY member`

// More than these are no odd rows: the list of filers itself is not whole.
const STRANGERS_ALLOWED = 5
const STRANGERS_SHARE = 0.01

/**
 * A file cut off between two lines looks sound by itself. Every part has a row for every filer, in the order of their
 * numbers, so the list of filers tells where each must end, and the parts tell where the list must.
 */
export async function checkComplete(edition: StagedEdition, rejects: readonly Reject[]): Promise<void> {
  const { id, filers } = edition.source
  const whole = edition.members.filter((one) => hasFilers(one) || hasItems(one)).map(({ member }) => member)
  for (const { member, rows, last, missing } of await rowsOf<FileExtent>(edition, extents(edition))) {
    if (!whole.includes(member)) continue
    if (missing > 0)
      throw new LoadError(
        `${member}: is cut off: it ends with ${id.called} ${last}, and ${filers.called} has ${missing} filers after that`,
      )
    const strangers = rejects.filter(
      (reject) => reject.member === member && reject.reason.endsWith(` is not in ${filers.called}`),
    )
    if (strangers.length > Math.max(STRANGERS_ALLOWED, rows * STRANGERS_SHARE))
      throw new LoadError(
        `${member}: ${strangers.length} of its ${rows} rows are of institutions that ${filers.called} does not have: is ${filers.called} whole?`,
      )
  }
}
