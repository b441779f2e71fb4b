import type { ClickHouseClient } from '@clickhouse/client'
import type { Reject } from '../lib/source.ts'
import { ITEM_KIND } from './item-kind.ts'
import type { Layout, POR_COLUMNS } from './layout.ts'
import { STAGING } from './stage.ts'

const LAYOUTS = 'staging_call_report_layout'

/** Tables that a quarter lies in, each with one partition for it. */
export const QUARTER_TABLES = ['call_report_items', 'filers', 'item_descriptions'] as const

/** Replaces the quarter in the build by the staged members, without the rejected rows. Returns the items kept. */
export async function insertQuarter(
  client: ClickHouseClient,
  reportDate: string,
  layouts: Layout[],
  rejects: Reject[],
): Promise<number> {
  await writeLayouts(client, layouts, rejects)
  try {
    for (const table of QUARTER_TABLES) {
      await client.command({
        query: `ALTER TABLE ${table} DROP PARTITION {date:Date}`,
        query_params: { date: reportDate },
      })
    }
    const query_params = { date: reportDate }
    await client.command({ query: FILERS, query_params })
    await client.command({ query: DESCRIPTIONS, query_params })
    await client.command({ query: ITEMS, query_params, clickhouse_settings: INSERT_SETTINGS })
    return await itemsOf(client, reportDate)
  } finally {
    await dropLayouts(client)
  }
}

export async function dropLayouts(client: ClickHouseClient): Promise<void> {
  await client.command({ query: `DROP TABLE IF EXISTS ${LAYOUTS} SYNC` })
}

async function writeLayouts(client: ClickHouseClient, layouts: Layout[], rejects: Reject[]): Promise<void> {
  await dropLayouts(client)
  await client.command({
    query: `CREATE TABLE ${LAYOUTS} (member String, codes Array(LowCardinality(String)), kinds Array(UInt8),
      descriptions Array(String), first_row UInt32, skip Array(UInt32)) ENGINE = Memory`,
  })
  await client.insert({
    table: LAYOUTS,
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

// Blocks of a million rows: a quarter becomes some eight parts, written by both threads, which merge later.
const INSERT_SETTINGS = {
  min_insert_block_size_rows: '1000000',
  min_insert_block_size_bytes: '0',
  max_insert_threads: '2',
} as const

// The cells of every sound row of some schedules: `cells`, with `codes` and `kinds` of their columns.
const rowsOf = (condition: string) => `
    SELECT schedule, codes, kinds, splitByChar('\\t', arrayJoin(
      arrayFilter((text, line) -> line >= first_row AND text != '' AND NOT has(skip, line),
        splitByString('\\r\\n', bytes) AS lines, arrayEnumerate(lines)))) AS cells
    FROM ${STAGING} ANY INNER JOIN ${LAYOUTS} USING member
    WHERE ${condition}`

/*
 * A cell is a number, or text: by the rule of its item, and where it does not look like a quantity. Digits with
 * leading zeros are a code, and beyond 15 of them a Float64 would not hold them.
 */
const ITEMS = `
INSERT INTO call_report_items (report_date, rssd_id, mdrm, schedule, value, text)
SELECT {date:Date}, rssd_id, mdrm, schedule,
  multiIf(
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
  FROM (${rowsOf("schedule != 'POR'")})
)
ARRAY JOIN codes AS mdrm, kinds AS kind, cells AS cell
WHERE kind > 0 AND notEmpty(trimBoth(cell))`

const DESCRIPTIONS = `
INSERT INTO item_descriptions (report_date, schedule, mdrm, position, description)
SELECT {date:Date}, schedule, mdrm, row_number() OVER (PARTITION BY schedule ORDER BY length(member), member, column), description
FROM (SELECT member, schedule FROM ${STAGING} WHERE schedule != 'POR') AS members
ANY INNER JOIN ${LAYOUTS} AS layouts USING member
ARRAY JOIN codes AS mdrm, arrayEnumerate(codes) AS column,
  arrayResize(arrayMap(text -> trimBoth(text), descriptions), length(codes), '') AS description
WHERE mdrm != ''`

const column = (name: (typeof POR_COLUMNS)[number]) => `trimBoth(cells[indexOf(codes, '${name}')])`
const identifier = (name: (typeof POR_COLUMNS)[number]) => `nullIf(toUInt32OrZero(${column(name)}), 0)`

const FILERS = `
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
FROM (${rowsOf("schedule = 'POR'")})`

async function itemsOf(client: ClickHouseClient, reportDate: string): Promise<number> {
  const answer = await client.query({
    query: 'SELECT count() AS items FROM call_report_items WHERE report_date = {date:Date}',
    query_params: { date: reportDate },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ items: string }>()
  return Number(row!.items)
}
