import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Reject } from '../source.ts'

/** What a field of a line is an observation of. */
export interface SeriesColumn {
  /** 1-based; the first field is the date. */
  position: number
  series: string
  /** As the publisher heads it, for messages. */
  heading: string
}

export interface Table {
  columns: readonly SeriesColumn[]
  /** How many fields a line may have. */
  widths: readonly number[]
  /**
   * How a file that was cut within its last line shows. `line-end`: the publisher ends each line, so a last line
   * without an end is not whole. `decimals`: the last line has no end, but its last value has as many decimals as
   * those above it.
   */
  whole: 'line-end' | 'decimals'
}

/** A line that another parser has made of a record. */
export interface Line {
  line: number
  text: string
  fields: readonly string[]
}

const LINES = 'staging_lines'
const CHECKED = 'staging_lines_checked'
/** `series, date, value, line`: one row an observation that is published or said to be missing (NULL). */
export const STAGED = 'staging_observations'
/** What of STAGED is news. */
export const CHANGED = 'staging_changes'

export async function dropStaging(client: ClickHouseClient): Promise<void> {
  for (const table of [LINES, CHECKED, STAGED, CHANGED]) {
    await client.command({ query: `DROP TABLE IF EXISTS ${table} SYNC` })
  }
}

/** A field is quoted, with "" for a quote, or bare: RFC 4180. The text is given a comma in front. */
const FIELD = `,(?:"((?:[^"]|"")*)"|([^,]*))`

/** Sends the text as it is: ClickHouse splits lines and fields. */
export async function stageText(client: ClickHouseClient, text: string): Promise<void> {
  await createLines(client)
  const sent = await client.exec({
    query: `INSERT INTO ${LINES}
      SELECT rowNumberInAllBlocks() + 1 AS line, replaceRegexpOne(raw, '\\s+$', '') AS text,
        arrayMap(field -> trimBoth(if(field[1] != '', replaceAll(field[1], '""', '"'), field[2])),
          extractAllGroupsVertical(concat(',', text), {field:String})) AS fields
      FROM input('raw String') FORMAT LineAsString`,
    query_params: { field: FIELD },
    values: Readable.from([text]),
    // One thread, so that row numbers are line numbers.
    clickhouse_settings: { max_threads: 1, max_insert_threads: '1', input_format_parallel_parsing: 0 },
  })
  sent.stream.resume()
}

export async function stageLines(client: ClickHouseClient, lines: readonly Line[]): Promise<void> {
  await createLines(client)
  await client.insert({ table: LINES, values: [...lines], format: 'JSONEachRow' })
}

async function createLines(client: ClickHouseClient): Promise<void> {
  await dropStaging(client)
  await client.command({
    query: `CREATE TABLE ${LINES} (line UInt32, text String, fields Array(String)) ENGINE = Memory`,
  })
}

export interface Staged {
  /** Lines below the header that hold anything. */
  lines: number
  sound: number
  rejects: Reject[]
}

/**
 * Types the staged lines below `header` into STAGED. What is wrong with a line or a value is listed and left out.
 * @param endsOpen the text does not end with a line end
 */
export async function readStaged(
  client: ClickHouseClient,
  table: Table,
  header: number,
  endsOpen: boolean,
): Promise<Staged> {
  const query_params = {
    header,
    widths: table.widths,
    open: endsOpen,
    line_end: table.whole === 'line-end',
    positions: table.columns.map(({ position }) => position),
    series: table.columns.map(({ series }) => series),
    headings: table.columns.map(({ heading }) => heading),
    missing: ['', '.', 'NA', 'N/A', 'ND', 'NC', 'NULL', 'NAN'],
    number: '^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?$',
  }
  await client.command({ query: `CREATE TABLE ${CHECKED} ENGINE = Memory AS ${CHECKED_LINES}`, query_params })
  await client.command({ query: `CREATE TABLE ${STAGED} ENGINE = Memory AS ${OBSERVATIONS}`, query_params })
  const answer = await client.query({ query: REJECTS, query_params, format: 'JSONEachRow' })
  const rejects = await answer.json<Reject>()
  const counts = await client.query({
    query: `SELECT toUInt32(count()) AS lines, toUInt32(countIf(fault = '')) AS sound FROM ${CHECKED}`,
    format: 'JSONEachRow',
  })
  const [{ lines, sound }] = (await counts.json()) as [{ lines: number; sound: number }]
  return { lines, sound, rejects }
}

/** ISO date of the three forms that the publishers write. A day that is none stays as it was written. */
const ISO = `multiIf(
    match(day, '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+Z?)?$'), substring(day, 1, 10),
    match(day, '^[0-9]{1,2}/[0-9]{1,2}/([0-9]{4}|[0-9]{2})$'),
      concat(if(length(part[3]) = 4, part[3], concat(if(part[3] >= '70', '19', '20'), part[3])),
        '-', leftPad(part[1], 2, '0'), '-', leftPad(part[2], 2, '0')),
    match(day, '^[0-9]{1,2}-[A-Za-z]{3}-([0-9]{4}|[0-9]{2})$') AND month_of_name > 0,
      concat(if(length(part[3]) = 4, part[3], concat(if(part[3] >= '70', '19', '20'), part[3])),
        '-', leftPad(toString(month_of_name), 2, '0'), '-', leftPad(part[1], 2, '0')),
    '')`

const MONTHS = `['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']`

/** Length after the decimal point. */
const DECIMALS = `if(position(fields[-1], '.') = 0, 0, length(fields[-1]) - position(fields[-1], '.'))`

