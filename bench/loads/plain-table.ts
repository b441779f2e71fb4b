/** A table of ten million rows or so as TSV, and the source that it is of: what a declared table costs by the row. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { declaredSource } from '../../loaders/declared/load.ts'
import { code, day, decimal, flag, optional, whole, words } from '../../sql/sources/columns.ts'
import { source, tsv } from '../../sql/sources/declare.ts'

export const plainTable = declaredSource(
  source({
    key: 'bench-plain',
    name: 'A plain table',
    publisher: 'bench',
    licence: 'Public domain',
    address: 'https://example.com/',
    what: 'Rows of every type.',
    tables: {
      bench_plain: {
        doc: 'A row.',
        columns: {
          id: whole('Id'),
          date: day('Date'),
          name: words('Name'),
          state: code('State'),
          amount: decimal('Amount', { unit: 'US dollars' }),
          share: optional(decimal('Share', { unit: 'percent' })),
          active: flag('Active'),
        },
        unique: ['id'],
        edition: { replaces: 'all' },
        form: tsv(),
      },
    },
  }),
)

const states = 'AL CA FL GA IL MA NY OH PA TX'.split(' ')

function line(n: number): string {
  const day = new Date(Date.UTC(1994, 0, 1 + (n % 11_000))).toISOString().slice(0, 10)
  const share = n % 7 === 0 ? '' : ((n * 7919) % 10_000) / 100
  return `${n}\t${day}\tFirst National Bank and Trust Company of County ${(n * 31) % 100_003}\t${states[n % 10]}\t${(n * 104_729) % 1_000_000_007}.25\t${share}\t${n % 3 === 0 ? 0 : 1}\n`
}

/** Writes the table with so many rows, and returns its path. */
export async function writePlainTable(folder: string, rows: number): Promise<string> {
  const path = join(folder, 'plain.tsv')
  await pipeline(Readable.from(blocks(rows), { objectMode: false }), createWriteStream(path))
  return path
}

function* blocks(rows: number): Generator<string> {
  yield 'Id\tDate\tName\tState\tAmount\tShare\tActive\n'
  for (let from = 1; from <= rows; from += 2000) {
    let text = ''
    for (let n = from; n <= Math.min(rows, from + 1999); n++) text += line(n)
    yield text
  }
}
