/**
 * The schema message that begins an Arrow IPC stream, put together of fields that are encoded once each: the texts of a
 * hundred fields cost more to encode for each answer than all that an answer of a quarter's columns costs otherwise.
 *
 * A FlatBuffer refers to what follows by distances alone, and apache-arrow writes a table's own parts behind it. So the end of
 * a message of one field, from that field on, holds good wherever it is moved by whole alignments; and a message without
 * fields becomes one with them where its empty list of fields is exchanged for another behind it. (FlatBuffers, "Internals";
 * Arrow, format/Schema.fbs and "Encapsulated message format".)
 */
import { DataType, Field, Message, Schema } from 'apache-arrow'
import type { Column } from '../catalog/columns.ts'
import { ALIGNMENT, aligned } from './arrow-messages.ts'

/** Places of members within their tables: `header` of Message, `fields` of Schema. */
const HEADER = 2
const FIELDS = 1

/** A field as bytes. */
interface Encoded {
  readonly bytes: Buffer
  /** Where its table is. */
  readonly table: number
}

const encodings = new WeakMap<Field, Encoded>()

/** @returns the message with its prefix: a mark and its length */
export function schemaMessage(fields: readonly Field[], metadata: Readonly<Record<string, string>>): Buffer {
  const head = messageOf(new Schema([], new Map(Object.entries(metadata))))
  const list = aligned(4 + 4 * fields.length)
  const encoded = fields.map(encodingOf)
  const length = encoded.reduce((sum, { bytes }) => sum + bytes.length, head.length + list)
  const message = Buffer.alloc(8 + length)
  message.writeInt32LE(-1, 0)
  message.writeInt32LE(length, 4)
  const body = message.subarray(8)
  body.set(head, 0)
  refer(body, fieldsOf(body), head.length)
  body.writeUInt32LE(fields.length, head.length)
  let at = head.length + list
  for (const [n, { bytes, table }] of encoded.entries()) {
    body.set(bytes, at)
    refer(body, head.length + 4 + 4 * n, at + table)
    at += bytes.length
  }
  return message
}

/** The field of a column in a type that answers have it in: the same for each answer. */
export function fieldOf(column: Column, type: DataType, nullable = column.nullable): Field {
  let known = fields.get(column)
  if (!known) {
    known = new Map()
    fields.set(column, known)
  }
  const key = `${DataType.isDictionary(type) ? type.id : ''} ${type} ${nullable}`
  let field = known.get(key)
  if (!field) {
    field = new Field(column.name, type, nullable, factsOf(column))
    known.set(key, field)
  }
  return field
}

/** Gone with the columns: those of a dataset stay, those of one request do not. */
const fields = new WeakMap<Column, Map<string, Field>>()

/** Metadata of a column's field: `label`, and `unit` where it has one. */
function factsOf({ label, unit }: Column): Map<string, string> {
  const facts = new Map([['label', label]])
  if (unit !== undefined) facts.set('unit', unit)
  return facts
}

function encodingOf(field: Field): Encoded {
  let found = encodings.get(field)
  if (!found) {
    found = encode(field)
    encodings.set(field, found)
  }
  return found
}

function encode(field: Field): Encoded {
  const message = messageOf(new Schema([field]))
  const list = referred(message, fieldsOf(message))
  const table = referred(message, list + 4)
  // the description of a table lies before it, unless it shares that of another table further on
  const begin = Math.min(table, table - message.readInt32LE(table))
  const from = begin - (begin % ALIGNMENT)
  const bytes = Buffer.from(message.subarray(from))
  bytes.fill(0, 0, begin - from)
  return { bytes, table: table - from }
}

function messageOf(schema: Schema): Buffer {
  const { buffer, byteOffset, byteLength } = Message.encode(Message.from(schema))
  const message = Buffer.from(buffer, byteOffset, byteLength)
  return Buffer.concat([message], aligned(byteLength))
}

/** Where a message of a schema refers to its list of fields. */
function fieldsOf(message: Buffer): number {
  const header = member(message, referred(message, 0), HEADER)
  return member(message, referred(message, header), FIELDS)
}

/** Where a member of a table is. */
function member(bytes: Buffer, table: number, place: number): number {
  const description = table - bytes.readInt32LE(table)
  return table + bytes.readUInt16LE(description + 4 + 2 * place)
}

const referred = (bytes: Buffer, at: number): number => at + bytes.readUInt32LE(at)

const refer = (bytes: Buffer, at: number, to: number): void => {
  bytes.writeUInt32LE(to - at, at)
}
