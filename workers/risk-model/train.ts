/** From the panel to a model and its card: the penalty, the fit, its calibration, and what became of the quarters after. */
import { fit, logistic, scoreOf, standardErrors } from './fit.ts'
import { auc, type Foretold, meanLoss, measure, topOf } from './measures.ts'
import { HORIZON, isoDate, labelled, type Panel, quarterNumber, quartersOf, readPanel } from './panel.ts'

export interface TrainInput {
  /** Rows of the panel one after the other: see panel.ts. */
  panel: Float64Array
  /** Keys of the features in the panel's order. */
  features: readonly string[]
  /** Last report date that the model learns from; null: it is chosen so that a quarter of the labelled ones is left to test it. */
  until: string | null
  /** In place of those that are tried. */
  penalties?: readonly number[]
}

/** In the order in which they are tried: each begins with the coefficients of the one before. */
const PENALTIES = [100, 30, 10, 3, 1, 0.3]
/** Where there are too few quarters to try them. */
const USUAL_PENALTY = 10
const FOLDS = 4
/** A calibration of fewer failures is of chance. */
const FEWEST_FAILURES = 10

/**
 * Trains a model. The quarters up to `until` alone decide it, with what became of their banks in the four quarters after
 * each: penalty and calibration come from folds within them, each validated by quarters whose labels were not known when the
 * fold's own were. The later quarters only test it.
 * @returns why not, where there are no failures to learn from
 */
export function train({ panel: numbers, features, until, penalties = PENALTIES }: TrainInput) {
  const panel = readPanel(numbers, features.length)
  const everything = labelled(panel, () => true)
  const known = quartersOf(panel, everything)
  if (known.length === 0) return { nothing: 'No quarter is loaded whose outcome is known yet.' }
  const last = lastOf(panel, known, until)
  const window = labelled(panel, (quarter) => quarter <= last)
  const failures = window.reduce((total, row) => total + panel.labels[row]!, 0)
  if (failures === 0)
    return { nothing: 'No bank of the quarters that are loaded is known to have failed within a year.' }
  const folds = foldsOf(panel, window)
  const tried = penalties.map((penalty) => ({ penalty, ...validate(panel, folds, penalty) }))
  const measured = tried.filter(({ log_loss }) => log_loss !== null)
  const chosen = measured.reduce<(typeof tried)[number] | undefined>(
    (best, one) => (best && best.log_loss! <= one.log_loss! ? best : one),
    undefined,
  )
  const penalty = chosen?.penalty ?? (penalties.length === 1 ? penalties[0]! : USUAL_PENALTY)
  const fitted = fit(panel, window, penalty)
  const errors = standardErrors(panel, window, fitted, penalty)
  const { slope, shift } = chosen ? calibrationOf(chosen.foretold) : { slope: 1, shift: 0 }
  const coefficients = fitted.coefficients.map((value, k) => slope * value + (k === 0 ? shift : 0))
  const foretold = (rows: Int32Array): Foretold => ({
    ...picked(panel, rows),
    scores: Float64Array.from(rows, (row) => scoreOf(panel, row, coefficients)),
  })
  const later = labelled(panel, (quarter) => quarter >= last + HORIZON)
  const recalibrated = chosen && {
    ...chosen.foretold,
    scores: chosen.foretold.scores.map((score) => slope * score + shift),
  }
  const days = (rows: Int32Array) => isoDate(panel.days[rows[0]!]!)
  const card = {
    ...{ first_quarter: days(window), last_quarter: days(window.subarray(-1)) },
    ...{ observations: window.length, failures, penalty },
    banks: new Set(Array.from(window, (row) => panel.banks[row]!)).size,
    failed_banks: new Set(
      Array.from(
        window.filter((row) => panel.labels[row] === 1),
        (row) => panel.banks[row]!,
      ),
    ).size,
    unlabelled: unlabelledIn(panel, last),
    intercept: coefficients[0]!,
    ...{ calibration_slope: slope, calibration_shift: shift },
    penalties: tried.map(({ foretold: _, ...one }) => one),
    features: features.map((feature, k) => ({
      feature,
      coefficient: coefficients[k + 1]!,
      standard_error: slope * errors[k + 1]!,
      effect: coefficients[k + 1]! * fitted.deviations[k]!,
      mean: fitted.means[k]!,
      deviation: fitted.deviations[k]!,
    })),
    quarters: byQuarter(panel, foretold(everything), last),
    measures: [
      ...(recalibrated ? [{ part: 'validation', ...measure(recalibrated) }] : []),
      ...(later.length > 0 ? [{ part: 'test', ...measure(foretold(later)) }] : []),
    ],
    tested_from: later.length > 0 ? days(later) : null,
    tested_until: later.length > 0 ? days(later.subarray(-1)) : null,
  }
  return { coefficients: Array.from(coefficients), card }
}

/** Why there is no model. */
export interface Untrained {
  readonly nothing: string
}
export type Trained = Exclude<ReturnType<typeof train>, Untrained>

