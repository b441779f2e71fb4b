import { quoted, quotedList } from '../../sql/quoted.ts'
import { keptColumns, type Table } from '../../sql/sources/declare.ts'
import type { ItemKinds } from '../../sql/sources/items.ts'
import { declaredSql, descriptionsOf, filersOf, listsOf, rowsOf, type StagedEdition } from './edition.ts'
import type { StagedMember } from './stage.ts'

/**
 * Replaces the report date in the build by the staged edition, without its rejects. Returns the items kept.
 * @param codes all codes, by number
 */
export async function putEdition(
  edition: StagedEdition,
  codes: readonly string[],
  anyRejects: boolean,
): Promise<number> {
  const { source, client, reportDate } = edition
  const query_params = { date: reportDate }
  for (const { name } of source.tables) {
    if (edition.single) await removeReport(edition, name)
    else await client.command({ query: `ALTER TABLE ${name} DROP PARTITION {date:Date}`, query_params })
  }
  const rowsIn = [{ member: filersOf(edition), list: source.filersTable }, ...listsOf(edition)]
  for (const { member, list } of rowsIn)
    await client.command({ query: rowsSql(edition, member, list), query_params })
  if (source.descriptionsTable)
    await client.command({ query: descriptionsSql(edition, source.descriptionsTable), query_params })
  for (const separator of new Set(edition.members.map((member) => member.separator)))
    await client.command({
      query: itemsSql(edition, separator, codes, anyRejects),
      query_params,
      clickhouse_settings: INSERT_SETTINGS,
    })
  const [row] = await rowsOf<{ items: string }>(
    edition,
    `SELECT count() AS items FROM ${source.items.table} WHERE report_date = {date:Date}`,
    query_params,
  )
  return Number(row!.items)
}

// An edition becomes three or four parts, few enough to be left as they are: merging them costs as much as writing them.
const INSERT_SETTINGS = {
  min_insert_block_size_rows: '2600000',
  min_insert_block_size_bytes: '0',
  max_insert_threads: '2',
} as const

/** Takes away what the report of one filer replaces: its rows of that report, its items in any other, and who it is. */
async function removeReport(edition: StagedEdition, table: string): Promise<void> {
  const { source, staging, single, client, reportDate } = edition
  const { part, code, table: items } = source.items
  const codes = single!.codes.map(quoted).join(', ')
  const report = table === items ? ` AND (${part} = ${quoted(single!.part)} OR ${code} IN (${codes}))` : ''
  const where = `report_date = {date:Date} AND ${source.id.column} IN (SELECT id FROM ${staging.lines})${report}`
  const query_params = { date: reportDate }
  // a mutation rewrites the partition and is waited for, so it is not sent for nothing
  if ((await rowsOf(edition, `SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`, query_params)).length === 0)
    return
  await client.command({
    query: `ALTER TABLE ${table} DELETE WHERE ${where}`,
    query_params,
    clickhouse_settings: { mutations_sync: '1' },
  })
}

const sound = ({ staging }: StagedEdition, member: string) =>
  `line NOT IN (SELECT line FROM ${staging.rejects} WHERE member = ${quoted(member)})`

const columnsOf = ({ columns }: Table) => keptColumns(columns).map(([name]) => name)

function rowsSql(edition: StagedEdition, member: StagedMember, table: Table): string {
  const [, ...columns] = columnsOf(table)
  return `INSERT INTO ${table.name} (report_date, ${columns.join(', ')})
    SELECT {date:Date}, ${columns.join(', ')} FROM (${declaredSql(edition, member, sound(edition, member.member))})`
}

