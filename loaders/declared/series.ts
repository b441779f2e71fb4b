/**
 * Files of series are wide: a line a day and a column a series. They are small, so all lines are staged and then looked at
 * together: a day that is told twice or out of order shows only beside the others.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { day } from '../../sql/sources/columns.ts'
import type { Table } from '../../sql/sources/declare.ts'
import { LoadError } from '../lib/errors.ts'
import { limits, within } from '../lib/limits.ts'
import type { Progress } from '../lib/progress.ts'
import type { Reject } from '../lib/source.ts'
import { seriesIn } from './header.ts'
import type { Reading } from './read.ts'
import type { TextRecord } from './records.ts'
import { RECORD_COLUMNS } from './rowbinary.ts'
import { type Staged, type StageFile, scratchOf, send } from './stage.ts'

/** Reads a file into the scratch of its table: `_file`, `_line`, `series`, `date` and `value`, null where it is said to be missing. */
export async function stageSeries(
  client: ClickHouseClient,
  table: Table,
  reading: Reading,
  file: StageFile,
  progress: Progress,
): Promise<Staged> {
  const { name, place, index } = file
  const { lines, checked, rows } = scratchOf(table)
  const [, ...headings] = reading.header
  const found = seriesIn(table, reading.header, file)
  if (!found) throw new LoadError(`${place}: the header names no series`)
  const columns = found.flatMap((column, at) =>
    typeof column === 'string' ? [] : [{ ...column, position: at + 2, heading: headings[at]! }],
  )
  const twice = columns.find(({ series }, at) => columns.findIndex((other) => other.series === series) < at)
  if (twice) throw new LoadError(`${place}: two columns are of the series ${twice.series}`)
  const run = (query: string, query_params = {}) => client.command({ query, query_params })
  await run(`CREATE OR REPLACE TABLE ${lines} (${RECORD_COLUMNS}) ENGINE = Memory`)
  let last: TextRecord | undefined
  async function* records() {
    let count = 0
    for await (const record of reading.records) {
      within(place, ++count, 'lines', limits.text.lines)
      last = record
      yield record
    }
  }
  await send(client, lines, { records: records() }, progress)
  const query_params = {
    separator: reading.cut,
    widths: [reading.header.length, ...(table.series!.widths ?? [])],
    open: last?.open ?? false,
    positions: columns.map(({ position }) => position),
    series: columns.map(({ series }) => series),
    headings: columns.map(({ heading }) => heading),
    missing: table.columns.value!.absent,
    member: name,
  }
  await run(`CREATE OR REPLACE TABLE ${checked} ENGINE = Memory AS ${checkedLines(lines)}`, query_params)
  await run(
    `CREATE TABLE IF NOT EXISTS ${rows} (_file UInt16, _line UInt32, series LowCardinality(String), date Date32, value Nullable(Float64))
      ENGINE = MergeTree ORDER BY (series, date)`,
  )
  await run(
    `INSERT INTO ${rows} SELECT ${index}, line, series, date, value FROM (${eachValue(table, checked)}) WHERE NOT unreadable`,
    query_params,
  )
  const counts = await client.query({
    query: `SELECT toUInt32(count()) AS all, toUInt32(countIf(fault = '')) AS sound FROM ${checked}`,
    format: 'JSONEachRow',
  })
  const [{ all, sound }] = (await counts.json()) as [{ all: number; sound: number }]
  const listed = await client.query({
    query: rejectsOf(table, checked),
    query_params,
    format: 'JSONEachRow',
  })
  const rejects = [...(await listed.json<Reject>()), ...newColumns(found, headings, name)]
  // where most lines cannot be read, the caller tells that
  if (sound * 2 > all) await checkOrder(client, checked, place)
  return { notes: notesOn(columns), rowsRead: all, rowsSound: sound, rejects, rejected: all - sound }
}

const newColumns = (
  found: NonNullable<ReturnType<typeof seriesIn>>,
  headings: string[],
  member: string,
): Reject[] =>
  headings.flatMap((text, at) => {
    const reason = `the column “${text}” is new: no series is known for it; the other columns were read`
    return found[at] === 'new' ? [{ member, line: 1, reason, text }] : []
  })

const notesOn = (columns: readonly { series: string; uncatalogued?: boolean }[]): string[] =>
  columns.flatMap(({ series, uncatalogued }) =>
    uncatalogued ? [`${series} is not in the catalog of series: it is kept, but no dataset shows it`] : [],
  )

const date = day('')

/** Length after the decimal point of the last field. */
const DECIMALS = `if(position(fields[-1], '.') = 0, 0, length(fields[-1]) - position(fields[-1], '.'))`

