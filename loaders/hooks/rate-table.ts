import { recordOf, type WholeReading } from '../declared/whole.ts'

/** Gathers values by date and series: a record a date, with a field a series, blank where nothing is published. */
export class RateTable {
  /** Products and measures that nobody knows. */
  readonly strange = new Set<string>()
  readonly #values = new Map<string, Map<string, string>>()

  get empty(): boolean {
    return this.#values.size === 0
  }

  add(date: string, series: string, value: string): void {
    const day = this.#values.get(date) ?? new Map<string, string>()
    day.set(series, value.replace('%', '').trim())
    this.#values.set(date, day)
  }

  result(): WholeReading {
    const series = [...new Set([...this.#values.values()].flatMap((day) => [...day.keys()]))].sort()
    const days = [...this.#values].sort(([a], [b]) => (sortable(a) < sortable(b) ? -1 : 1))
    return {
      header: ['Date', ...series],
      records: days.map(([date, day]) => recordOf([date, ...series.map((id) => day.get(id) ?? '')])),
      rejects: [...this.strange].map((what) => ({
        line: 1,
        reason: `the ${what} is new: it was not read`,
        text: what,
      })),
    }
  }
}

/** ISO of a month/day/year, so that sheets may come in any order. */
function sortable(date: string): string {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(date)
  return us ? `${us[3]!.padStart(4, '20')}-${us[1]!.padStart(2, '0')}-${us[2]!.padStart(2, '0')}` : date
}
