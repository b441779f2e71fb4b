/**
 * Columns out of ClickHouse's format Native (https://clickhouse.com/docs/interfaces/formats/Native): blocks of some rows, in
 * each column after column. Of its types `Float64` and `Nullable(String)` alone, which a SELECT can make of any other.
 */

/** Different texts, and which of them each row has. */
export interface Codes {
  readonly codes: Uint32Array
  readonly texts: readonly (string | null)[]
}

/** @throws Error where the bytes are no whole blocks of these types */
export function nativeColumns(bytes: Buffer): (Float64Array | Codes)[] {
  const reader = new Reader(bytes)
  const columns: (Numbers | Texts)[] = []
  while (!reader.ended) {
    const width = reader.varint()
    const rows = reader.varint()
    for (let at = 0; at < width; at++) {
      reader.text()
      const type = reader.text()
      const column = columns[at] ?? kindOf(type)
      columns[at] = column
      column.take(reader, rows)
    }
  }
  return columns.map((column) => column.whole())
}

function kindOf(type: string): Numbers | Texts {
  if (type === 'Float64') return new Numbers()
  if (type === 'Nullable(String)') return new Texts()
  throw new Error(`the engine answered with a column of type ${type}`)
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Buffer {
    const from = this.#at
    this.#at += length
    if (this.#at > this.#bytes.length) throw new Error('the engine answered with a block that is not whole')
    return this.#bytes.subarray(from, this.#at)
  }

  /** LEB128. */
  varint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new Error('the engine answered with a block that is not whole')
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }

  text(): string {
    return this.take(this.varint()).toString()
  }
}

class Numbers {
  readonly #parts: Buffer[] = []

  take(reader: Reader, rows: number): void {
    this.#parts.push(reader.take(rows * 8))
  }

  whole(): Float64Array {
    const size = this.#parts.reduce((sum, { length }) => sum + length, 0)
    const values = new Float64Array(size / 8)
    const bytes = new Uint8Array(values.buffer)
    let at = 0
    for (const part of this.#parts) {
      bytes.set(part, at)
      at += part.length
    }
    return values
  }
}

class Texts {
  readonly #known = new Map<string | null, number>()
  readonly #codes: number[] = []

  take(reader: Reader, rows: number): void {
    const absent = reader.take(rows)
    for (let row = 0; row < rows; row++) {
      const text = reader.text()
      this.#codes.push(this.#codeOf(absent[row] === 1 ? null : text))
    }
  }

  #codeOf(text: string | null): number {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#known.set(text, this.#known.size)
    return this.#known.size - 1
  }

  whole(): Codes {
    return { codes: Uint32Array.from(this.#codes), texts: [...this.#known.keys()] }
  }
}
