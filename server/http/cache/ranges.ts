/** Byte ranges of a finished answer (RFC 9110, 14). */

/** First and last byte, both of the range. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** More ranges than this are not worth their framing: the whole is sent. */
const MOST_RANGES = 16
/** In characters: so many ranges of the longest numbers take less. */
const LONGEST_HEADER = 1024
/** Two ranges with fewer bytes between them than a part's head has are sent as one. */
const GAP = 100

/**
 * The ranges that `Range` asks for, in order and without overlap; `whole` where the header is not to be followed,
 * and none where no byte of the answer is asked for (416).
 */
export function readRanges(header: string, size: number): readonly ByteRange[] | 'whole' {
  if (header.length > LONGEST_HEADER) return 'whole'
  const [unit, list, more] = header.split('=', 3)
  if (unit!.trim().toLowerCase() !== 'bytes' || list === undefined || more !== undefined) return 'whole'
  const specs = list.split(',', MOST_RANGES + 1)
  if (specs.length > MOST_RANGES) return 'whole'
  const ranges: ByteRange[] = []
  for (const spec of specs) {
    const [, first, last] = /^(\d{0,15})-(\d{0,15})$/.exec(spec.trim()) ?? []
    if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
    if (first !== '' && last !== '' && Number(first) > Number(last)) return 'whole'
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
    if (start <= end) ranges.push({ start, end })
  }
  return joined(ranges)
}

function joined(ranges: ByteRange[]): readonly ByteRange[] {
  const merged: ByteRange[] = []
  for (const range of ranges.sort((a, b) => a.start - b.start)) {
    const before = merged.at(-1)
    if (before && range.start <= before.end + GAP) {
      merged[merged.length - 1] = { start: before.start, end: Math.max(before.end, range.end) }
    } else merged.push(range)
  }
  return merged
}

/** Heads and tail of a `multipart/byteranges` body, and its length with the ranges' bytes between them. */
export function multipart(
  ranges: readonly ByteRange[],
  size: number,
  contentType: string,
  boundary: string,
): { heads: string[]; tail: string; length: number } {
  const heads = ranges.map(
    (range) =>
      `\r\n--${boundary}\r\nContent-Type: ${contentType}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
  )
  const tail = `\r\n--${boundary}--\r\n`
  const framing = heads.reduce((sum, head) => sum + Buffer.byteLength(head), tail.length)
  return { heads, tail, length: ranges.reduce((sum, range) => sum + lengthOf(range), framing) }
}

export const contentRange = ({ start, end }: ByteRange, size: number): string =>
  `bytes ${start}-${end}/${size}`

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1
