import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Discovery, Edition } from '../source.ts'
import { findFiles } from '../walk.ts'

/** A file of observations. They are small: the longest history of daily rates is below 1 MB. */
export interface ObservationsFile {
  name: string
  path: string
  bytes: Buffer
  /** Without byte order mark; what is not UTF-8 is read as Windows-1252. */
  text: string
}

/** One file: adds what it tells to what is known, and replaces no other file. */
export interface ObservationsEdition extends Edition {
  file: ObservationsFile
}

const MOST_BYTES = 64 * 2 ** 20

async function readObservations(path: string, name: string): Promise<ObservationsFile> {
  const bytes = await readFile(path)
  return { name, path, bytes, text: decode(bytes) }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * The editions among the given paths, older ones first, so that what the newer ones revise is known as a revision.
 * @param recognise says why a file that should be this source's cannot be read; null: it can; `other`: it is
 *   no file of this source
 */
export async function discoverObservations(
  paths: string[],
  endings: RegExp,
  recognise: (file: ObservationsFile) => null | 'other' | { reason: string },
): Promise<Discovery<ObservationsEdition>> {
  const found: Discovery<ObservationsEdition> = { editions: [], refused: [], ignored: [] }
  for (const { path, name, bytes, given } of await findFiles(paths)) {
    if (!endings.test(name) && !given) {
      found.ignored.push(path)
      continue
    }
    const file = bytes > MOST_BYTES ? undefined : await readObservations(path, name)
    const answer = file ? recognise(file) : { reason: `${bytes} bytes are more than any such file has` }
    if (file && answer === null) found.editions.push(editionOf(file))
    else if (answer === 'other' && !given) found.ignored.push(path)
    else if (answer === 'other') found.refused.push({ name, reason: `${path}: ${whatItIs(file!)}` })
    else found.refused.push({ name, reason: `${path}: ${(answer as { reason: string }).reason}` })
  }
  found.editions.sort((a, b) => compare(newestDay(a.file.text), newestDay(b.file.text)))
  return found
}

/** A file that a source cannot place, in words that help: a page instead of data is what a moved address gives. */
export function whatItIs(file: ObservationsFile): string {
  if (file.text.trim() === '') return 'the file is empty'
  if (/^\s*(<!doctype html|<html|<head|<body)/i.test(file.text)) {
    return 'this is a web page (HTML), not data: the address may have moved, or wants a login'
  }
  return `the first line is none that this source knows: “${firstLine(file.text).slice(0, 120)}”`
}

export const firstLine = (text: string): string => (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? '').trim()

function editionOf(file: ObservationsFile): ObservationsEdition {
  const sha256 = createHash('sha256').update(file.bytes).digest('hex')
  const size = file.bytes.length
  return { name: file.name, reportDate: null, bytes: size, volume: size, sha256: async () => sha256, file }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The newest day near either end, good enough to order editions by. */
function newestDay(text: string): string {
  const ends = `${text.slice(0, 2000)}\n${text.slice(-2000)}`
  const iso = [...ends.matchAll(/\b(\d{4})-(\d{2})-(\d{2})/g)].map(([, y, m, d]) => `${y}-${m}-${d}`)
  const us = [...ends.matchAll(/\b(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})\b/g)].map(
    ([, m, d, y]) => `${fourDigits(y!)}-${m!.padStart(2, '0')}-${d!.padStart(2, '0')}`,
  )
  return [...iso, ...us].sort(compare).at(-1) ?? ''
}

/** Two digits are of the years 1970 to 2069, as POSIX has it (all that is published with two begins in 1990). */
const fourDigits = (year: string): string =>
  year.length === 4 ? year : Number(year) >= 70 ? `19${year}` : `20${year}`

/** The fields of a header line: no header of these publishers holds a comma. */
export const headerFields = (line: string): string[] =>
  line.split(',').map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )
