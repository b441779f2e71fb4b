/** Penalised logistic regression by iteratively reweighted least squares. */
import type { Panel } from './panel.ts'

export interface Fit {
  /** Intercept first, then a coefficient for each feature as it stands in the panel. */
  readonly coefficients: Float64Array
  readonly means: Float64Array
  readonly deviations: Float64Array
  /** Of the intercept and of the standardised features. */
  readonly standardised: Float64Array
}

const MOST_STEPS = 50
const ENOUGH = 1e-10

/**
 * Minimises the negative log-likelihood of some rows plus penalty / 2 times the squared coefficients of the features in
 * standard deviations; the intercept is not penalised, so that the mean probability is that of the failures.
 * @param start standardised coefficients to begin with, of a fit of the same rows
 */
export function fit(panel: Panel, rows: Int32Array, penalty: number, start?: Float64Array): Fit {
  const p = panel.features
  const { means, deviations } = momentsOf(panel, rows)
  const z = new Float64Array(p + 1)
  z[0] = 1
  const load = (row: number) => {
    for (let k = 0; k < p; k++) z[k + 1] = (panel.x[row * p + k]! - means[k]!) / deviations[k]!
  }
  let beta = start ? start.slice() : new Float64Array(p + 1)
  if (!start) {
    let failures = 0
    for (const row of rows) failures += panel.labels[row]!
    beta[0] = Math.log((failures + 0.5) / (rows.length - failures + 0.5))
  }
  const objective = (at: Float64Array) => {
    let sum = 0
    for (const row of rows) {
      load(row)
      const score = dot(at, z)
      sum += softplus(score) - panel.labels[row]! * score
    }
    for (let k = 1; k <= p; k++) sum += (penalty / 2) * at[k]! ** 2
    return sum
  }
  let value = objective(beta)
  for (let step = 0; step < MOST_STEPS; step++) {
    const { gradient, hessian } = derivatives(panel, rows, beta, penalty, load, z)
    const direction = solve(hessian, gradient)
    // Newton's step overshoots where nearly all of the probability is spent: halved until it is better
    let scale = 1
    let next = beta
    let better = value
    for (; scale > 1e-6; scale /= 2) {
      next = beta.map((b, k) => b - scale * direction[k]!)
      better = objective(next)
      if (better <= value) break
    }
    const moved = Math.max(...direction.map(Math.abs)) * scale
    if (better <= value) [beta, value] = [next, better]
    if (moved < ENOUGH || scale <= 1e-6) break
  }
  const coefficients = new Float64Array(p + 1)
  coefficients[0] = beta[0]!
  for (let k = 0; k < p; k++) {
    coefficients[k + 1] = beta[k + 1]! / deviations[k]!
    coefficients[0] -= coefficients[k + 1]! * means[k]!
  }
  return { coefficients, means, deviations, standardised: beta }
}

function derivatives(
  { labels }: Panel,
  rows: Int32Array,
  beta: Float64Array,
  penalty: number,
  load: (row: number) => void,
  z: Float64Array,
) {
  const m = beta.length
  const gradient = new Float64Array(m)
  const hessian = new Float64Array(m * m)
  for (const row of rows) {
    load(row)
    const probability = logistic(dot(beta, z))
    const residual = probability - labels[row]!
    const weight = probability * (1 - probability)
    for (let i = 0; i < m; i++) {
      gradient[i]! += residual * z[i]!
      const weighted = weight * z[i]!
      for (let j = 0; j <= i; j++) hessian[i * m + j]! += weighted * z[j]!
    }
  }
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < i; j++) hessian[j * m + i] = hessian[i * m + j]!
    if (i > 0) {
      gradient[i]! += penalty * beta[i]!
      hessian[i * m + i]! += penalty
    }
  }
  return { gradient, hessian }
}

/**
 * Standard errors of the coefficients of a fit, intercept first: quarters of one bank are not independent, so that what
 * they tell is summed up by bank before it is squared.
 */
export function standardErrors(panel: Panel, rows: Int32Array, fitted: Fit, penalty: number): Float64Array {
  const p = panel.features
  const m = p + 1
  const z = new Float64Array(m)
  z[0] = 1
  const load = (row: number) => {
    for (let k = 0; k < p; k++) z[k + 1] = (panel.x[row * p + k]! - fitted.means[k]!) / fitted.deviations[k]!
  }
  const { hessian } = derivatives(panel, rows, fitted.standardised, penalty, load, z)
  const byBank = new Map<number, Float64Array>()
  for (const row of rows) {
    load(row)
    const residual = logistic(dot(fitted.standardised, z)) - panel.labels[row]!
    const bank = panel.banks[row]!
    const sum = byBank.get(bank) ?? new Float64Array(m)
    for (let i = 0; i < m; i++) sum[i]! += residual * z[i]!
    byBank.set(bank, sum)
  }
  const variances = new Float64Array(m)
  for (const sum of byBank.values()) {
    const share = solve(hessian, sum)
    for (let i = 0; i < m; i++) variances[i]! += share[i]! ** 2
  }
  return variances.map((variance, i) => Math.sqrt(variance) / (i === 0 ? 1 : fitted.deviations[i - 1]!))
}

/** The log-odds of a row. */
export function scoreOf(panel: Panel, row: number, coefficients: Float64Array): number {
  let sum = coefficients[0]!
  const from = row * panel.features
  for (let k = 0; k < panel.features; k++) sum += coefficients[k + 1]! * panel.x[from + k]!
  return sum
}

export const logistic = (score: number): number => 1 / (1 + Math.exp(-score))
/** ln(1 + e^score), without overflow: what a survival costs, and with -score a failure. */
export const softplus = (score: number): number => Math.max(score, 0) + Math.log1p(Math.exp(-Math.abs(score)))

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!
  return sum
}

function momentsOf(panel: Panel, rows: Int32Array) {
  const p = panel.features
  const means = new Float64Array(p)
  const deviations = new Float64Array(p)
  for (const row of rows) for (let k = 0; k < p; k++) means[k]! += panel.x[row * p + k]! / rows.length
  for (const row of rows)
    for (let k = 0; k < p; k++) deviations[k]! += (panel.x[row * p + k]! - means[k]!) ** 2 / rows.length
  // what is the same for all tells nothing: its coefficient is 0
  return { means, deviations: deviations.map((variance) => (variance > 1e-24 ? Math.sqrt(variance) : 1)) }
}

/** Solves a symmetric positive definite system by Cholesky's decomposition. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const m = right.length
  const lower = new Float64Array(m * m)
  for (let i = 0; i < m; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * m + j]!
      for (let k = 0; k < j; k++) sum -= lower[i * m + k]! * lower[j * m + k]!
      lower[i * m + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[j * m + j]!
    }
  const x = right.slice()
  for (let i = 0; i < m; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i * m + k]! * x[k]!
    x[i]! /= lower[i * m + i]!
  }
  for (let i = m - 1; i >= 0; i--) {
    for (let k = i + 1; k < m; k++) x[i]! -= lower[k * m + i]! * x[k]!
    x[i]! /= lower[i * m + i]!
  }
  return x
}
