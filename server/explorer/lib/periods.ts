/** Periods that series have a figure of: what each is called, and which an axis names. */
import { scaleUtc } from 'd3-scale'
import { day, iso, quarter } from './numbers.ts'

/** A day that an axis names. */
export interface Mark {
  /** An ISO day. */
  readonly date: string
  readonly text: string
}

export interface Period {
  /** Of a table's column of them. */
  readonly head: string
  /** What the period is called that a day ends. */
  readonly label: (date: string) => string
  /** Days of an axis from one to another, at most so many, all called in one form. */
  readonly marks: (first: string, last: string, most: number) => Mark[]
  /** Of what such a day is called, as a rule. */
  readonly letters: number
}

/** How many periods lie between two that are named: of quarters whole years, as soon as there are many. */
const STEPS_OF_QUARTERS = [1, 2, 4, 8, 12, 16, 20, 40, 80, 160]
const STEPS_OF_YEARS = [1, 2, 5, 10, 20, 50]

/** The smallest step of which few enough are named. */
function spaced(first: number, last: number, most: number, steps: readonly number[]): number[] {
  const at = (step: number): number[] => {
    const begin = Math.ceil(first / step) * step
    return Array.from(
      { length: Math.max(0, Math.floor((last - begin) / step) + 1) },
      (_, i) => begin + i * step,
    )
  }
  return at(steps.find((step) => at(step).length <= most) ?? steps.at(-1)!)
}

const yearOf = (date: string): number => Number(date.slice(0, 4))
/** Quarters since the end of the year 0, so that ends of years are whole fours. */
const quarterOf = (date: string): number => yearOf(date) * 4 + Math.ceil(Number(date.slice(5, 7)) / 3) - 4
const quarterEnd = (number: number): string =>
  iso(new Date(Date.UTC(Math.floor((number + 3) / 4), (((number + 3) % 4) + 1) * 3, 0)))

/** Days are ends of quarters. */
export const quarters: Period = {
  head: 'Quarter',
  letters: 7,
  label: quarter,
  marks: (first, last, most) =>
    spaced(quarterOf(first), quarterOf(last), most, STEPS_OF_QUARTERS)
      .map(quarterEnd)
      .map((date) => ({ date, text: quarter(date) })),
}

/** Days are ends of years. */
export const years: Period = {
  head: 'Year',
  letters: 4,
  label: (date) => date.slice(0, 4),
  marks: (first, last, most) =>
    spaced(yearOf(first), yearOf(last), most, STEPS_OF_YEARS).map((year) => ({
      date: `${year}-12-31`,
      text: String(year),
    })),
}

const months = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

export const days: Period = {
  head: 'Day',
  letters: 8,
  label: day,
  marks: (first, last, most) => {
    const scale = scaleUtc().domain([Date.parse(first), Date.parse(last)])
    // a scale takes the number of its ticks as a hint
    const counts = Array.from({ length: most }, (_, i) => most - i)
    const dates = counts.map((count) => scale.ticks(count)).find(({ length }) => length <= most) ?? []
    const whole = (of: (date: Date) => number, value: number) => dates.every((date) => of(date) === value)
    const ofMonths = whole((date) => date.getUTCDate(), 1)
    const ofYears = ofMonths && whole((date) => date.getUTCMonth(), 0)
    return dates.map((date) => ({
      date: iso(date),
      text: ofYears ? String(date.getUTCFullYear()) : ofMonths ? months.format(date) : day(iso(date)),
    }))
  },
}