/** The line by itself: its width, its date, and whether the file was cut within it. */
const BY_LINE = `
WITH
  (SELECT max(line) FROM ${LINES} WHERE text != '') AS last_line,
  (SELECT min(decimals) FROM (SELECT ${DECIMALS} AS decimals FROM ${LINES}
    WHERE line > {header:UInt32} AND line < last_line AND text != '' AND fields[-1] != '')) AS usual_decimals
SELECT line, text, fields, length(fields) AS width, fields[1] AS day,
  splitByRegexp('[/-]', day) AS part, indexOf(${MONTHS}, lower(part[2])) AS month_of_name,
  ${ISO} AS iso, toDate32OrNull(iso) AS parsed, ifNull(parsed, toDate32(0)) AS date, toInt32(date) AS n,
  multiIf(
    NOT has({widths:Array(UInt16)}, width),
      concat(toString(width), ' fields where ', arrayStringConcat(arrayMap(w -> toString(w), {widths:Array(UInt16)}), ' or '), ' are expected'),
    iso = '', concat('“', day, '” is no date'),
    parsed IS NULL OR toString(parsed) != iso, concat('“', day, '” is no day of the calendar from 1900 to 2299'),
    parsed > addDays(toDate32(today()), 1), concat('the date ', iso, ' lies in the future'),
    line = last_line AND {open:Bool} AND ({line_end:Bool} OR (fields[-1] != '' AND ${DECIMALS} < usual_decimals)),
      'the file ends within this line: it was cut short',
    '') AS of_line
FROM ${LINES} WHERE line > {header:UInt32} AND text != ''`

/** Days told twice, among the lines that are sound so far. */
const BY_DAY = `
SELECT line, text, fields, date, n, of_line, of_line = '' AS whole,
  count() OVER same_day AS told,
  length(groupUniqArray(arraySlice(fields, 2)) OVER same_day) AS versions,
  min(line) OVER same_day AS first_line,
  multiIf(
    NOT whole, of_line,
    versions > 1, concat('the date ', toString(date), ' is given ', toString(told), ' times with other values'),
    line > first_line, concat('repeats line ', toString(first_line)),
    '') AS of_day
FROM (${BY_LINE})
WINDOW same_day AS (PARTITION BY of_line = '', date)`

const NEIGHBOURS = `
SELECT line, text, fields, date, n, of_day, of_day = '' AS sound,
  row_number() OVER file AS place, count() OVER file AS places,
  lagInFrame(n, 1, n) OVER file AS before, lagInFrame(n, 2, n) OVER file AS before_last, leadInFrame(n, 1, n) OVER file AS after, leadInFrame(n, 2, n) OVER file AS after_next
FROM (${BY_DAY})
WINDOW file AS (PARTITION BY of_day = '' ORDER BY line ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`

/**
 * Each line with its date and what is wrong with it, '' where nothing is. Last the order of days: each lies between
 * its neighbours, in whichever direction the file runs; one that does not, among neighbours that agree, is wrong.
 */
const CHECKED_LINES = `
SELECT line, text, fields, date,
  if(sum(sign(n - before)) OVER (PARTITION BY sound) < 0, -1, 1) AS way,
  multiIf(
    NOT sound, of_day,
    multiIf(
      places = 1, false,
      place = 1, places > 2 AND n * way > after * way AND n * way > after_next * way,
      place = places, places > 2 AND n * way < before * way AND n * way < before_last * way,
      before * way < after * way AND NOT (before * way < n * way AND n * way < after * way)),
    'the date is out of order',
    '') AS fault
FROM (${NEIGHBOURS})`

const EACH_VALUE = `
SELECT line, date, text, series, heading, upper(fields[position]) AS written,
  has({missing:Array(String)}, written) AS absent,
  match(written, {number:String}) AS readable
FROM ${CHECKED}
ARRAY JOIN {positions:Array(UInt16)} AS position, {series:Array(String)} AS series, {headings:Array(String)} AS heading
WHERE fault = '' AND position <= length(fields)`

const OBSERVATIONS = `
SELECT CAST(series, 'LowCardinality(String)') AS series, date, if(absent, NULL, toFloat64OrNull(written)) AS value, line
FROM (${EACH_VALUE}) WHERE absent OR readable`

const REJECTS = `
SELECT member, line, reason, text FROM
(
  SELECT '' AS member, line, fault AS reason, substringUTF8(text, 1, 200) AS text FROM ${CHECKED} WHERE fault != ''
  UNION ALL
  SELECT '', line, concat('“', written, '” in column “', heading, '” is no number'), substringUTF8(text, 1, 200)
  FROM (${EACH_VALUE}) WHERE NOT absent AND NOT readable
) ORDER BY line`

/** Where the dates that are left still do not run one way: the first such line, else null. */
export async function disorder(client: ClickHouseClient): Promise<number | null> {
  const answer = await client.query({
    query: `SELECT if(up > 0 AND down > 0, if(up < down, first_up, first_down), 0) AS line FROM (
        SELECT countIf(step > 0) AS up, countIf(step < 0) AS down, minIf(line, step > 0) AS first_up, minIf(line, step < 0) AS first_down
        FROM (SELECT line, toInt32(date) AS n, n - lagInFrame(n, 1, n) OVER (ORDER BY line ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS step
              FROM ${CHECKED} WHERE fault = ''))`,
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ line: number }>()
  return row && row.line > 0 ? row.line : null
}
