/** Figures as people say them, and exactly. */

/** Unit of most amounts of the API. */
export const THOUSANDS = 'thousands of US dollars'

const scales = [
  [1e12, 'trillion', 'T'],
  [1e9, 'billion', 'B'],
  [1e6, 'million', 'M'],
  [1e3, 'thousand', 'K'],
] as const
const MINUS = '−'
const significant = new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 3,
  minimumSignificantDigits: 3,
})
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
/** By the number of their decimals. */
const fixed = [0, 1, 2, 3, 4].map(
  (count) => new Intl.NumberFormat('en-US', { minimumFractionDigits: count, maximumFractionDigits: count }),
)
const two = fixed[2]!
/** What is rounded to nothing is not below it. */
const signOf = (value: number, digits: string): string => (value < 0 && /[1-9]/.test(digits) ? MINUS : '')

export type Figure = number | null | undefined

/** `$2.31 trillion`, `12.40%`, `4,500`; a dash where nothing is known. */
export const figure = (value: Figure, unit: string | undefined): string => said(value, unit, 1)
/** The same where there is little room: `$2.31T`. */
export const short = (value: Figure, unit: string | undefined): string => said(value, unit, 2)

function said(value: Figure, unit: string | undefined, word: 1 | 2): string {
  if (value === null || value === undefined) return '–'
  const size = Math.abs(value)
  if (unit === THOUSANDS) {
    const sign = value < 0 ? MINUS : ''
    const dollars = size * 1000
    // what would be rounded up to 1,000 of a word is 1 of the next
    const scale = scales.find(([of]) => dollars >= of * 0.9995)
    if (!scale) return `${sign}$${fixed[0]!.format(dollars)}`
    return `${sign}$${significant.format(dollars / scale[0])}${word === 1 ? ' ' : ''}${scale[word]}`
  }
  if (unit === 'percent') return percent(value, 2)
  const digits = (unit === 'count' || unit === 'code' ? fixed[0]! : two).format(size)
  return `${signOf(value, digits)}${digits}${unit === 'percentage points' && word === 1 ? ` ${unit}` : ''}`
}

/** `12.4%`: to so many decimals, or with all that matter. */
export function percent(value: number, decimals?: number): string {
  const digits = (decimals === undefined ? plain : fixed[decimals]!).format(Math.abs(value))
  return `${signOf(value, digits)}${digits}%`
}

/** With all that the answer gave: `$2,310,456,000`, `12.3987654%`. */
export function exact(value: Figure, unit: string | undefined): string {
  if (value === null || value === undefined) return 'not known'
  const size = Math.abs(value)
  const sign = value < 0 ? MINUS : ''
  if (unit === THOUSANDS) return `${sign}$${plain.format(size * 1000)}`
  if (unit === 'percent') return percent(value)
  return `${sign}${plain.format(size)}${unit === undefined || unit === 'count' ? '' : ` ${unit}`}`
}

/** Of the largest figure, what an axis spans at least: less would make much of next to nothing. */
const LEAST_SPAN = 0.2

/** What the axis shows of figures from one to another. */
export function rangeOf(low: number, high: number): [number, number] {
  if (low === 0 && high === 0) return [-1, 1]
  const lacking = LEAST_SPAN * Math.max(Math.abs(low), Math.abs(high)) - (high - low)
  return lacking > 0 ? [low - lacking / 2, high + lacking / 2] : [low, high]
}

/** Ticks of an axis, all with the decimals that one of them needs. */
export function ticks(values: readonly number[], unit: string | undefined): string[] {
  const largest = Math.max(...values.map(Math.abs))
  const money = unit === THOUSANDS
  const ones = money ? 1000 : 1
  const scale =
    money || (unit === 'count' && largest >= 100_000)
      ? scales.find(([of]) => largest * ones >= of)
      : undefined
  const divisor = (scale?.[0] ?? 1) / ones
  const scaled = values.map((value) => value / divisor)
  const decimals =
    [0, 1, 2, 3].find((n) => scaled.every((value) => Math.abs(value - Number(value.toFixed(n))) < 1e-9)) ?? 4
  if (unit === 'percent') return scaled.map((value) => percent(value, decimals))
  const format = fixed[decimals]!
  return scaled.map((value) => {
    // nothing is nothing in any scale
    if (value === 0 && scale) return `${money ? '$' : ''}0`
    const text = format.format(Math.abs(value))
    return `${value < 0 ? MINUS : ''}${money ? '$' : ''}${text}${scale?.[2] ?? ''}`
  })
}

/** What a person writes as an amount in the unit of a metric: `500m`, `$1.5 billion`, `12%` or `12 %`. NaN where it is none. */
export function readFigure(text: string, unit: string | undefined): number {
  const clean = text.trim().toLowerCase().replaceAll(',', '').replaceAll('$', '').replaceAll(MINUS, '-')
  const number = Number.parseFloat(clean)
  const word = clean.replace(/^[-+.\d]+/, '').trim()
  if (word === '' || word === '%') return unit === THOUSANDS ? number / 1000 : number
  const scale = scales.find(
    ([, long, letter]) =>
      word === long || word === letter.toLowerCase() || word === `${letter.toLowerCase()}n`,
  )
  if (!scale || unit === 'percent') return Number.NaN
  return (number * scale[0]) / (unit === THOUSANDS ? 1000 : 1)
}

/** `2026-06-30` as `2026 Q2`. */
export const quarter = (date: string): string =>
  `${date.slice(0, 4)} Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
/** `2026-06-30` as `Jun 30, 2026`. */
export const day = (date: string): string => days.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))

/** As `2026-06-30`. */
export const iso = (date: Date | number): string => new Date(date).toISOString().slice(0, 10)
/** A day so many days later; earlier where they are below zero. */
export const shifted = (date: string, by: number): string =>
  iso(Date.parse(`${date}T00:00:00Z`) + by * 86_400_000)
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** `1st`, `62nd`: a percentile in words. */
export function ordinal(value: number): string {
  const n = Math.round(value)
  const ten = n % 100
  const suffix = ten >= 11 && ten <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${suffix}`
}
