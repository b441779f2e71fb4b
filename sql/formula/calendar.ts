/** Report dates are quarter-ends, ISO text. */
export function isQuarterEnd(date: string): boolean {
  return /^\d{4}-(03-31|06-30|09-30|12-31)$/.test(date)
}

/** The quarter-end `count` quarters before. */
export function quartersBefore(date: string, count: number): string {
  const quarters = Number(date.slice(0, 4)) * 4 + quarterOf(date) - 1 - count
  const ends = ['03-31', '06-30', '09-30', '12-31']
  return `${String(Math.floor(quarters / 4)).padStart(4, '0')}-${ends[quarters - Math.floor(quarters / 4) * 4]}`
}

/** 1 to 4. */
export function quarterOf(date: string): number {
  return Math.ceil(Number(date.slice(5, 7)) / 3)
}
