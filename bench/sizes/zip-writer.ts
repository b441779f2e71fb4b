import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

/** A member as it lies in a zip: the same one may be put there under several names. */
export interface Packed {
  readonly bytes: Buffer
  /** Unpacked. */
  readonly size: number
  readonly sum: number
}

export function packed(text: string): Packed {
  const plain = Buffer.from(text)
  return { bytes: deflateRawSync(plain, { level: 3 }), size: plain.length, sum: crc32(plain) }
}

/** A zip of up to 4 GiB and 65,535 members, written as they come: none is held. */
export class ZipWriter {
  readonly #file: number
  readonly #directory: Buffer[] = []
  #at = 0
  /** Of all members, unpacked. */
  unpacked = 0

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  get members(): number {
    return this.#directory.length
  }

  add(name: string, content: string | Packed): void {
    const { bytes, size, sum } = typeof content === 'string' ? packed(content) : content
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(sum, 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    common.copy(entry, 6)
    entry.writeUInt32LE(this.#at, 42)
    this.#directory.push(Buffer.concat([entry, Buffer.from(name)]))
    this.#write(Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name)]))
    this.#write(bytes)
    this.unpacked += size
  }

  close(): void {
    const directory = Buffer.concat(this.#directory)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(this.members, 8)
    end.writeUInt16LE(this.members, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(this.#at, 16)
    this.#write(directory)
    this.#write(end)
    closeSync(this.#file)
  }

  #write(bytes: Buffer): void {
    writeSync(this.#file, bytes)
    this.#at += bytes.length
  }
}
