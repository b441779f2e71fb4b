/** Years that are one partition of a table: each begins with a multiple of their number. */
export class Span {
  readonly #years: number
  /** The partition of a row by its `report_date`. */
  readonly sql: string

  constructor(years: number) {
    this.#years = years
    this.sql = `intDiv(toYear(report_date), ${years})`
  }

  /** The partition of a quarter. */
  of(quarter: string): number {
    return Math.floor(Number(quarter.slice(0, 4)) / this.#years)
  }

  /** The partitions of some quarters, ascending. */
  all(quarters: readonly string[]): number[] {
    return [...new Set(quarters.map((quarter) => this.of(quarter)))].sort((a, b) => a - b)
  }
}
