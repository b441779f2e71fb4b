import type { ClickHouseClient } from '@clickhouse/client'
import { quoted } from '../../sql/quoted.ts'
import { USUAL_SHRINK } from '../../sql/sources/declare.ts'
import { type Described, type ItemList, type ItemSource, quarterEnd } from '../../sql/sources/items.ts'
import { readSql } from '../declared/compile.ts'
import { LoadError } from '../lib/errors.ts'
import { hasFilers, hasItems } from './members.ts'
import type { StagedMember, Staging } from './stage.ts'

/** An edition whose files are staged. */
export interface StagedEdition {
  source: ItemSource
  client: ClickHouseClient
  reportDate: string
  staging: Staging
  members: readonly StagedMember[]
  /** Where it is the report of one filer. */
  single: StagedMember | undefined
}

/** Rows of a query. */
export async function rowsOf<T>({ client }: StagedEdition, query: string, params = {}): Promise<T[]> {
  const answer = await client.query({ query, query_params: params, format: 'JSONEachRow' })
  return answer.json<T>()
}

/** A SELECT of what the lines of a file of filers, descriptions or a list say, by the names of the columns. */
export function declaredSql({ staging }: StagedEdition, member: StagedMember, where = '1'): string {
  const lines = `(SELECT line, fault, text FROM ${staging.lines} WHERE member = ${quoted(member.member)} AND ${where})`
  return readSql(member.declared!, member.separator, lines)
}

export const filersOf = ({ members }: StagedEdition): StagedMember => members.find(hasFilers)!
export const descriptionsOf = ({ members }: StagedEdition): StagedMember | undefined =>
  members.find(({ role }) => role === 'descriptions')

/** Files of lists, each with its list. */
export const listsOf = ({ members }: StagedEdition): { member: StagedMember; list: ItemList }[] =>
  members.flatMap((member) => (member.list ? [{ member, list: member.list }] : []))

/** Parts of the edition whose files are there. */
export const partsOf = ({ members }: StagedEdition): string[] => [
  ...new Set(members.filter(hasItems).map(({ part }) => part)),
]

/** What the file of descriptions says of each item, by code; empty where there is none. */
export async function describedItems(edition: StagedEdition): Promise<Map<string, Described>> {
  const member = descriptionsOf(edition)
  if (!member) return new Map()
  const rows = await rowsOf<Described>(
    edition,
    `SELECT * EXCEPT (_line, _text, _fault) FROM (${declaredSql(edition, member)}) WHERE _fault = ''`,
  )
  return new Map(rows.map((row) => [row[edition.source.items.code] as string, row]))
}

/**
 * How each file is to be read, for the statements that make items of lines. Returns the codes of all: a file's are
 * numbers among them, from 1, as numbers are what can be joined to each line at no cost.
 */
export async function writeLayouts(
  { client, source, staging, members }: StagedEdition,
  described: ReadonlyMap<string, Described>,
): Promise<string[]> {
  const all = [...new Set(members.flatMap(({ codes }) => codes))].filter((code) => code !== '')
  const numbers = new Map(all.map((code, index) => [code, index + 1]))
  const kinds = Object.keys(source.items.kinds)
  const kindOf = (code: string) =>
    code === '' ? 0 : kinds.indexOf(source.items.kind(code, described.get(code))) + 1
  await client.command({
    query: `CREATE TABLE ${staging.layouts} (member String, part String, role LowCardinality(String), separator String,
      codes Array(String), numbers Array(UInt16), kinds Array(UInt8), descriptions Array(String), width UInt32) ENGINE = Memory`,
  })
  await client.insert({
    table: staging.layouts,
    format: 'JSONEachRow',
    values: members.map(({ member, part, role, separator, codes, descriptions, width }) => ({
      ...{ member, part, role, separator, codes, descriptions, width },
      numbers: codes.map((code) => numbers.get(code) ?? 0),
      kinds: codes.map(kindOf),
    })),
  })
  return all
}

/** An item in two files of a part would be two values of one item. */
export function checkParts(members: readonly StagedMember[]): void {
  const seen = new Map<string, string>()
  for (const { member, part, codes } of members) {
    for (const code of codes.filter((one) => one !== '')) {
      const other = seen.get(`${part} ${code}`)
      if (other)
        throw new LoadError(`${member}: ${code} stands in ${other} already, another part of the same file`)
      seen.set(`${part} ${code}`, member)
    }
  }
}

