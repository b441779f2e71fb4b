/** Quarters as ordinals (year × 4 + quarter of the year from 0), so that they sort and subtract. */

const FORM = /^(\d{4})-?Q([1-4])$/i
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const ENDS = ['03-31', '06-30', '09-30', '12-31'] as const

/**
 * What the readers below accept, and a year beside them, for JSON Schema (without anchors). Exact, so that what a schema lets pass is
 * not refused: quarters of ClickHouse's Date, 1970 to 2148; calendar days from 1900 to 2199, leap days among them.
 */
export const quarterPattern = `(19[7-9]\\d|20\\d\\d|21[0-3]\\d|214[0-8])(-?[Qq][1-4]|-(${ENDS.join('|')}))`
export const dayPattern =
  '((19|20|21)\\d\\d-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))' +
  '|((19|20|21)(0[48]|[2468][048]|[13579][26])|2000)-02-29)'
export const yearPattern = '(19|20|21)\\d\\d'
const DAY = new RegExp(`^${dayPattern}$`)

/** `2026Q2`, `2026-Q2` or the last day of a quarter; undefined for anything else. */
export function parseQuarter(text: string): number | undefined {
  const quarter = FORM.exec(text)
  if (quarter) return inRange(Number(quarter[1]) * 4 + Number(quarter[2]) - 1)
  const day = DATE.exec(text)
  if (!day) return undefined
  const end = ENDS.indexOf(`${day[2]}-${day[3]}` as (typeof ENDS)[number])
  return end < 0 ? undefined : inRange(Number(day[1]) * 4 + end)
}

/** The last day of a quarter, ISO 8601. */
export function quarterEnd(ordinal: number): string {
  return `${Math.floor(ordinal / 4)}-${ENDS[ordinal % 4]}`
}

/** Whether a day, ISO 8601, is the last of a quarter. */
export function isQuarterEnd(day: string): boolean {
  return /^\d{4}-(03-31|06-30|09-30|12-31)$/.test(day)
}

/** Quarter of the year that a day, ISO 8601, lies in: 1 to 4. */
export function quarterOf(day: string): number {
  return Math.ceil(Number(day.slice(5, 7)) / 3)
}

/** The last day of the quarter `count` quarters before the one that a day lies in. */
export function quartersBefore(day: string, count: number): string {
  return quarterEnd(Number(day.slice(0, 4)) * 4 + quarterOf(day) - 1 - count)
}

/** `2026Q2`. */
export function quarterName(ordinal: number): string {
  return `${Math.floor(ordinal / 4)}Q${(ordinal % 4) + 1}`
}

/** A calendar day from 1900 to 2199, ISO 8601, or undefined. */
export function parseDay(text: string): string | undefined {
  return DAY.test(text) ? text : undefined
}

/** ClickHouse's Date begins in 1970 and ends in 2149. */
function inRange(ordinal: number): number | undefined {
  return ordinal >= 1970 * 4 && ordinal < 2149 * 4 ? ordinal : undefined
}
