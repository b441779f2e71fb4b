import { Transform } from 'node:stream'
import { opening } from './envelope.ts'

type Bytes = string | Buffer

const NEWLINE = 10
/** ClickHouse's array of no rows. */
const NOTHING = '[\n\n]\n'.length

/**
 * Puts the envelope around an array of rows as ClickHouse writes it (a row a line between two brackets), counting
 * the rows as they pass. `close` gets the count and gives the envelope's end; it may wait for the total.
 */
export function envelopeRows(
  close: (rows: number) => Bytes | Promise<Bytes>,
  begin: Buffer = opening,
): Transform {
  let lines = 0
  let bytes = 0
  return new Transform({
    construct(done) {
      this.push(begin)
      done()
    },
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
      done(null, chunk)
    },
    flush(done) {
      // the opening bracket and the end of the closing one are lines of their own
      Promise.resolve(close(bytes === NOTHING ? 0 : lines - 2)).then((end) => done(null, end), done)
    },
  })
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
