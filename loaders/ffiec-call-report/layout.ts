import type { ClickHouseClient } from '@clickhouse/client'
import { LoadError } from '../lib/errors.ts'
import { ITEM_KIND, itemKind } from './item-kind.ts'
import type { Staging } from './staging.ts'

/** How one staged member is to be read: what stands in which column, and where its rows begin. */
export interface Layout {
  member: string
  schedule: string
  /** MDRM code of each column; '' for the id and for the empty column behind the last tab. */
  codes: string[]
  /** `ItemKind` of each column; 0 for a column that is no item. */
  kinds: number[]
  /** Line 2 of a schedule; empty where the member has none. */
  descriptions: string[]
  /** Cells of each sound row. */
  width: number
  /** 1-based line of the first row. */
  firstRow: number
  rows: number
}

interface Head {
  member: string
  schedule: string
  first: string
  second: string
  lines: number
  ends: boolean
  tail: string
}

// Nothing but CRLF ends a line: narratives hold bare line feeds.
const heads = (
  staging: Staging,
) => `SELECT member, schedule, split[1] AS first, split[2] AS second, toUInt32(length(split) - 1) AS lines,
    toBool(endsWith(bytes, '\\r\\n')) AS ends, substring(split[-1], 1, 80) AS tail
  FROM (SELECT member, schedule, bytes, splitByString('\\r\\n', bytes) AS split FROM ${staging.members})
  ORDER BY member`

/** Reads the first lines of every staged member. @throws LoadError naming the member that is not as published. */
export async function readLayouts(client: ClickHouseClient, staging: Staging): Promise<Layout[]> {
  const answer = await client.query({ query: heads(staging), format: 'JSONEachRow' })
  const layouts = (await answer.json<Head>()).map((head) =>
    head.schedule === 'POR' ? porLayout(head) : scheduleLayout(head),
  )
  checkParts(layouts)
  return layouts
}

/** An item in two parts of a schedule would be two values of one item. */
export function checkParts(layouts: readonly Layout[]): void {
  const seen = new Map<string, string>()
  for (const { member, schedule, codes } of layouts.filter((layout) => layout.schedule !== 'POR')) {
    for (const code of codes.filter((one) => one !== '')) {
      const other = seen.get(`${schedule} ${code}`)
      if (other)
        throw new LoadError(
          `${member}: ${code} stands in ${other} already, another part of the same schedule`,
        )
      seen.set(`${schedule} ${code}`, member)
    }
  }
}

export function scheduleLayout(head: Head): Layout {
  checkFrame(head)
  const header = head.first.split('\t')
  const width = header.length
  const codes = header.map((code, column) =>
    column === 0 ? '' : code.replaceAll('"', '').trim().toUpperCase(),
  )
  codes.forEach((code, column) => {
    const empty = code === '' && (column === 0 || column === width - 1)
    if (!empty && !/^[A-Z][A-Z0-9]{7}$/.test(code))
      throw new LoadError(
        `${head.member}: column ${column + 1} is headed ${JSON.stringify(code)}, expected an MDRM code such as RCON2170`,
      )
  })
  const twice = codes.find((code, column) => code !== '' && codes.indexOf(code) !== column)
  if (twice) throw new LoadError(`${head.member}: two columns are headed ${twice}`)
  const described = head.second.startsWith('\t')
  return {
    member: head.member,
    schedule: head.schedule,
    codes,
    kinds: codes.map((code) => (code === '' ? 0 : itemKind(code))),
    descriptions: described ? head.second.split('\t') : [],
    width,
    firstRow: described ? 3 : 2,
    rows: head.lines - (described ? 2 : 1),
  }
}

/** Columns of the POR file that make a filer, by the words of its header. */
export const POR_COLUMNS = [
  'FDIC Certificate Number',
  'OCC Charter Number',
  'OTS Docket Number',
  'Primary ABA Routing Number',
  'Financial Institution Name',
  'Financial Institution Address',
  'Financial Institution City',
  'Financial Institution State',
  'Financial Institution Zip Code',
  'Financial Institution Filing Type',
  'Last Date/Time Submission Updated On',
] as const

export function porLayout(head: Head): Layout {
  checkFrame(head)
  const codes = head.first.split('\t').map((name) => name.replaceAll('"', '').trim())
  const missing = POR_COLUMNS.filter((name) => !codes.includes(name))
  if (missing.length > 0)
    throw new LoadError(`${head.member}: has no column ${missing.map((name) => `"${name}"`).join(', ')}`)
  return {
    member: head.member,
    schedule: head.schedule,
    codes,
    kinds: codes.map(() => ITEM_KIND.text),
    descriptions: [],
    width: codes.length,
    firstRow: 2,
    rows: head.lines - 1,
  }
}

/** What every member has: lines that end in CRLF, tabs, and IDRSSD first. */
function checkFrame(head: Head): void {
  const [id] = head.first.split('\t')
  if (!head.first.includes('\t')) {
    const other = [',', ';', '|'].find(
      (character) =>
        head.first.startsWith(`"IDRSSD"${character}`) || head.first.startsWith(`IDRSSD${character}`),
    )
    if (other) throw new LoadError(`${head.member}: its columns are separated by "${other}", expected tabs`)
  }
  if (id !== '"IDRSSD"' && id !== 'IDRSSD')
    throw new LoadError(
      `${head.member}: begins with ${JSON.stringify(head.first.slice(0, 40))}, expected the column "IDRSSD" followed by a tab`,
    )
  if (head.lines === 0 && head.first.includes('\n'))
    throw new LoadError(
      `${head.member}: its lines end in LF, expected CRLF (was it converted? narratives cannot be told from rows)`,
    )
  if (!head.ends)
    throw new LoadError(
      `${head.member}: is cut off: line ${head.lines + 1} (${JSON.stringify(head.tail)}) does not end in CRLF`,
    )
}