/** The last quarter to learn from. */
function lastOf(panel: Panel, quarters: readonly number[], until: string | null): number {
  const newest = quarters.at(-1)!
  if (until !== null) return quarterNumber(Date.parse(until) / 86_400_000)
  const firstTested = quarters[quarters.length - Math.max(HORIZON, Math.round(quarters.length / 4))]
  const before = quarters.filter((quarter) => firstTested !== undefined && quarter + HORIZON <= firstTested)
  const enough =
    before.length >= HORIZON &&
    labelled(panel, (q) => q <= before.at(-1)!).some((row) => panel.labels[row] === 1)
  return enough ? before.at(-1)! : newest
}

interface Fold {
  readonly fitted: Int32Array
  readonly validated: Int32Array
}

/**
 * Folds in the order of time: each is fitted to quarters up to one, and validated by those whose outcome was still open when
 * that of the first was known. Each quarter is foretold by the latest fold that may.
 */
function foldsOf(panel: Panel, window: Int32Array): Fold[] {
  const quarters = quartersOf(panel, window)
  const origins = quarters.filter((quarter) => quarters.some((later) => later >= quarter + HORIZON))
  const chosen = [
    ...new Set(
      Array.from({ length: FOLDS }, (_, k) => origins[Math.ceil((origins.length * (k + 1)) / FOLDS) - 1]),
    ),
  ].filter((origin) => origin !== undefined)
  const first = quarters[0]!
  return chosen.map((origin, k) => {
    const next = chosen[k + 1] ?? Number.POSITIVE_INFINITY
    const of = (from: number, to: number) =>
      window.filter((row) => panel.quarters[row]! >= from && panel.quarters[row]! < to)
    return { fitted: of(first, origin + 1), validated: of(origin + HORIZON, next + HORIZON) }
  })
}

const warm = new WeakMap<Fold, Float64Array>()

function validate(panel: Panel, folds: readonly Fold[], penalty: number) {
  const parts = folds
    .filter(({ fitted, validated }) => validated.length > 0 && fitted.some((row) => panel.labels[row] === 1))
    .map((fold) => {
      const { coefficients, standardised } = fit(panel, fold.fitted, penalty, warm.get(fold))
      warm.set(fold, standardised)
      return {
        rows: fold.validated,
        scores: Float64Array.from(fold.validated, (row) => scoreOf(panel, row, coefficients)),
      }
    })
  const foretold: Foretold = {
    ...picked(panel, Int32Array.from(parts.flatMap(({ rows }) => Array.from(rows)))),
    scores: Float64Array.from(parts.flatMap(({ scores }) => Array.from(scores))),
  }
  const some = foretold.labels.some((label) => label === 1)
  return {
    log_loss: some ? meanLoss(foretold) : null,
    auc: some ? auc(foretold.scores, foretold.labels) : null,
    foretold,
  }
}

const picked = (panel: Panel, rows: Int32Array) => ({
  labels: Float64Array.from(rows, (row) => panel.labels[row]!),
  banks: Float64Array.from(rows, (row) => panel.banks[row]!),
  quarters: Int32Array.from(rows, (row) => panel.quarters[row]!),
})

/** What turns the log-odds of folds into the odds of what happened after: a logistic regression of one feature. */
function calibrationOf({ scores, labels, banks, quarters }: Foretold): { slope: number; shift: number } {
  const rows = Int32Array.from(labels.keys())
  if (labels.reduce((total, label) => total + label, 0) < FEWEST_FAILURES) return { slope: 1, shift: 0 }
  const panel: Panel = { rows: rows.length, features: 1, days: banks, quarters, banks, labels, x: scores }
  const [shift, slope] = fit(panel, rows, 0).coefficients
  return slope! > 0 ? { slope: slope!, shift: shift! } : { slope: 1, shift: 0 }
}

const unlabelledIn = (panel: Panel, last: number): number =>
  panel.labels.filter((label, row) => Number.isNaN(label) && panel.quarters[row]! <= last).length

/** How many failed of each quarter's banks, and how many the model expected. */
function byQuarter(panel: Panel, foretold: Foretold, last: number) {
  const days = new Map(Array.from(panel.quarters, (quarter, row) => [quarter, panel.days[row]!]))
  return [...new Set(foretold.quarters)].map((quarter) => {
    const rows = Int32Array.from(foretold.quarters.keys()).filter((row) => foretold.quarters[row] === quarter)
    const one: Foretold = {
      scores: Float64Array.from(rows, (row) => foretold.scores[row]!),
      labels: Float64Array.from(rows, (row) => foretold.labels[row]!),
      banks: Float64Array.from(rows, (row) => foretold.banks[row]!),
      quarters: rows.map((row) => foretold.quarters[row]!),
    }
    return {
      report_date: isoDate(days.get(quarter)!),
      part: quarter <= last ? 'window' : quarter >= last + HORIZON ? 'test' : 'between',
      banks: rows.length,
      failures: one.labels.reduce((total, label) => total + label, 0),
      expected: one.scores.reduce((total, score) => total + logistic(score), 0),
      auc: auc(one.scores, one.labels),
      recall_top_5: topOf(one, 0.05).recall,
    }
  })
}
