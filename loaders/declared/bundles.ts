import { Readable } from 'node:stream'
import type { Form, Table } from '../../sql/sources/declare.ts'
import { limits } from '../lib/limits.ts'
import type { Part } from './part.ts'
import { DOCUMENT_SEPARATOR } from './whole.ts'

/** Whether a file is one of many small documents, and may say nothing of its table. */
export const isBundled = (form: Form): boolean => form.kind === 'hook' && form.bundled === true

/** Documents that are read at a time hold no more than so many bytes, as all of them are in memory. */
const BUNDLE_BYTES = limits.whole.bytes / 4

/** The parts with the small documents of a table as one file, or as several of that size. */
export function bundled(parts: readonly Part[]): Part[] {
  const bundles = new Map<Table, Part & { bundle: string[] }>()
  return parts.flatMap((part): Part[] => {
    const { table, form, bytes, place } = part
    if (!isBundled(form)) return [part]
    const open = bundles.get(table)
    if (open && open.bytes + bytes <= BUNDLE_BYTES) {
      open.bytes += bytes
      open.bundle.push(place)
      return []
    }
    const { sha256: _, ...rest } = part
    const bundle = { ...rest, place: `${place} and those after it`, bundle: [place] }
    bundles.set(table, bundle)
    return [bundle]
  })
}

interface Document {
  place: string
  open(): Promise<Readable>
}

/** The documents as one text. */
export function inTurn(documents: readonly Document[]): Readable {
  async function* all(): AsyncGenerator<Buffer> {
    for (const { place, open } of documents) {
      yield Buffer.from(`${DOCUMENT_SEPARATOR}${place}\n`)
      yield* await open()
    }
  }
  return Readable.from(all())
}
