import { Transform } from 'node:stream'
import type { Column } from '../catalog/columns.ts'
import { arrowSchemaEntry } from './arrow-schema.ts'

const MAGIC = 'PAR1'
/** The footer is some 100 bytes a column and row group: this holds back that of a very large file. */
const MOST_HELD = 8 * 1024 * 1024

/**
 * Adds metadata to the footer of a Parquet file as it passes: the entries given, and unit and label of each field in
 * an Arrow schema. Only the file's end is held back.
 */
export function annotateParquet(
  columns: readonly Column[],
  metadata: Readonly<Record<string, string>>,
): Transform {
  const held: Buffer[] = []
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _, next) {
      held.push(chunk)
      length += chunk.length
      while (held.length > 1 && length - held[0]!.length >= MOST_HELD) {
        length -= held[0]!.length
        this.push(held.shift())
      }
      next()
    },
    flush(next) {
      try {
        const entries = { ...metadata, 'ARROW:schema': arrowSchemaEntry(columns, metadata) }
        next(null, annotateEnd(Buffer.concat(held), entries))
      } catch (error) {
        next(error as Error)
      }
    },
  })
}

/**
 * The end of a Parquet file with metadata added. The footer is a Thrift struct in the compact protocol, then its
 * length and the magic. `key_value_metadata` is its field 5 (parquet-format, FileMetaData).
 */
function annotateEnd(end: Buffer, metadata: Readonly<Record<string, string>>): Buffer {
  if (end.length < 12 || end.toString('latin1', end.length - 4) !== MAGIC) {
    throw new Error('the engine did not answer with a Parquet file')
  }
  const footerLength = end.readUInt32LE(end.length - 8)
  const start = end.length - 8 - footerLength
  if (start < 0) throw new Error('the footer of the Parquet file is longer than what was held back')
  const footer = addMetadata(end.subarray(start, end.length - 8), metadata)
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(footer.length, 0)
  tail.write(MAGIC, 4, 'latin1')
  return Buffer.concat([end.subarray(0, start), footer, tail])
}

const KEY_VALUE_METADATA = 5
const STOP = 0
const TYPE = { list: 9, set: 10, map: 11, struct: 12, binary: 8 } as const

function addMetadata(footer: Buffer, metadata: Readonly<Record<string, string>>): Buffer {
  let at = 0
  let before = 0
  for (;;) {
    const header = footer[at]!
    const delta = header >> 4
    if (header !== STOP && delta === 0) throw new Error('a field id of the Parquet footer is not a delta')
    const id = before + delta
    if (header === STOP || id > KEY_VALUE_METADATA) {
      // the next field's id is counted from field 5 now
      const rest = Buffer.from(footer.subarray(at))
      if (header !== STOP) rest[0] = ((id - KEY_VALUE_METADATA) << 4) | (header & 15)
      return Buffer.concat([footer.subarray(0, at), field(before, pairs(metadata)), rest])
    }
    if (id === KEY_VALUE_METADATA) throw new Error('the Parquet footer has metadata already')
    before = id
    at = skip(footer, at + 1, header & 15)
  }
}

const field = (before: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([((KEY_VALUE_METADATA - before) << 4) | TYPE.list]), value])

/** A list of KeyValue structs: field 1 the key, field 2 the value. */
function pairs(metadata: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(metadata)
  if (entries.length > 14) throw new Error('at most 14 entries of Parquet metadata')
  const parts: Buffer[] = [Buffer.from([(entries.length << 4) | TYPE.struct])]
  for (const [key, value] of entries) {
    for (const text of [key, value]) {
      const bytes = Buffer.from(text)
      parts.push(Buffer.from([(1 << 4) | TYPE.binary]), varint(bytes.length), bytes)
    }
    parts.push(Buffer.from([STOP]))
  }
  return Buffer.concat(parts)
}

/** Where the value that begins at `at` ends. */
function skip(bytes: Buffer, at: number, type: number): number {
  switch (type) {
    case 1:
    case 2:
      return at // a boolean is its own type
    case 3:
      return at + 1
    case 4:
    case 5:
    case 6:
      return afterVarint(bytes, at)
    case 7:
      return at + 8
    case TYPE.binary: {
      const [size, next] = readVarint(bytes, at)
      return next + size
    }
    case TYPE.list:
    case TYPE.set: {
      const header = bytes[at]!
      let [size, next] = [header >> 4, at + 1]
      if (size === 15) [size, next] = readVarint(bytes, next)
      const inner = header & 15
      for (let i = 0; i < size; i++) next = inner <= 2 ? next + 1 : skip(bytes, next, inner)
      return next
    }
    case TYPE.struct: {
      let next = at
      for (;;) {
        const header = bytes[next++]!
        if (header === STOP) return next
        if (header >> 4 === 0) next = afterVarint(bytes, next)
        next = skip(bytes, next, header & 15)
      }
    }
    default:
      throw new Error(`the Parquet footer has a value of type ${type}`)
  }
}

const afterVarint = (bytes: Buffer, at: number): number => readVarint(bytes, at)[1]

function readVarint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0
  for (let shift = 0, next = at; next < bytes.length; shift += 7) {
    const byte = bytes[next++]!
    value += (byte & 127) * 2 ** shift
    if (byte < 128) return [value, next]
  }
  throw new Error('the Parquet footer ends within a number')
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest & 127) | 128)
    rest >>>= 7
  }
  bytes.push(rest)
  return Buffer.from(bytes)
}
