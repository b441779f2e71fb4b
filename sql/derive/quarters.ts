/** The quarter-end `count` quarters before a date, in SQL. */
import { quotedAll } from '../quoted.ts'
export const quarterBeforeSql = (date: string, count: number): string =>
  `toLastDayOfMonth(subtractQuarters(${date}, ${count}))`

const isoDate = /^\d{4}-\d{2}-\d{2}$/

/** ISO dates as a list of SQL. */
export function dates(list: readonly string[]): string {
  const wrong = list.find((one) => !isoDate.test(one))
  if (wrong !== undefined) throw new RangeError(`quarter ${wrong}: expected a date, as in 2019-09-30`)
  return quotedAll(list)
}
