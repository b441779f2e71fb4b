import type { Concept, Metric } from '../../../formula/metrics/metric.ts'
import { annualised, metric, percentOf, sum } from '../../../formula/metrics/terms.ts'

export { annualised, metric, percentOf, sum }

/** An account of the 5300 as reported: `account('010')`. */
export const account = (code: string): string => `cc:ACCT_${code}[P0]`
/** Of accounts that come one after the other in the form's history, the one that is filled in. */
export const firstOf = (...terms: readonly string[]): string => `ExistingOf(${terms.join(', ')})`
export const accounts = (...codes: readonly string[]): string => sum(...codes.map(account))

type Declare = (
  key: string,
  rest: Pick<Metric, 'label' | 'formula' | 'source' | 'description'> & { direction?: Metric['direction'] },
) => Metric
type Row = readonly [key: string, label: string, codes: string, direction?: Metric['direction']]

/** Accounts that are metrics as they are, or add up to one: `'657'`, `'385 370'`. */
export const asReported = (declare: Declare, rows: readonly Row[]): Metric[] =>
  rows.map(([key, label, codes, direction]) => {
    const list = codes.split(' ')
    return declare(key, {
      label,
      formula: list.length === 1 ? account(list[0]!) : accounts(...list),
      source: `5300 account ${list.join(' + ')}`,
      ...(direction && { direction }),
    })
  })

/**
 * The Financial Performance Report's average: of the balance and that of the year-end before. Where that was not filed,
 * the balance alone.
 */
export const average = (key: string): Concept => ({
  key: `average_${key}`,
  formula: firstOf(`(${metric(key)} + m:${key}[-P1Z]) / 2`, metric(key)),
  aggregation: 'sum',
})
