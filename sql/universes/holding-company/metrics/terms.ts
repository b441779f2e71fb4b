import { metric, sum } from '../../../formula/metrics/terms.ts'

export { metric, percentOf, sum } from '../../../formula/metrics/terms.ts'

/**
 * An item of the quarter. Four characters are of the consolidated series BHCK; several codes are generations of one item,
 * the newest first.
 */
export const item = (...codes: readonly string[]): string => {
  const terms = codes.map((code) => `cc:${code.length === 4 ? `BHCK${code}` : code}[P0]`)
  return terms.length === 1 ? terms[0]! : `ExistingOf(${terms.join(', ')})`
}

/** Items of the consolidated series that add up; one that a generation of the form lacks counts as nothing. */
export const items = (...codes: readonly string[]): string => sum(...codes.map((code) => item(code)))

/** What both kinds of depository subsidiaries hold: commercial banks (BHCB) and other depository institutions (BHOD). */
export const ofDepositories = (code: string): string => items(`BHCB${code}`, `BHOD${code}`)

/** An item of the parent alone, as FR Y-9LP or, for small holders, FR Y-9SP has it. */
export const ofParent = (code: string, small = code): string => item(`BHCP${code}`, `BHSP${small}`)

/** Average of quarterly averages (Schedule HC-K, or a concept of them) over the year to date. */
export const average = (...series: readonly string[]): string =>
  sum(...series.map((one) => `CAVG04X(#${one.includes(':') ? one : `cc:BHCK${one}`})`))

/** Year-to-date flow as an annual percentage of a balance. */
export const annualised = (flow: string, balance: string): string =>
  `PCTOFANN(${metric(flow)}, ${metric(balance)})`

/** A name of the BHC Performance Report, for the source of a metric. */
export const report = (code: string): string => `BHCPR ${code}`

/** A line of the FR Y-9C. */
export const line = (place: string): string => `FR Y-9C ${place}`
