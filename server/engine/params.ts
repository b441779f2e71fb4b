/**
 * A value as ClickHouse reads the parameter `param_<name>` of a typed placeholder `{name:Type}`: the text form of
 * the TSV format, in which a backslash escapes. Arrays are written as `['a','b',NULL]`.
 * @throws TypeError for what has no such form (objects, functions, symbols, undefined).
 */
export function formatParam(value: unknown): string {
  return format(value, false)
}

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
}

function format(value: unknown, inArray: boolean): string {
  switch (typeof value) {
    case 'string': {
      const escaped = value.replace(/[\\'\t\n\r\0]/g, (character) => ESCAPES[character]!)
      return inArray ? `'${escaped}'` : escaped
    }
    case 'number':
      if (Number.isNaN(value)) return 'nan'
      return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf'
    case 'bigint':
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return inArray ? 'NULL' : '\\N'
      if (Array.isArray(value)) return `[${value.map((one) => format(one, true)).join(',')}]`
  }
  throw new TypeError(`a query parameter cannot be ${typeof value === 'object' ? 'an object' : typeof value}`)
}
