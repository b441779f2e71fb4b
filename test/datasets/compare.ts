import type { Row } from './read-back.ts'

/** The first place where two answers differ, in words; undefined where they hold the same values in the same order. */
export function difference(
  expected: readonly Row[],
  found: readonly Row[],
  options: { texts?: boolean } = {},
) {
  if (expected.length !== found.length) return `${found.length} rows, not ${expected.length}`
  for (const [place, row] of expected.entries()) {
    const other = found[place]!
    const names = Object.keys(row)
    if (names.join() !== Object.keys(other).join())
      return `row ${place}: columns ${Object.keys(other)}, not ${names}`
    for (const name of names) {
      const same = options.texts
        ? asText(row[name]) === asText(other[name], row[name])
        : equal(row[name], other[name])
      if (!same)
        return `row ${place}, ${name}: ${JSON.stringify(other[name])}, not ${JSON.stringify(row[name])}`
    }
  }
  return undefined
}

function equal(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => equal(one, b[at]))
  if (typeof a === 'string' && typeof b === 'string') return a === b || instant(a) === instant(b)
  if (typeof a === 'object' && typeof b === 'object' && a && b) {
    return difference([a as Row], [b as Row]) === undefined
  }
  return a === b
}

/** JSON writes `2019-09-30` and `2019-09-30T12:00:00Z`; Parquet and Arrow hold points in time. */
function instant(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return text
  const time = new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
  return Number.isNaN(time.getTime()) ? text : time.toISOString()
}

/** A value as CSV writes it; numbers by value, as 1e21 and 1000 have several spellings. */
function asText(value: unknown, like: unknown = value): string {
  if (value === null || value === '') return ''
  if (typeof like === 'number') return String(Number(value))
  if (Array.isArray(value))
    return `[${value.map((one) => (typeof one === 'string' ? `'${one}'` : one)).join(',')}]`
  return String(value)
}