function descriptionsSql(edition: StagedEdition, table: Table): string {
  const { code, part } = edition.source.items
  const member = descriptionsOf(edition)
  if (member) {
    const columns = columnsOf(table).filter((name) => !['report_date', 'position'].includes(name))
    return `INSERT INTO ${table.name} (report_date, position, ${columns.join(', ')})
      SELECT {date:Date}, row_number() OVER (PARTITION BY ${part} ORDER BY _line), ${columns.join(', ')}
      FROM (${declaredSql(edition, member, sound(edition, member.member))})`
  }
  return `INSERT INTO ${table.name} (report_date, ${part}, ${code}, position, description)
    SELECT {date:Date}, part, code, row_number() OVER (PARTITION BY part ORDER BY length(member), member, column), description
    FROM ${edition.staging.layouts}
    ARRAY JOIN codes AS code, arrayEnumerate(codes) AS column,
      arrayResize(arrayMap(text -> trimBoth(text), descriptions), length(codes), '') AS description
    WHERE role != 'filers' AND code != ''`
}

/** What a number of a kind is stored as: divided where it is made smaller, as 0.001 has no exact form. */
const scaled = (times: number, value: string): string =>
  times === 1 ? value : times < 1 ? `${value} / ${Math.round(1 / times)}` : `round(${value} * ${times}, 8)`

/*
 * A cell is a number, or text: by the rule of its item, and where it does not look like a quantity. Digits with
 * leading zeros are a code, and beyond 15 of them a Float64 would not hold them. Most cells are whole numbers, which
 * writing them back shows at a third of the cost of the rest of the rule.
 */
function valueSql(kinds: ItemKinds): string {
  const numbered = Object.values(kinds).map((times, index) => ({ times, kind: index + 1 }))
  const numeric = numbered.flatMap(({ times, kind }) => (times === null ? [] : [{ times, kind }]))
  const text = numbered.flatMap(({ times, kind }) => (times === null ? [kind] : []))
  const others = numeric.filter(({ times }) => times !== 1)
  const often = numeric.filter(({ times }) => times <= 1)
  const whole = 'length(cell) < 16 AND toString(toInt64OrZero(cell) AS whole) = cell'
  return `multiIf(
    ${often.map(({ times, kind }) => `kind = ${kind} AND ${whole}, ${scaled(times, 'toFloat64(whole)')}`).join(',\n    ')},
    kind IN (0, ${text.join(', ')}), NULL,
    endsWith(cell, '%'), if(isFinite(toFloat64OrNull(substring(cell, 1, length(cell) - 1)) AS share), share, NULL),
    lower(cell) = 'true', 1,
    lower(cell) = 'false', 0,
    NOT match(cell, '^-?(0|[1-9][0-9]{0,14})?([.][0-9]+)?$'), NULL,
    ${others.map(({ times, kind }) => `kind = ${kind}, ${scaled(times, 'toFloat64OrNull(cell)')},`).join('\n    ')}
    toFloat64OrNull(cell))`
}

function itemsSql(
  { source, staging }: StagedEdition,
  separator: string,
  codes: readonly string[],
  anyRejects: boolean,
): string {
  const { items, id } = source
  const absent = (items.absent ?? []).map(quoted).join(', ')
  return `
INSERT INTO ${items.table} (report_date, ${id.column}, ${items.code}, ${items.part}, value, text)
SELECT {date:Date}, id, CAST(${quotedList(codes)}, 'Array(LowCardinality(String))')[number], part, ${valueSql(items.kinds)} AS value, if(value IS NULL, cell, NULL) AS text
FROM (
  SELECT id, part, numbers, kinds, splitByChar(${quoted(separator)}, text) AS cells
  FROM ${staging.lines} ANY LEFT JOIN ${staging.layouts} USING member
  WHERE role IN ('items', 'both') AND separator = ${quoted(separator)}
${anyRejects ? `AND (member, line) NOT IN (SELECT member, line FROM ${staging.rejects})` : ''}
)
ARRAY JOIN numbers AS number, kinds AS kind, cells AS cell
WHERE kind > 0 AND notEmpty(trimBoth(cell))${absent ? ` AND trimBoth(cell) NOT IN (${absent})` : ''}`
}
