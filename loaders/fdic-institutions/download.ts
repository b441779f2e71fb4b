import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { LoadError, wordsOf } from '../lib/errors.ts'
import type { Progress } from '../lib/progress.ts'
import { FIELDS } from './record.ts'

const PUBLISHED = 'https://api.fdic.gov/banks'
const PAGE = 10_000 // the most that the API gives at once
const ATTEMPTS = 3

interface Page {
  meta?: { total?: number }
  totals?: { count?: number }
  data?: unknown[]
}

/**
 * Fetches every institution, open and closed, from BankFind's API, and writes them as one answer of it.
 * `FDIC_API_URL` in the environment names another address than FDIC's.
 */
export async function downloadInstitutions(folder: string, progress: Progress): Promise<string[]> {
  const base = (process.env.FDIC_API_URL || PUBLISHED).replace(/\/$/, '')
  const all: unknown[] = []
  let total = Number.POSITIVE_INFINITY
  while (all.length < total) {
    const page = await fetchPage(base, all.length)
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

async function fetchPage(base: string, offset: number): Promise<Page> {
  const query = new URLSearchParams({
    fields: FIELDS.join(',').toUpperCase(),
    sort_by: 'CERT',
    sort_order: 'ASC',
    limit: String(PAGE),
    offset: String(offset),
    format: 'json',
  })
  const url = `${base}/institutions?${query}`
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(120_000) })
      if (!answer.ok) throw new Error(`answered ${answer.status}`)
      return (await answer.json()) as Page
    } catch (error) {
      if (attempt === ATTEMPTS)
        throw new LoadError(`${base}/institutions: ${wordsOf(error)}, ${ATTEMPTS} times`)
      await setTimeout(500 * attempt)
    }
  }
}
