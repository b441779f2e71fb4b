import type { TextRecord } from './records.ts'

const BATCH_BYTES = 1 << 18

/** Columns of the records that `RowBinaryWriter` writes. */
export const RECORD_COLUMNS = 'line UInt32, run UInt32, fault String, text String'

/** Records as ClickHouse's RowBinary of `RECORD_COLUMNS`, in batches. */
export class RowBinaryWriter {
  #batch = Buffer.allocUnsafe(BATCH_BYTES)
  #length = 0

  /** Adds a record; returns the batch that it did not fit into. */
  add({ line, run = 0, fault, bytes }: TextRecord): Buffer | undefined {
    const faultBytes = fault === '' ? 0 : Buffer.byteLength(fault)
    const needed = 8 + 5 + faultBytes + 5 + bytes.length
    const full = this.#length + needed > this.#batch.length ? this.take() : undefined
    if (needed > this.#batch.length) this.#batch = Buffer.allocUnsafe(needed)
    this.#length = this.#batch.writeUInt32LE(line, this.#length)
    this.#length = this.#batch.writeUInt32LE(run, this.#length)
    this.#varint(faultBytes)
    if (faultBytes > 0) this.#length += this.#batch.write(fault, this.#length)
    this.#varint(bytes.length)
    this.#length += bytes.copy(this.#batch, this.#length)
    return full
  }

  /** What was added since the last batch. */
  take(): Buffer | undefined {
    if (this.#length === 0) return undefined
    const full = this.#batch.subarray(0, this.#length)
    this.#batch = Buffer.allocUnsafe(BATCH_BYTES)
    this.#length = 0
    return full
  }

  #varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.#batch[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#batch[this.#length++] = rest
  }
}
