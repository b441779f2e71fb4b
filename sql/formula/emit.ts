import type { Core } from './graph.ts'

export interface EmitContext {
  /** Columns that hold the value of a node. */
  names: ReadonlyMap<Core, string>
  /** Position from 1 of an item in the value arrays; undefined where no filing has it. */
  position: (item: string) => number | undefined
}

const infix: Partial<Record<Core['op'], string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  '=': '=',
  '<>': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

/** ClickHouse SQL of one node, over named columns and the input arrays. Numbers are Float64, booleans UInt8. */
export function emit(node: Core, context: EmitContext, root = false): string {
  const name = root ? undefined : context.names.get(node)
  if (name) return name
  const args = () => node.args.map((a) => emit(a, context))
  const operator = infix[node.op]
  if (operator) return `(${args().join(` ${operator} `)})`
  switch (node.op) {
    case 'constant':
      return literal(node)
    case 'item': {
      const position = context.position(String(node.value))
      return position === undefined ? literal({ ...node, value: null }) : `p${node.offset}[${position}]`
    }
    case 'form':
      return `toFloat64OrNull(form${node.offset})`
    case 'end-date':
      return `toDate32(${endDate(node.offset)})`
    case 'month':
      return `toFloat64(toMonth(${endDate(node.offset)}))`
    case 'month-of':
      return `toFloat64(toMonth(${args()[0]}))`
    case 'divide': {
      const [left, right] = args()
      const divisor = node.args[1]!
      return divisor.op === 'constant' ? `(${left} / ${right})` : `(${left} / nullIf(${right}, 0.0))`
    }
    case 'negate':
      return `(-${args()[0]})`
    case 'absolute':
      return `abs(${args()[0]})`
    case 'number':
      return `toFloat64(${args()[0]})`
    case 'round': {
      const [value, decimals] = [args()[0], `${10 ** Number(node.args[1]!.value)}.0`]
      return `(sign(${value}) * floor(abs(${value}) * ${decimals} + 0.5) / ${decimals})`
    }
    case 'power': {
      const power = `pow(${args().join(', ')})`
      return `if(isFinite(${power}), ${power}, NULL)`
    }
    case 'exponential':
    case 'logarithm': {
      const value = `${node.op === 'exponential' ? 'exp' : 'log'}(${args()[0]})`
      return `if(isFinite(${value}), ${value}, NULL)`
    }
    case 'least':
    case 'greatest':
      return extreme(node, args())
    case 'not':
      return `(NOT ${args()[0]})`
    case 'if':
      return `if(${args().join(', ')})`
    case 'coalesce':
      return `coalesce(${args().join(', ')})`
    case 'and':
    case 'or':
      return kleene(node, args())
    case 'is-null':
      return `isNull(${args()[0]})`
    case 'sum-of': {
      const sum = `(${args().join(' + ')})`
      const filled = node.args.map((a, i) => orZero(a, args()[i]!)).join(' + ')
      if (!node.args.some((a) => a.nullable)) return sum
      return node.nullable ? `if(${allNull(args())}, NULL, ${filled})` : `(${filled})`
    }
    case 'mean-of': {
      const filled = node.args.map((a, i) => orZero(a, args()[i]!)).join(' + ')
      const count = node.args.map((a, i) => (a.nullable ? `isNotNull(${args()[i]})` : '1')).join(' + ')
      const mean = `(${filled}) / (${count})`
      return node.nullable ? `if(isNull(${args()[0]}), NULL, ${mean})` : `(${mean})`
    }
    default:
      throw new Error(`core operator ${node.op} has no SQL`)
  }
}

/** The quarter-end some quarters back: the last day of its month, as 30 June less a quarter is 30 March. */
function endDate(offset: number): string {
  return offset === 0 ? 'report_date' : `toLastDayOfMonth(subtractQuarters(report_date, ${offset}))`
}

const allNull = (args: readonly string[]) => `isNull(coalesce(${args.join(', ')}))`
const orZero = (node: Core, sql: string) => (node.nullable ? `ifNull(${sql}, 0.0)` : sql)

/**
 * AND is the least and OR the greatest of false, absent, true. ClickHouse's own `and` and `or` would say the same, but its
 * analyzer looks for what to simplify around each of them by hashing all that lies below, a whole plan at a time.
 */
function kleene(node: Core, args: readonly string[]): string {
  if (!node.nullable) return `bit${node.op === 'and' ? 'And' : 'Or'}(${args.join(', ')})`
  const ranks = args.map((a, i) => (node.args[i]!.nullable ? `ifNull(${a} * 2, 1)` : `(${a} * 2)`))
  return `(nullIf(${node.op === 'and' ? 'least' : 'greatest'}(${ranks.join(', ')}), 1) > 1)`
}

/** Folded in pairs: ClickHouse's own least and greatest pass over NULLs, ours do not. */
function extreme(node: Core, args: readonly string[]): string {
  const better = node.op === 'least' ? '<' : '>'
  const picked = args.reduce((best, next) => `if(${next} ${better} ${best}, ${next}, ${best})`)
  const absent = args.filter((_, i) => node.args[i]!.nullable)
  return absent.length ? `if(isNull(${absent.join(' + ')}), NULL, ${picked})` : picked
}

function literal(node: Core): string {
  const { value, type } = node
  if (value === null) {
    return {
      number: 'CAST(NULL AS Nullable(Float64))',
      boolean: 'CAST(NULL AS Nullable(UInt8))',
      text: 'CAST(NULL AS Nullable(String))',
      date: 'CAST(NULL AS Nullable(Date32))',
    }[type]
  }
  if (typeof value === 'boolean') return value ? 'toUInt8(1)' : 'toUInt8(0)'
  if (typeof value === 'number') {
    const digits =
      Number.isInteger(value) && Math.abs(value) < 1e21
        ? `${Object.is(value, -0) ? '-0' : value}.0`
        : String(value)
    return digits.startsWith('-') ? `(${digits})` : digits
  }
  const quoted = `'${value.replace(/[\\']/g, '\\$&')}'`
  return type === 'date' ? `toDate32(${quoted})` : quoted
}