/**
 * Holds the content against the report date: by the columns that state it, and as nobody files before the quarter ends.
 * Returns the texts that state it.
 */
export async function checkReportDate(edition: StagedEdition, submitted: string): Promise<string[]> {
  const { reportDate, staging } = edition
  if (submitted !== '' && submitted < reportDate)
    throw new LoadError(`the names say ${reportDate}, but the newest submission is of ${submitted}`)
  const stated = await rowsOf<{ member: string; text: string; rows: number }>(
    edition,
    `SELECT member, date_text AS text, toUInt32(count()) AS rows FROM ${staging.lines} WHERE date_text != ''
      GROUP BY member, text ORDER BY member, rows DESC, text LIMIT 100 BY member`,
  )
  for (const [index, { member, text, rows }] of stated.entries())
    if (member !== stated[index - 1]?.member && quarterEnd(text) !== reportDate)
      throw new LoadError(`${member}: the name says ${reportDate}, but ${rows} filers report as of ${text}`)
  return [...new Set(stated.map(({ text }) => text))].filter((text) => quarterEnd(text) === reportDate)
}

const say = (count: number) => count.toLocaleString('en-US')

/** What an edition has, or the tables hold of its report date. */
export interface Extent {
  /** Newest submission of any filer, `2019-05-15 11:40:07`; '' where none is known. */
  submitted: string
  filers: number
  parts: string[]
  /** Files of the lists that it has. */
  lists: string[]
}

const newest = (column: string | undefined) =>
  column === undefined ? "''" : `ifNull(toString(max(${column}), 'UTC'), '')`

/** What the staged files will make of the edition, before anything in the tables is touched. */
export async function stagedExtent(edition: StagedEdition): Promise<Extent> {
  const sql = declaredSql(edition, filersOf(edition))
  const [row] = await rowsOf<{ submitted: string; filers: number }>(
    edition,
    `SELECT ${newest(edition.source.filers.submitted)} AS submitted, toUInt32(count()) AS filers FROM (${sql})`,
  )
  return {
    ...row!,
    parts: partsOf(edition),
    lists: listsOf(edition).map(({ list }) => list.file),
  }
}

/** The edition as it stands in a build; null where it has no filers. */
export async function extentInTables(edition: StagedEdition): Promise<Extent | null> {
  const { filers, items, listTables } = edition.source
  const held = listTables.map(
    ({ name, file }) => `(SELECT ${quoted(file)} FROM ${name} WHERE report_date = {date:Date} LIMIT 1)`,
  )
  const [row] = await rowsOf<Extent>(
    edition,
    `SELECT toUInt32(count()) AS filers, ${newest(filers.submitted)} AS submitted,
        (SELECT groupUniqArray(toString(${items.part})) FROM ${items.table} WHERE report_date = {date:Date}) AS parts,
        arrayMap(file -> assumeNotNull(file), arrayFilter(file -> file IS NOT NULL, [${held.join(', ')}]::Array(Nullable(String)))) AS lists
      FROM ${filers.table} WHERE report_date = {date:Date}`,
    { date: edition.reportDate },
  )
  if (!row || row.filers === 0) return null
  // what came as the report of one filer comes with all others in the next edition
  const alone = edition.source.single?.parts ?? []
  return { ...row, parts: row.parts.filter((part) => !alone.includes(part)) }
}

/**
 * Why an edition must not replace the one in force without being told to: it was filed earlier, lacks parts, or has so few
 * filers that it cannot be whole. Null where it may.
 */
export function whyNotReplace({ filers }: ItemSource, old: Extent, fresh: Extent): string | null {
  if (fresh.submitted < old.submitted)
    return `its newest submission is of ${fresh.submitted}, that of the edition in force of ${old.submitted}`
  const has = [...fresh.parts, ...fresh.lists]
  const lost = [...old.parts, ...old.lists].filter((part) => !has.includes(part)).sort()
  if (lost.length > 0) return `it lacks ${lost.join(', ')}, which the edition in force has`
  const { shrink = USUAL_SHRINK } = filers
  return fresh.filers < old.filers * shrink
    ? `it has ${say(fresh.filers)} filers where ${say(old.filers)} are loaded, less than ${Math.round(shrink * 100)} %`
    : null
}
