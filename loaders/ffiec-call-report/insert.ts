import type { ClickHouseClient } from '@clickhouse/client'
import type { Reject } from '../lib/source.ts'
import { ITEM_KIND } from './item-kind.ts'
import type { Layout, POR_COLUMNS } from './layout.ts'
import type { Staging } from './staging.ts'

/** Tables that a quarter lies in, each with one partition for it. */
export const QUARTER_TABLES = ['call_report_items', 'filers', 'item_descriptions'] as const

/** Replaces the quarter in the build by the staged members, without the rejected rows. Returns the items kept. */
export async function insertQuarter(
  client: ClickHouseClient,
  staging: Staging,
  reportDate: string,
  layouts: Layout[],
  rejects: Reject[],
): Promise<number> {
  await writeLayouts(client, staging, layouts, rejects)
  for (const table of QUARTER_TABLES) {
    await client.command({
      query: `ALTER TABLE ${table} DROP PARTITION {date:Date}`,
      query_params: { date: reportDate },
    })
  }
  const query_params = { date: reportDate }
  await client.command({ query: filers(staging), query_params })
  await client.command({ query: descriptions(staging), query_params })
  await client.command({ query: items(staging), query_params, clickhouse_settings: INSERT_SETTINGS })
  return await itemsOf(client, reportDate)
}

async function writeLayouts(
  client: ClickHouseClient,
  staging: Staging,
  layouts: Layout[],
  rejects: Reject[],
): Promise<void> {
  await client.command({
    query: `CREATE TABLE ${staging.layouts} (member String, codes Array(LowCardinality(String)), kinds Array(UInt8),
      descriptions Array(String), first_row UInt32, skip Array(UInt32)) ENGINE = Memory`,
  })
  await client.insert({
    table: staging.layouts,
    format: 'JSONEachRow',
    values: layouts.map(({ member, codes, kinds, descriptions, firstRow }) => ({
      member,
      codes,
      kinds,
      descriptions,
      first_row: firstRow,
      skip: rejects.filter((reject) => reject.member === member).map((reject) => reject.line),
    })),
  })
}

// A quarter becomes three or four parts, few enough to be left as they are: merging them costs as much as writing them.
const INSERT_SETTINGS = {
  min_insert_block_size_rows: '2600000',
  min_insert_block_size_bytes: '0',
  max_insert_threads: '2',
} as const

// The cells of every sound row of some schedules: `cells`, with `codes` and `kinds` of their columns.
const rowsOf = (staging: Staging, condition: string) => `
    SELECT schedule, codes, kinds, splitByChar('\\t', arrayJoin(
      arrayFilter((text, line) -> line >= first_row AND text != '' AND NOT has(skip, line),
        splitByString('\\r\\n', bytes) AS lines, arrayEnumerate(lines)))) AS cells
    FROM ${staging.members} ANY INNER JOIN ${staging.layouts} USING member
    WHERE ${condition}`

/*
 * A cell is a number, or text: by the rule of its item, and where it does not look like a quantity. Digits with
 * leading zeros are a code, and beyond 15 of them a Float64 would not hold them. Most cells are whole numbers, which
 * writing them back shows at a third of the cost of the rest of the rule.
 */
const items = (staging: Staging) => `
INSERT INTO call_report_items (report_date, rssd_id, mdrm, schedule, value, text)
SELECT {date:Date}, rssd_id, mdrm, schedule,
  multiIf(
    kind = ${ITEM_KIND.number} AND length(cell) < 16 AND toString(toInt64OrZero(cell) AS whole) = cell, toFloat64(whole),
    kind = ${ITEM_KIND.text}, NULL,
    endsWith(cell, '%'), toFloat64OrNull(substring(cell, 1, length(cell) - 1)),
    lower(cell) = 'true', 1,
    lower(cell) = 'false', 0,
    NOT match(cell, '^-?(0|[1-9][0-9]{0,14})?([.][0-9]+)?$'), NULL,
    kind = ${ITEM_KIND.ratio}, round(toFloat64OrNull(cell) * 100, 8),
    toFloat64OrNull(cell)) AS value,
  if(value IS NULL, if(isValidUTF8(cell), cell, toValidUTF8(cell)), NULL) AS text
FROM (
  SELECT toUInt32(cells[1]) AS rssd_id, schedule, codes, kinds, cells
  FROM (${rowsOf(staging, "schedule != 'POR'")})
)
ARRAY JOIN codes AS mdrm, kinds AS kind, cells AS cell
WHERE kind > 0 AND notEmpty(trimBoth(cell))`

const descriptions = (staging: Staging) => `
INSERT INTO item_descriptions (report_date, schedule, mdrm, position, description)
SELECT {date:Date}, schedule, mdrm, row_number() OVER (PARTITION BY schedule ORDER BY length(member), member, column), description
FROM (SELECT member, schedule FROM ${staging.members} WHERE schedule != 'POR') AS members
ANY INNER JOIN ${staging.layouts} AS layouts USING member
ARRAY JOIN codes AS mdrm, arrayEnumerate(codes) AS column,
  arrayResize(arrayMap(text -> trimBoth(text), descriptions), length(codes), '') AS description
WHERE mdrm != ''`

const column = (name: (typeof POR_COLUMNS)[number]) => `trimBoth(cells[indexOf(codes, '${name}')])`
const identifier = (name: (typeof POR_COLUMNS)[number]) => `nullIf(toUInt32OrZero(${column(name)}), 0)`

const filers = (staging: Staging) => `
INSERT INTO filers (report_date, rssd_id, cert, occ_charter, ots_docket, aba_routing, legal_name, address, city,
  state, zip, form, submitted_at)
SELECT {date:Date}, toUInt32(cells[1]),
  ${identifier('FDIC Certificate Number')},
  ${identifier('OCC Charter Number')},
  ${identifier('OTS Docket Number')},
  ${identifier('Primary ABA Routing Number')},
  ${column('Financial Institution Name')},
  ${column('Financial Institution Address')},
  ${column('Financial Institution City')},
  upper(${column('Financial Institution State')}),
  ${column('Financial Institution Zip Code')},
  leftPad(${column('Financial Institution Filing Type')}, 3, '0'),
  parseDateTimeBestEffortOrNull(${column('Last Date/Time Submission Updated On')}, 'UTC')
FROM (${rowsOf(staging, "schedule = 'POR'")})`

async function itemsOf(client: ClickHouseClient, reportDate: string): Promise<number> {
  const answer = await client.query({
    query: 'SELECT count() AS items FROM call_report_items WHERE report_date = {date:Date}',
    query_params: { date: reportDate },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ items: string }>()
  return Number(row!.items)
}
