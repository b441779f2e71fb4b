/** Reads what peers hold of the families from the server under test, by its public API, and notes what can be asked about. */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exists } from '../peers/python.ts'
import { concepts, type Families, type FamilyTable, families } from './families.ts'

type Get = (path: string) => Promise<Response>

/** Banks of whom there may be anything: the largest have complaints and registrants. */
const LARGEST = 400
/** Banks whose offices and scores are read. */
const ANY = 600
/** Institutions on the bench's list. */
const WATCHED = 1_000
/** Complaints of a page, and pages of a bank. */
const PAGE = 10
const PAGES = 400

interface Answer {
  readonly data: Record<string, unknown>[]
  readonly links?: { readonly next?: string | null }
}

/**
 * @param folder of the data version: what was collected of it before is used again
 * @param banks of the latest quarter, the largest first
 */
export async function collectFamilies(get: Get, folder: string, banks: readonly number[]): Promise<Families> {
  const own = join(folder, 'families')
  const known = join(own, 'asked.json')
  const watched = banks.slice(0, WATCHED)
  await watch(get, watched)
  if (await exists(known)) return { ...(JSON.parse(await readFile(known, 'utf8')) as Families), watched }
  await mkdir(own, { recursive: true })
  const answer = async (path: string): Promise<Answer> => {
    const response = await get(path)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 300)}`)
    return (await response.json()) as Answer
  }
  const largest = banks.slice(0, LARGEST)
  const any = spread(banks, ANY)
  const fieldsOf = (table: FamilyTable) => `fields=${families[table].columns.join(',')}`
  const keep = async (table: FamilyTable, rows: AsyncIterable<object>) => {
    const lines = async function* () {
      for await (const row of rows) yield `${JSON.stringify(row)}\n`
    }
    const path = rowsOf(folder, table)
    await pipeline(Readable.from(lines()), createWriteStream(`${path}.part`))
    await rename(`${path}.part`, path)
  }
  /** Rows of one answer for each bank. @returns the banks that have any */
  const ofEach = async (table: FamilyTable, some: readonly number[], path: (bank: number) => string) => {
    const found: number[] = []
    await keep(
      table,
      (async function* () {
        for (const bank of some) {
          const { data } = await answer(path(bank))
          if (data.length > 0) found.push(bank)
          yield* data
        }
      })(),
    )
    return found
  }

  const unions: number[] = []
  await keep(
    'unions',
    (async function* () {
      const { data } = await answer(`/api/v1/screeners/credit-unions/?${fieldsOf('unions')}`)
      for (const row of data) unions.push(Number(row.cu_number))
      yield* data
    })(),
  )
  const pages: Families['complaints'][number][] = []
  await keep(
    'complaints',
    (async function* () {
      for (const bank of largest) {
        let path = `/api/v1/banks/${bank}/complaints/?${fieldsOf('complaints')}&limit=${PAGE}`
        for (let page = 0; page < PAGES && path !== ''; page++) {
          const { data, links } = await answer(path)
          yield* data
          path = links?.next ?? ''
          const cursor = new URL(path, 'http://local').searchParams.get('cursor')
          const { received_date, complaint_id } = data.at(-1) ?? {}
          if (cursor && page < PAGES - 1)
            pages.push({
              ...{ bank, cursor },
              after: { received_date: String(received_date), complaint_id: Number(complaint_id) },
            })
        }
      }
    })(),
  )
  const found: Families = {
    unions,
    complaints: pages,
    branches: await ofEach(
      'branches',
      any,
      (bank) => `/api/v1/banks/${bank}/branches/map/?${fieldsOf('branches')}`,
    ),
    facts: await ofEach(
      'facts',
      largest,
      (bank) => `/api/v1/banks/${bank}/sec/facts/?${fieldsOf('facts')}&concept=${concepts}&limit=10000`,
    ),
    factors: await ofEach(
      'factors',
      any,
      (bank) => `/api/v1/banks/${bank}/failure-prediction/factors/?${fieldsOf('factors')}`,
    ),
    watched,
  }
  await writeFile(known, JSON.stringify(found))
  return found
}

/** The file of a table's rows, a line each. */
export const rowsOf = (folder: string, table: FamilyTable): string =>
  join(folder, 'families', `${table}.ndjson`)

/** So many, from all sizes. */
const spread = (banks: readonly number[], count: number): number[] =>
  banks.filter((_, at) => at % Math.max(1, Math.floor(banks.length / count)) === 0).slice(0, count)

/** Puts them on the list of the bench's key. */
async function watch(get: Get, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 100) {
    const response = await get(`/api/v1/watchlist/add/?rssd_id=${ids.slice(at, at + 100)}`)
    if (!response.ok) throw new Error(`watchlist/add: ${response.status} ${await response.text()}`)
  }
}
