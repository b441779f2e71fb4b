/** How well probabilities foretold what happened. */
import { logistic, softplus } from './fit.ts'

/** Scores of rows beside what became of them. */
export interface Foretold {
  /** Log-odds. */
  readonly scores: Float64Array
  readonly labels: Float64Array
  readonly banks: Float64Array
  readonly quarters: Int32Array
}

const BINS = 10
const RESAMPLES = 500
const SHARES = [0.01, 0.05, 0.1]

export function measure(of: Foretold) {
  const { scores, labels } = of
  const n = scores.length
  const order = ascending(scores)
  const probabilities = scores.map(logistic)
  const failures = sum(labels)
  const rate = failures / n
  const brier = sum(probabilities.map((p, row) => (p - labels[row]!) ** 2)) / n
  const bins = calibration(order, probabilities, labels)
  return {
    observations: n,
    failures,
    failed_banks: new Set(of.banks.filter((_, row) => labels[row] === 1)).size,
    ...aucWithInterval(of, order),
    log_loss: meanLoss(of),
    brier,
    brier_skill: rate > 0 ? 1 - brier / (rate * (1 - rate)) : null,
    calibration_error: sum(bins.map((bin) => (bin.banks / n) * Math.abs(bin.predicted - bin.observed))),
    mean_probability: sum(probabilities) / n,
    observed_rate: rate,
    top: SHARES.map((share) => topOf(of, share)),
    calibration: bins,
    levels: byLevel(order, probabilities, labels),
    curve: operatingCurve(order, of),
  }
}

export const meanLoss = ({ scores, labels }: Pick<Foretold, 'scores' | 'labels'>): number =>
  sum(scores.map((score, row) => softplus(labels[row] === 1 ? -score : score))) / scores.length

/** Area under the operating curve: how often a failure has the higher score of the two; equals count half. */
export function auc(scores: Float64Array, labels: Float64Array): number | null {
  return weightedAuc(ascending(scores), scores, labels, null)
}

function weightedAuc(
  order: Int32Array,
  scores: Float64Array,
  labels: Float64Array,
  weights: Float64Array | null,
): number | null {
  let [survivors, failures, above] = [0, 0, 0]
  for (let from = 0; from < order.length; ) {
    let to = from
    let [zeros, ones] = [0, 0]
    for (; to < order.length && scores[order[to]!] === scores[order[from]!]; to++) {
      const weight = weights ? weights[order[to]!]! : 1
      if (labels[order[to]!] === 1) ones += weight
      else zeros += weight
    }
    above += ones * (survivors + zeros / 2)
    survivors += zeros
    failures += ones
    from = to
  }
  return survivors > 0 && failures > 0 ? above / (survivors * failures) : null
}

/** With 95 % of what the same figure is in samples of as many banks, drawn with replacement. */
function aucWithInterval({ scores, labels, banks }: Foretold, order: Int32Array) {
  const places = new Map<number, number>()
  for (const bank of banks) if (!places.has(bank)) places.set(bank, places.size)
  const placeOf = Int32Array.from(banks, (bank) => places.get(bank)!)
  const random = generator(20_260_930)
  const found: number[] = []
  const drawn = new Float64Array(places.size)
  for (let sample = 0; sample < RESAMPLES; sample++) {
    drawn.fill(0)
    for (let k = 0; k < places.size; k++) drawn[Math.floor(random() * places.size)]! += 1
    const weights = Float64Array.from(placeOf, (place) => drawn[place]!)
    const one = weightedAuc(order, scores, labels, weights)
    if (one !== null) found.push(one)
  }
  found.sort((a, b) => a - b)
  const quantile = (share: number) => found[Math.round(share * (found.length - 1))] ?? null
  return {
    auc: weightedAuc(order, scores, labels, null),
    auc_low: quantile(0.025),
    auc_high: quantile(0.975),
  }
}

/** What a list of the riskiest share of the banks of each quarter would have had. */
export function topOf({ scores, labels, quarters }: Foretold, share: number) {
  const byQuarter = new Map<number, number[]>()
  for (let row = 0; row < scores.length; row++) {
    const rows = byQuarter.get(quarters[row]!)
    if (rows) rows.push(row)
    else byQuarter.set(quarters[row]!, [row])
  }
  let [listed, caught] = [0, 0]
  for (const rows of byQuarter.values()) {
    rows.sort((a, b) => scores[b]! - scores[a]! || a - b)
    const most = Math.round(share * rows.length)
    listed += most
    for (const row of rows.slice(0, most)) caught += labels[row]!
  }
  const failures = sum(labels)
  return {
    share: 100 * share,
    listed,
    caught,
    precision: listed > 0 ? (100 * caught) / listed : null,
    recall: failures > 0 ? (100 * caught) / failures : null,
  }
}

/** Bins of as many rows each, by probability. */
function calibration(order: Int32Array, probabilities: Float64Array, labels: Float64Array) {
  const n = order.length
  return Array.from({ length: Math.min(BINS, n) }, (_, bin) => {
    const rows = order.subarray(Math.floor((bin * n) / BINS), Math.floor(((bin + 1) * n) / BINS))
    return { bin: bin + 1, ...became(rows, probabilities, labels) }
  }).filter(({ banks }) => banks > 0)
}

/** Probabilities between which levels lie: hardly any row is of the higher ones, which tenths of the rows do not tell apart. */
const LEVELS = [0, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, Number.POSITIVE_INFINITY]

function byLevel(order: Int32Array, probabilities: Float64Array, labels: Float64Array) {
  return LEVELS.slice(1).flatMap((most, level) => {
    const rows = order.filter((row) => probabilities[row]! >= LEVELS[level]! && probabilities[row]! < most)
    return rows.length > 0 ? [{ bin: level + 1, ...became(rows, probabilities, labels) }] : []
  })
}

/** What was foretold of some rows, in the order of their scores, and what happened. */
function became(rows: Int32Array, probabilities: Float64Array, labels: Float64Array) {
  const mean = (of: Float64Array) => rows.reduce((total, row) => total + of[row]!, 0) / rows.length
  return {
    banks: rows.length,
    failures: rows.reduce((total, row) => total + labels[row]!, 0),
    least: probabilities[rows[0]!]!,
    most: probabilities[rows.at(-1)!]!,
    predicted: mean(probabilities),
    observed: mean(labels),
  }
}

const POINTS = 100

/**
 * Share of the failures (`caught`) by share of the survivors that a list would have with them (`listed`), the riskiest first:
 * a point each hundredth of the way along both, so that the steep beginning has as many as the rest. Equals are listed together.
 */
export function operatingCurve(order: Int32Array, { scores, labels }: Pick<Foretold, 'scores' | 'labels'>) {
  const failures = sum(labels)
  const survivors = labels.length - failures
  const points = [{ listed: 0, caught: 0 }]
  let [zeros, ones] = [0, 0]
  for (let at = order.length - 1; at >= 0; at--) {
    if (labels[order[at]!] === 1) ones++
    else zeros++
    if (at > 0 && scores[order[at - 1]!] === scores[order[at]!]) continue
    const [listed, caught] = [zeros / survivors, ones / failures]
    if (at === 0 || listed + caught >= (2 * points.length) / POINTS) points.push({ listed, caught })
  }
  return failures > 0 && survivors > 0 ? points : []
}

const ascending = (scores: Float64Array): Int32Array =>
  Int32Array.from(scores.keys()).sort((a, b) => scores[a]! - scores[b]! || a - b)

const sum = (values: ArrayLike<number>): number => {
  let total = 0
  for (let k = 0; k < values.length; k++) total += values[k]!
  return total
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
