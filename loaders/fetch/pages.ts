import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Pages } from '../../sql/sources/fetch.ts'
import { sha256OfFile } from '../lib/digest.ts'
import { LoadError } from '../lib/errors.ts'
import { type DownloadOptions, download } from './download.ts'
import { NotPublished } from './faults.ts'

export type PagedAnswer = 'unchanged' | { bytes: number; sha256: string; edition?: string }

interface Page {
  records: unknown[]
  total?: number
  edition?: string
}

/**
 * Fetches all pages of a JSON API into one document, which has the records where each answer had them. A page is held
 * at a time.
 * @param edition of what is held: where the first page says the same, no more is asked
 * @throws LoadError where an answer is no such page, or the pages together are not what their total says
 */
export async function downloadPages(
  url: string,
  path: string,
  pages: Pages,
  options: DownloadOptions & {
    edition?: string | undefined
    told?: (records: number, total?: number) => void
  },
): Promise<PagedAnswer> {
  const pagePath = `${path}.page`
  const nextPage = async (offset: number): Promise<Page> => {
    const address = new URL(url)
    address.searchParams.set('limit', String(pages.limit))
    address.searchParams.set('offset', String(offset))
    await download(address.href, pagePath, { ...options, held: undefined })
    try {
      return readPage(await readFile(pagePath, 'utf8'), address.href, pages)
    } finally {
      await rm(pagePath, { force: true })
    }
  }
  const first = await nextPage(0)
  if (options.edition !== undefined && first.edition === options.edition) return 'unchanged'
  const part = `${path}.part`
  const document = documentOf(url, pages, first, nextPage, options)
  try {
    await pipeline(document, createWriteStream(part))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await rename(part, path)
  const sha256 = await sha256OfFile(path)
  const { size } = await stat(path)
  return { bytes: size, sha256, ...(first.edition !== undefined && { edition: first.edition }) }
}

async function* documentOf(
  url: string,
  { records: place }: Pages,
  first: Page,
  nextPage: (offset: number) => Promise<Page>,
  { mostBytes = 2 ** 30, told }: DownloadOptions & { told?: (records: number, total?: number) => void },
): AsyncGenerator<string> {
  const steps = place.split('.')
  yield steps.map((step) => `{${JSON.stringify(step)}:`).join('')
  let [count, bytes] = [0, 0]
  for (let page = first; ; page = await nextPage(count)) {
    if (page.total !== first.total)
      throw new LoadError(
        `${url}: the number of records changed from ${first.total} to ${page.total} while they were read: try again later`,
      )
    const text = page.records.map((record) => JSON.stringify(record)).join(',\n')
    yield count === 0 ? `[${text}` : text === '' ? '' : `,\n${text}`
    bytes += text.length
    if (bytes > mostBytes)
      throw new LoadError(`${url}: the pages together are larger than ${mostBytes} bytes`)
    count += page.records.length
    told?.(count, first.total)
    // without a total the first empty page is the end
    if (page.records.length === 0 || (first.total !== undefined && count >= first.total)) break
  }
  if (first.total === 0) throw new NotPublished(`${url}: has no records yet`)
  if (count === 0 || (first.total !== undefined && count !== first.total))
    throw new LoadError(`${url}: gave ${count} records of ${first.total ?? 'an unknown number'}`)
  yield `]${'}'.repeat(steps.length)}\n`
}

function readPage(text: string, url: string, { records, total, edition }: Pages): Page {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    throw new LoadError(`${url}: answered what is no JSON: ${text.slice(0, 100).trim()}`)
  }
  const list = at(found, records)
  if (!Array.isArray(list)) throw new LoadError(`${url}: the answer has no array “${records}”`)
  const number = total.map((place) => at(found, place)).find((value) => typeof value === 'number')
  const state = edition === undefined ? undefined : at(found, edition)
  return {
    records: list,
    ...(number !== undefined && { total: number as number }),
    ...(typeof state === 'string' && state !== '' && { edition: state }),
  }
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, step) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
          ? inner[step as never]
          : undefined,
      value,
    )