/** The line by itself: its width, its date, and whether the file was cut within it. */
const byLine = (lines: string) => `
WITH
  split AS (SELECT line, fault, text, arrayMap(field -> trimBoth(field), splitByChar({separator:String}, text)) AS fields
    FROM ${lines} WHERE trimBoth(text) != ''),
  (SELECT max(line) FROM split) AS last_line,
  (SELECT min(decimals) FROM (SELECT ${DECIMALS} AS decimals FROM split WHERE line < last_line AND fields[-1] != '')) AS usual_decimals
SELECT line, text, fields, length(fields) AS width, ${date.form!('fields[1]')} AS iso,
  ${date.read('iso')} AS parsed, ifNull(parsed, toDate32(0)) AS date, toInt32(date) AS n,
  multiIf(
    fault != '', fault,
    NOT has({widths:Array(UInt16)}, width),
      concat(toString(width), ' fields where ', arrayStringConcat(arrayMap(w -> toString(w), {widths:Array(UInt16)}), ' or '), ' are expected'),
    iso = '', concat('“', fields[1], '” is no date'),
    parsed IS NULL, concat('“', fields[1], '” is no day of the calendar from 1900 to 2299'),
    parsed > addDays(toDate32(today()), 1), concat('the date ', iso, ' lies in the future'),
    line = last_line AND {open:Bool} AND fields[-1] != '' AND ${DECIMALS} < usual_decimals,
      'the file ends within this line: it was cut short',
    '') AS of_line
FROM split`

/** Days told twice, among the lines that are sound so far. */
const byDay = (lines: string) => `
SELECT line, text, fields, date, n, of_line, of_line = '' AS whole,
  count() OVER same_day AS told,
  length(groupUniqArray(arraySlice(fields, 2)) OVER same_day) AS versions,
  min(line) OVER same_day AS first_line,
  multiIf(
    NOT whole, of_line,
    versions > 1, concat('the date ', toString(date), ' is given ', toString(told), ' times with other values'),
    line > first_line, concat('repeats line ', toString(first_line)),
    '') AS of_day
FROM (${byLine(lines)})
WINDOW same_day AS (PARTITION BY of_line = '', date)`

const neighbours = (lines: string) => `
SELECT line, text, fields, date, n, of_day, of_day = '' AS sound,
  row_number() OVER file AS place, count() OVER file AS places,
  lagInFrame(n, 1, n) OVER file AS before, lagInFrame(n, 2, n) OVER file AS before_last, leadInFrame(n, 1, n) OVER file AS after, leadInFrame(n, 2, n) OVER file AS after_next
FROM (${byDay(lines)})
WINDOW file AS (PARTITION BY of_day = '' ORDER BY line ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`

/**
 * Each line with its date and what is wrong with it, '' where nothing is. Last the order of days: each lies between
 * its neighbours, in whichever direction the file runs; one that does not, among neighbours that agree, is wrong.
 */
const checkedLines = (lines: string) => `
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
FROM (${neighbours(lines)})`

const eachValue = ({ columns }: Table, checked: string) => `
SELECT line, date, text, series, heading, upper(fields[position]) AS written,
  written = '' OR has({missing:Array(String)}, written) AS absent,
  if(absent, NULL, ${columns.value!.read('written')}) AS value, NOT absent AND value IS NULL AS unreadable
FROM ${checked}
ARRAY JOIN {positions:Array(UInt16)} AS position, {series:Array(String)} AS series, {headings:Array(String)} AS heading
WHERE fault = '' AND position <= length(fields)`

/** One more than an edition may have, so that it is refused. */
const rejectsOf = (table: Table, checked: string) => `
SELECT {member:String} AS member, line, reason, substringUTF8(replaceAll(text, '\\x1F', ','), 1, 200) AS text FROM
(
  SELECT line, fault AS reason, text FROM ${checked} WHERE fault != ''
  UNION ALL
  SELECT line, concat('“', written, '” in column “', heading, '” is no number'), text
  FROM (${eachValue(table, checked)}) WHERE unreadable
) ORDER BY line LIMIT ${limits.rejects + 1}`

/** @throws LoadError where the dates that are left do not run one way, at the first that does not */
async function checkOrder(client: ClickHouseClient, checked: string, place: string): Promise<void> {
  const answer = await client.query({
    query: `SELECT if(up > 0 AND down > 0, if(up < down, first_up, first_down), 0) AS line FROM (
        SELECT countIf(step > 0) AS up, countIf(step < 0) AS down, minIf(line, step > 0) AS first_up, minIf(line, step < 0) AS first_down
        FROM (SELECT line, toInt32(date) AS n, n - lagInFrame(n, 1, n) OVER (ORDER BY line ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS step
              FROM ${checked} WHERE fault = ''))`,
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ line: number }>()
  if (row && row.line > 0)
    throw new LoadError(`${place}: line ${row.line}: the dates run neither forwards nor backwards`)
}
