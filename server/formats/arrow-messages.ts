/**
 * Record batches and dictionaries of an Arrow IPC stream as pieces: a head of a few hundred bytes, then the memory of the
 * columns as it is. (Arrow, "Encapsulated message format", format/Message.fbs; FlatBuffers, "Internals".)
 */

/** A column as the buffers of its layout (Arrow, "Physical memory layout"). */
export interface ArrowData {
  readonly rows: number
  readonly nulls: number
  /** Which rows have a value (none where all have one); where each text ends; values or codes. */
  readonly buffers: readonly ArrayBufferView[]
  /** What codes stand for. */
  readonly dictionary?: { readonly id: number; readonly values: ArrowData }
}

export const END_OF_STREAM = Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])

/** What everything within a message is aligned to. */
export const ALIGNMENT = 8
export const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
const padding = Buffer.alloc(ALIGNMENT)

/** A record batch, after the dictionaries of its columns. */
export function* batchPieces(rows: number, columns: readonly ArrowData[]): Generator<Buffer> {
  for (const { dictionary } of columns) {
    if (!dictionary) continue
    const { id, values } = dictionary
    yield headOf(values.rows, [values], id)
    yield* bodyOf([values])
  }
  yield headOf(rows, columns)
  yield* bodyOf(columns)
}

function* bodyOf(columns: readonly ArrowData[]): Generator<Buffer> {
  for (const { buffers } of columns) {
    for (const { buffer, byteOffset, byteLength } of buffers) {
      if (byteLength > 0) yield Buffer.from(buffer, byteOffset, byteLength)
      if (byteLength % ALIGNMENT > 0) yield padding.subarray(byteLength % ALIGNMENT)
    }
  }
}

const V5 = 4
const DICTIONARY_BATCH = 2
const RECORD_BATCH = 3

const pair = (low: number, high: number): number => (low | (high << 16)) >>> 0

/**
 * Descriptions of tables (their length, that of the table, where each member lies in it) and the tables, as words of 4 bytes.
 * Message: version, header_type, header, bodyLength. RecordBatch: length, nodes, buffers. DictionaryBatch: id, data.
 */
const message = (header: number) => [
  ...[24, pair(12, 20), pair(16, 18), pair(4, 8), 0, 0],
  ...[20, 28, 0, 0, pair(V5, header)],
]
const batch = [pair(10, 20), pair(8, 4), 16]
const heads = {
  batch: [...message(RECORD_BATCH), ...batch, 12],
  dictionary: [...message(DICTIONARY_BATCH), pair(8, 16), pair(8, 4), 0, 12, 28, 0, 0, ...batch, 0, 16],
}
/** Places among the words. */
const BODY_LENGTH = 8
const DICTIONARY_ID = 16

/** @param id of the dictionary, where it is one */
function headOf(rows: number, columns: readonly ArrowData[], id?: number): Buffer {
  const head = id === undefined ? heads.batch : heads.dictionary
  const count = columns.reduce((sum, { buffers }) => sum + buffers.length, 0)
  const length = head.length + 7 + 4 * (columns.length + count)
  const words = new Uint32Array(2 + length)
  const long = (at: number, value: number): void => {
    words[at] = value
    words[at + 1] = value / 2 ** 32
  }
  words.set([0xffff_ffff, length * 4, ...head])
  if (id !== undefined) long(2 + DICTIONARY_ID, id)
  let at = 2 + head.length
  // distances: to the nodes, and to the buffers behind them
  words[at] = 16
  long(at + 1, rows)
  words[at + 3] = 12 + 16 * columns.length
  words[at + 4] = columns.length
  at += 5
  for (const column of columns) {
    long(at, column.rows)
    long(at + 2, column.nulls)
    at += 4
  }
  words[at + 1] = count
  at += 2
  let offset = 0
  for (const { buffers } of columns) {
    for (const { byteLength } of buffers) {
      long(at, offset)
      long(at + 2, byteLength)
      at += 4
      offset += aligned(byteLength)
    }
  }
  long(2 + BODY_LENGTH, offset)
  return Buffer.from(words.buffer)
}
