import { Transform } from 'node:stream'
import { opening } from './envelope.ts'

type Bytes = string | Buffer

const NEWLINE = 10
/** ClickHouse's array of no rows. */
const NOTHING = '[\n\n]\n'.length
const CLOSING = '\n]\n'.length
/** Of an array so many bytes are kept until it has ended: a row and what follows it. */
const LONGEST_END = 16 * 1024

/** What is known of an array of rows once it has passed. */
export interface Passed {
  readonly rows: number
  /** The last of them in JSON; undefined where there is none, or where it is so long that it was not kept. */
  last(): string | undefined
}

/**
 * Puts the envelope around an array of rows as ClickHouse writes it (a row a line between two brackets), counting
 * the rows as they pass. `close` gets what is known of them and gives the envelope's end; it may wait for the total.
 */
export function envelopeRows(
  close: (passed: Passed) => Bytes | Promise<Bytes>,
  begin: Buffer = opening,
): Transform {
  let lines = 0
  let bytes = 0
  let end: Buffer = Buffer.alloc(0)
  return new Transform({
    construct(done) {
      this.push(begin)
      done()
    },
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
      end = chunk.length >= LONGEST_END ? chunk : Buffer.concat([end, chunk])
      end = end.subarray(-LONGEST_END)
      done(null, chunk)
    },
    flush(done) {
      // the opening bracket and the end of the closing one are lines of their own
      const rows = bytes === NOTHING ? 0 : lines - 2
      const last = () => (rows > 0 ? lastLine(end) : undefined)
      Promise.resolve(close({ rows, last })).then((end) => done(null, end), done)
    },
  })
}

/** The last row of the end of an array: no value in JSON has a line's end in it. */
function lastLine(end: Buffer): string | undefined {
  const to = end.length - CLOSING
  const from = end.lastIndexOf(NEWLINE, to - 1)
  return from < 0 ? undefined : end.toString('utf8', from + 1, to)
}

/** Puts the envelope around bytes that are whole in themselves, such as an object of arrays. */
export function envelopeWhole(close: () => Bytes | Promise<Bytes>, begin: Buffer = opening): Transform {
  return new Transform({
    construct(done) {
      this.push(begin)
      done()
    },
    transform: (chunk: Buffer, _, done) => done(null, chunk),
    flush: (done) =>
      void Promise.resolve()
        .then(close)
        .then((end) => done(null, end), done),
  })
}
