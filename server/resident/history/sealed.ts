/**
 * What ends a file of the history that is found its way in by numbers: these, then a tail, which says what the file is made of
 * (its name), of how many things the numbers are, and a CRC-32 of all of it.
 */
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { endOf, WrongFile } from './disk.ts'

/** The name is of hex digits. */
const NAME_BYTES = 64
const TAIL_BYTES = NAME_BYTES + 8

/** The end of a file. @param count of the things that the numbers are of */
export function sealed(name: string, count: number, numbers: readonly Uint32Array[]): Buffer {
  const tail = Buffer.alloc(TAIL_BYTES)
  tail.write(name, 'latin1')
  tail.writeUInt32LE(count, NAME_BYTES)
  const end = Buffer.concat([...numbers.map(({ buffer }) => Buffer.from(buffer)), tail])
  end.writeUInt32LE(crc32(end.subarray(0, -4)), end.length - 4)
  return end
}

/** The numbers one after the other, of how many things they are, and how many bytes lie before them. */
export interface Sealed {
  readonly numbers: Uint32Array
  readonly count: number
  readonly before: number
}

/**
 * Reads the end of a file.
 * @param size of the file
 * @param numbersOf how many numbers there are of so many things
 * @throws WrongFile where it is torn or another one
 */
export async function unsealed(
  handle: FileHandle,
  size: number,
  name: string,
  numbersOf: (count: number) => number,
): Promise<Sealed> {
  const tail = await endOf(handle, size, TAIL_BYTES)
  if (tail.toString('latin1', 0, NAME_BYTES) !== name) throw new WrongFile('it is torn, or another one')
  const count = tail.readUInt32LE(NAME_BYTES)
  const numbers = numbersOf(count)
  const end = await endOf(handle, size, numbers * 4 + TAIL_BYTES)
  if (crc32(end.subarray(0, -4)) !== end.readUInt32LE(end.length - 4))
    throw new WrongFile('its checksum is another one')
  return { numbers: new Uint32Array(end.buffer, 0, numbers), count, before: size - end.length }
}
