import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { download } from '../lib/download.ts'
import { LoadError } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import { FIELDS } from './record.ts'

const PAGE = 10_000 // the most that the API gives at once

interface Page {
  meta?: { total?: number }
  totals?: { count?: number }
  data?: unknown[]
}

/**
 * Fetches every institution, open and closed, from BankFind's API at FDIC_API_URL, page by page, and writes them as
 * one answer of it.
 */
export async function downloadInstitutions(folder: string, progress: Progress): Promise<string[]> {
  const base = readConfig(process.env).fdicApiUrl.replace(/\/+$/, '')
  const all: unknown[] = []
  let total = Number.POSITIVE_INFINITY
  while (all.length < total) {
    const page = await fetchPage(base, all.length, join(folder, 'page.json'), progress)
    const records = page.data ?? []
    total = page.meta?.total ?? page.totals?.count ?? total
    if (records.length === 0) break
    all.push(...records)
    progress.step(`downloading from ${base}: ${all.length} institutions`, all.length / total)
  }
  if (all.length === 0 || (Number.isFinite(total) && all.length < total))
    throw new LoadError(
      `${base}: gave ${all.length} institutions of ${Number.isFinite(total) ? total : 'some thousand'}`,
    )
  const path = join(folder, 'institutions.json')
  await writeFile(path, JSON.stringify({ data: all }))
  return [path]
}

async function fetchPage(base: string, offset: number, path: string, progress: Progress): Promise<Page> {
  const query = new URLSearchParams({
    fields: FIELDS.join(',').toUpperCase(),
    sort_by: 'CERT',
    sort_order: 'ASC',
    limit: String(PAGE),
    offset: String(offset),
    format: 'json',
  })
  const url = `${base}/institutions?${query}`
  await download(url, path, { progress })
  const text = await readFile(path, 'utf8')
  await rm(path)
  try {
    return JSON.parse(text) as Page
  } catch {
    throw new LoadError(`${url}: answered what is no JSON: ${text.slice(0, 100).trim()}`)
  }
}
