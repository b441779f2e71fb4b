import { Transform } from 'node:stream'
import { Field, RecordBatchReader } from 'apache-arrow'
import type { Column } from '../catalog/columns.ts'
import { fieldOf, schemaMessage } from './arrow-fields.ts'
import { END_OF_STREAM } from './arrow-messages.ts'

const CONTINUATION = 0xffff_ffff
/** A schema message of a thousand columns is some 200 kB: more is not one. */
const LONGEST_SCHEMA = 16 * 1024 * 1024

/**
 * Rewrites the schema message at the head of an Arrow IPC stream: `metadata` on the schema, unit and label on each
 * field. Everything after it passes untouched; batches hold no reference to where the schema lies.
 */
export function annotateArrow(
  columns: readonly Column[],
  metadata: Readonly<Record<string, string>>,
): Transform {
  let held: Buffer[] = []
  let length = 0
  let done = false
  return new Transform({
    transform(chunk: Buffer, _, next) {
      if (done) return next(null, chunk)
      held.push(chunk)
      length += chunk.length
      if (length < 8) return next()
      const head = held.length === 1 ? chunk : Buffer.concat(held)
      const size = messageSize(head)
      if (size === undefined) return next(new Error('the engine did not answer with an Arrow stream'))
      if (head.length < size) {
        held = [head]
        return next()
      }
      done = true
      held = []
      this.push(annotateSchema(head.subarray(0, size), columns, metadata))
      next(null, head.subarray(size))
    },
    flush(next) {
      next(done ? null : new Error('the Arrow stream ended within its schema'))
    },
  })
}

/** A schema message with metadata in place of the one given. */
function annotateSchema(
  message: Buffer,
  columns: readonly Column[],
  metadata: Readonly<Record<string, string>>,
): Buffer {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const reader = RecordBatchReader.from(Buffer.concat([message, END_OF_STREAM])).open()
  const fields = reader.schema.fields.map(({ name, type, nullable }) => {
    const column = byName.get(name)
    return column ? fieldOf(column, type, nullable) : new Field(name, type, nullable)
  })
  return schemaMessage(fields, metadata)
}

/** Bytes of the first message with its prefix; undefined for what is not one. */
function messageSize(head: Buffer): number | undefined {
  if (head.readUInt32LE(0) !== CONTINUATION) return undefined
  const length = head.readInt32LE(4)
  return length > 0 && length <= LONGEST_SCHEMA ? 8 + length : undefined
}
