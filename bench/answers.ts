/** Whether two contestants say the same: their rows are brought into one shape and compared figure by figure. */
import { cohorts } from '../sql/universes/bank/cohorts.ts'
import type { Row } from './peers/contestant.ts'
import type { Question } from './question.ts'

/** Sums and quantiles may be taken in another order. */
const TOLERANCE = 1e-9
const SHOWN = 3

/**
 * @param expected rows of this server
 * @param given rows of a peer
 * @returns the first differences in words; empty where they agree
 */
export function differences(question: Question, expected: readonly Row[], given: readonly Row[]): string[] {
  const ours = plain(question, expected)
  const theirs = plain(question, given)
  const found: string[] = []
  if (ours.length !== theirs.length) found.push(`${theirs.length} rows, expected ${ours.length}`)
  if (ours.length === 0) found.push('there is nothing to compare')
  for (let i = 0; i < ours.length && i < theirs.length && found.length < SHOWN; i++) {
    const row = theirs[i]!
    // a snapshot of ours says more than the peers hold
    const less = question.kind === 'snapshot' || question.kind === 'rows'
    for (const name of Object.keys(less ? row : ours[i]!)) {
      if (!same(ours[i]![name], row[name]) && found.length < SHOWN)
        found.push(`row ${i + 1}, ${name}: ${show(row[name])}, expected ${show(ours[i]![name])}`)
    }
  }
  return found
}

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

function same(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b), 1e-6)
  // some leave nulls out of JSON
  return a === b || (a === null && b === undefined)
}

function plain(question: Question, rows: readonly Row[]): readonly Row[] {
  if (question.kind === 'rank') return ranks(question.metrics, rows)
  if (question.kind === 'summary') return summaries(question.metrics, rows)
  return rows
}

/** One row a metric: `metric value rank ranked percentile banks`. */
function ranks(metrics: readonly string[], rows: readonly Row[]): Row[] {
  const wide = rows.length === 1 && 'banks' in rows[0]! ? rows[0] : undefined
  if (!wide)
    return rows.map(({ metric, value, rank, ranked, percentile, cohort_size: banks }) => ({
      metric,
      value,
      rank,
      ranked,
      percentile,
      banks,
    }))
  return metrics.map((metric) => ({
    metric,
    value: wide[`${metric}_value`],
    rank: wide[`${metric}_rank`],
    ranked: wide[`${metric}_ranked`],
    percentile: wide[`${metric}_percentile`],
    banks: wide.banks,
  }))
}

/** One row a tier and metric: `tier metric count min p25 median p75 max`. */
function summaries(metrics: readonly string[], rows: readonly Row[]): Row[] {
  const long = rows.flatMap((row): Row[] => {
    const { metric, count, min, p25, median, p75, max } = row
    const tier = row.tier ?? row.cohort
    if (metric !== undefined) return [{ tier, metric, count, min, p25, median, p75, max }]
    return metrics.map((name) => {
      const [min, p25, median, p75, max] = (row[`${name}_five`] ?? []) as number[]
      return { tier, metric: name, count: row[`${name}_count`], min, p25, median, p75, max }
    })
  })
  const place = (row: Row): number =>
    cohorts.findIndex(({ key }) => key === row.tier) * 1000 + metrics.indexOf(String(row.metric))
  // a tier in which no bank has a value: no row, or a row of nothing
  return long.filter(({ count }) => Number(count) > 0).sort((a, b) => place(a) - place(b))
}
