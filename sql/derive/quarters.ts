/** The quarter-end `count` quarters before one, as an ISO date. */
export function quarterBefore(quarter: string, count: number): string {
  const [year, month] = quarter.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month - 3 * count, 0)).toISOString().slice(0, 10)
}

/** The same in SQL. */
export const quarterBeforeSql = (date: string, count: number): string =>
  `toLastDayOfMonth(subtractQuarters(${date}, ${count}))`

const isoDate = /^\d{4}-\d{2}-\d{2}$/

/** ISO dates as a list of SQL. */
export function dates(list: readonly string[]): string {
  const wrong = list.find((one) => !isoDate.test(one))
  if (wrong !== undefined) throw new RangeError(`quarter ${wrong}: expected a date, as in 2019-09-30`)
  return list.map((one) => `'${one}'`).join(', ')
}
