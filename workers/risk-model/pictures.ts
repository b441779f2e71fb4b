/** The curves of a model card as pictures. */
import { type Axis, bar, curve, dot, note, type Point, picture } from './svg.ts'
import type { Trained } from './train.ts'

/** What the pictures need of a card. */
export type Drawn = Pick<Trained['card'], 'quarters'> & {
  readonly measures: readonly (Pick<
    Trained['card']['measures'][number],
    'part' | 'observations' | 'failures' | 'auc' | 'auc_low' | 'auc_high' | 'levels' | 'curve'
  > & { readonly failed_banks: number })[]
}

/**
 * Draws a card: calibration and operating curve on quarters after the window (within it, where none is later), and what
 * became of each quarter.
 * @returns SVG by file name; none of what the card has no points for
 */
export function draw(card: Drawn): Record<string, string> {
  const measured = card.measures.find(({ part }) => part === 'test') ?? card.measures[0]
  return {
    ...(measured && measured.failures > 0 && { 'calibration.svg': calibration(card, measured) }),
    ...(measured && measured.curve.length > 0 && { 'operating-curve.svg': operating(card, measured) }),
    ...(card.quarters.length > 0 && { 'quarters.svg': quarters(card) }),
  }
}

type Measures = Drawn['measures'][number]

const whole = (value: number): string => value.toLocaleString('en-US')
/** `2013Q1` of a report date. */
const named = (date: string): string => `${date.slice(0, 4)}Q${Number(date.slice(5, 7)) / 3}`

/** The quarters and counts that measures are of. */
function basisOf({ quarters }: Drawn, { part, observations, failures, failed_banks }: Measures): string {
  const of = part === 'test' ? 'later quarters' : 'later quarters within the window'
  const tested = quarters.filter((quarter) => quarter.part === 'test')
  const when =
    part === 'test' && tested.length > 0
      ? ` ${named(tested[0]!.report_date)} to ${named(tested.at(-1)!.report_date)}`
      : ''
  return `${of}${when}: ${whole(observations)} bank quarters, ${whole(failures)} before the failures of ${whole(failed_banks)} banks`
}

/** Both axes are of the same probabilities, from a power of ten to 1; a level without a failure stands at the foot, empty. */
function calibration(card: Drawn, of: Measures): string {
  const { levels } = of
  const positive = levels.flatMap(({ predicted, observed }) => [predicted, observed]).filter((p) => p > 0)
  const least = Math.min(-1, Math.floor(Math.log10(Math.min(...positive))))
  const at = (probability: number) => (probability > 0 ? Math.max(0, 1 - Math.log10(probability) / least) : 0)
  const every = Math.ceil(-least / 8)
  const powers = Array.from({ length: Math.floor(-least / every) + 1 }, (_, k) => -k * every)
  const ticks = powers.map((power) => ({ at: 1 - power / least, words: percent(10 ** power) }))
  return picture({
    title: 'Calibration: failures of bank quarters, by level of probability',
    basis: basisOf(card, of),
    x: { title: 'mean probability foretold, % (log scale)', ticks },
    y: { title: 'failed within a year, % (log scale)', ticks },
    marks: [
      curve([corner, { x: 1, y: 1 }], 'ink', true),
      ...levels.map(({ predicted, observed, failures, banks }) =>
        dot({ x: at(predicted), y: at(observed) }, 'blue', {
          full: failures > 0,
          above: `${whole(failures)} of ${whole(banks)}`,
        }),
      ),
    ],
  })
}

const corner: Point = { x: 0, y: 0 }
const percent = (share: number): string =>
  (100 * share).toLocaleString('en-US', { maximumFractionDigits: 20, maximumSignificantDigits: 1 })

function operating(card: Drawn, of: Measures): string {
  const tenths = Array.from({ length: 6 }, (_, k) => ({ at: k / 5, words: String(20 * k) }))
  const interval =
    of.auc_low === null || of.auc_high === null
      ? ''
      : `95 % from ${of.auc_low.toFixed(3)} to ${of.auc_high.toFixed(3)}, resampling banks`
  return picture({
    title: 'Operating curve',
    basis: basisOf(card, of),
    x: { title: 'survivors listed, %', ticks: tenths },
    y: { title: 'failures listed, %', ticks: tenths },
    marks: [
      curve([corner, { x: 1, y: 1 }], 'ink', true),
      curve(
        of.curve.map(({ listed, caught }) => ({ x: listed, y: caught })),
        'blue',
      ),
      note({ x: 0.5, y: 0.2 }, `area ${of.auc?.toFixed(4)}`),
      ...(interval === '' ? [] : [note({ x: 0.5, y: 0.13 }, interval)]),
    ],
  })
}

/** Failures foretold and happened, on a scale of roots: the few of quiet years are seen beside the many of a crisis. */
function quarters({ quarters }: Drawn): string {
  const most = Math.max(1, ...quarters.flatMap(({ failures, expected }) => [failures, expected]))
  const at = (failures: number) => Math.sqrt(failures / (1.3 * most))
  const step = 1 / quarters.length
  const x = (k: number) => (k + 0.5) * step
  const parts = [...new Set(quarters.map(({ part }) => part))].map((part) => ({
    part,
    first: quarters.findIndex((quarter) => quarter.part === part),
  }))
  return picture({
    title: 'Failures by quarter',
    basis: 'banks that failed within the four quarters after each, and how many the model expects',
    x: { title: 'quarter', ticks: ticksOf(quarters, x) },
    y: {
      title: 'banks (scale of roots)',
      ticks: [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        .filter((n) => n <= 1.3 * most)
        .map((n) => ({ at: at(n), words: String(n) })),
    },
    legend: [
      { colour: 'blue', words: 'happened' },
      { colour: 'orange', words: 'expected' },
    ],
    marks: [
      ...quarters.map(({ failures }, k) => bar({ x: x(k), y: at(failures) }, 0.7 * step, 'blue')),
      ...quarters.map(({ expected }, k) => dot({ x: x(k), y: at(expected) }, 'orange')),
      ...parts.flatMap(({ part, first }) => [
        ...(first > 0
          ? [
              curve(
                [1, 0].map((y) => ({ x: first * step, y })),
                'ink',
                true,
              ),
            ]
          : []),
        note({ x: first * step + 0.01, y: 0.95 }, PARTS[part] ?? part),
      ]),
    ],
  })
}

const PARTS: Readonly<Record<string, string>> = { window: 'learnt from', between: 'between', test: 'tested' }

/** The first quarter of each part, then of each year, where the words have room. */
function ticksOf(quarters: Drawn['quarters'], x: (k: number) => number): Axis['ticks'] {
  const begins = (of: (quarter: Drawn['quarters'][number]) => string) =>
    [...quarters.keys()].filter((k) => k === 0 || of(quarters[k - 1]!) !== of(quarters[k]!))
  const ticks: { at: number; words: string }[] = []
  for (const k of [...begins(({ part }) => part), ...begins(({ report_date }) => report_date.slice(0, 4))])
    if (ticks.every(({ at }) => Math.abs(at - x(k)) >= 0.09))
      ticks.push({ at: x(k), words: named(quarters[k]!.report_date) })
  return ticks
}
