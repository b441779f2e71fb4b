/** Which rows of a file of columns a panel has, and where their values are once they are read. */
import type { Test } from '../../query/selection.ts'
import type { TextValues, Values } from '../arrow-columns.ts'
import { dateNumber } from '../table.ts'
import type { ColumnFile, Stretch } from './column-file.ts'
import type { ColumnMemory } from './column-memory.ts'

/** A file that is held, where its columns may be held, and what is told if it cannot be read. */
export interface Opened {
  readonly file: ColumnFile
  readonly memory: ColumnMemory
  readonly lost: (error: unknown) => void
}

/** Some rows of a file. */
interface Chosen {
  /** Ascending: in the order of quarter and number. */
  readonly ranks: Uint32Array
  /** Their places in the file. */
  readonly rows: Uint32Array
  /** What is read of a column, of how many rows that is, and which of these each rank's is. */
  readonly stretches: readonly Stretch[]
  readonly size: number
  readonly places: Uint32Array
}

export type Piece = Opened & Chosen

/** To read past so many rows is as quick as another read. */
const GAP = 2_048

export const pieceOf = (opened: Opened, ranks: Uint32Array): Piece => ({
  ...opened,
  ...chosen(opened.file, ranks),
})

function chosen(file: ColumnFile, ranks: Uint32Array): Chosen {
  const { rows, runs } = file.ranked
  if (ranks.length === file.rows) return { ranks, rows, stretches: file.all, size: file.rows, places: rows }
  const count = file.runTexts.length
  const own = new Uint32Array(ranks.length)
  const first = new Uint32Array(count).fill(file.rows)
  const end = new Uint32Array(count)
  for (let n = 0; n < ranks.length; n++) {
    const row = rows[ranks[n]!]!
    const run = runs[ranks[n]!]!
    own[n] = row
    if (row < first[run]!) first[run] = row
    if (row >= end[run]!) end[run] = row + 1
  }
  const stretches: { from: number; to: number; at: number }[] = []
  const shifts = new Int32Array(count)
  let size = 0
  for (let run = 0; run < count; run++) {
    const [from, to] = [first[run]!, end[run]!]
    if (to === 0) continue
    const last = stretches.at(-1)
    if (last && from - last.to <= GAP) last.to = to
    else stretches.push({ from, to, at: size })
    const stretch = stretches.at(-1)!
    size = stretch.at + to - stretch.from
    shifts[run] = stretch.at - stretch.from
  }
  const places = ranks.map((rank) => rows[rank]! + shifts[runs[rank]!]!)
  return { ranks, rows: own, stretches, size, places }
}

/** What was lately asked of a file: panels of the same states are asked for with one choice of columns after another. */
const lately = new WeakMap<ColumnFile, Map<string, Chosen>>()
const MOST_KEPT = 4

/** The rows whose quarter and run pass the tests. @param tests of these alone */
export function firstPiece(opened: Opened, tests: readonly Test[]): Piece {
  const { file } = opened
  const kept = lately.get(file) ?? new Map<string, Chosen>()
  lately.set(file, kept)
  const key = JSON.stringify(tests)
  let found = kept.get(key)
  if (!found) {
    found = chosen(file, ranksOf(file, tests))
    const [oldest] = kept.keys()
    if (kept.size === MOST_KEPT) kept.delete(oldest!)
    kept.set(key, found)
  }
  return { ...opened, ...found }
}

function ranksOf(file: ColumnFile, tests: readonly Test[]): Uint32Array {
  const { quarters, runs } = file.ranked
  const [by, , date] = file.order
  const ofDate = tests.filter(({ column }) => column === date).map((test) => passesNumber(test, dateNumber))
  const ofRun = tests.filter(({ column }) => column === by).map(passesText)
  const passing = Uint8Array.from(file.runTexts, (text) => Number(ofRun.every((passes) => passes(text))))
  const ranks = new Uint32Array(file.rows)
  let count = 0
  for (const { date, from, to } of quarters) {
    if (!ofDate.every((passes) => passes(date))) continue
    for (let rank = from; rank < to; rank++) if (passing[runs[rank]!] === 1) ranks[count++] = rank
  }
  return ranks.slice(0, count)
}

/** The ranks of a piece whose values pass a test. @param places of the values */
export function passing({ ranks }: Piece, values: Values, places: Uint32Array, test: Test): Uint32Array {
  const passes = 'codes' in values ? passesCode(values, test) : passesValue(values, test)
  const kept = new Uint32Array(ranks.length)
  let count = 0
  for (let n = 0; n < ranks.length; n++) if (passes(places[n]!)) kept[count++] = ranks[n]!
  return kept.subarray(0, count)
}

function passesCode({ codes, texts }: TextValues, test: Test): (place: number) => boolean {
  const passing = Uint8Array.from(texts, (text) => Number(passesText(test)(text)))
  return (place) => passing[codes[place]!] === 1
}

function passesValue(values: Float64Array | Uint32Array, test: Test): (place: number) => boolean {
  const passes = passesNumber(test, Number)
  return (place) => passes(values[place]!)
}

const wantedOf = ({ operator, value }: Test): readonly unknown[] =>
  operator === 'IN' ? (value as readonly unknown[]) : [value]

/** A null passes nothing. */
function passesText(test: Test): (text: string | null) => boolean {
  const wanted = new Set(wantedOf(test))
  return (text) => text !== null && wanted.has(text)
}

/** NaN, which a null is here, passes nothing. @param of the number of a value */
function passesNumber<T>(test: Test, of: (value: T) => number): (number: number) => boolean {
  const [first, ...others] = (wantedOf(test) as readonly T[]).map(of)
  if (test.operator === '>=') return (number) => number >= first!
  if (test.operator === '<=') return (number) => number <= first!
  return (number) => number === first || others.includes(number)
}
