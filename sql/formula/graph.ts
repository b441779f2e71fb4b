import { quarterOf, quartersBefore } from '../quarter.ts'
import type { Comparison, Value, ValueType } from './ast.ts'

/**
 * The core that formulas are lowered to: few operators, no periods (each leaf has its offset in quarters), no
 * functions of the guide. Nodes are immutable and unique: equal expressions are the same object.
 */
export type Operator =
  | 'constant'
  | 'item' // value: MDRM code, offset
  | 'form' // the form filed, as a number
  | 'end-date' // the report date, offset quarters back
  | 'month' // month of that date
  | 'month-of' // month of any date
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide' // NULL by zero
  | 'negate'
  | 'absolute'
  | 'round' // decimals in the second argument, a constant
  | 'power'
  | 'exponential' // NULL where it is no finite number
  | 'logarithm' // likewise
  | 'least'
  | 'greatest'
  | 'number' // boolean to 1 or 0
  | Comparison
  | 'and'
  | 'or'
  | 'not'
  | 'if'
  | 'coalesce'
  | 'is-null'
  | 'sum-of'
  | 'mean-of' // of those present; NULL where the first is absent

export interface Core {
  id: number
  op: Operator
  args: readonly Core[]
  type: ValueType
  /** Whether it can be NULL. */
  nullable: boolean
  value: Value
  offset: number
}

/**
 * Makes core nodes, simplifying as it goes: constants fold, branches that cannot be taken are dropped. So does what is the
 * same at each of the report dates, where they are known.
 */
export class Graph {
  private readonly unique = new Map<string, Core>()
  private readonly dates: readonly string[]

  /** @param dates report dates that the values are wanted for, of one quarter of the year; none: of any date */
  constructor(dates: readonly string[] = []) {
    this.dates = dates
  }

  /** The report date some quarters back. */
  endDate(offset: number): Core {
    return this.dates.length === 1
      ? this.constant(quartersBefore(this.dates[0]!, offset), 'date')
      : this.leaf('end-date', 'date', offset)
  }

  /** The quarter of the year some quarters back, 1 to 4; undefined where it is that of the row. */
  quarter(offset: number): number | undefined {
    return this.dates[0] === undefined ? undefined : quarterOf(quartersBefore(this.dates[0], offset))
  }

  constant(value: Value, type: ValueType): Core {
    return this.node('constant', type, value === null, [], value)
  }

  null(type: ValueType): Core {
    return this.constant(null, type)
  }

  leaf(
    op: 'item' | 'form' | 'end-date' | 'month',
    type: ValueType,
    offset: number,
    code: string | null = null,
  ): Core {
    return this.node(op, type, op === 'item' || op === 'form', [], code, offset)
  }

  arithmetic(op: 'add' | 'subtract' | 'multiply' | 'divide' | 'power', left: Core, right: Core): Core {
    const [a, b] = [left.value, right.value]
    if (isConstant(left) && isConstant(right)) {
      if (typeof a !== 'number' || typeof b !== 'number') return this.null('number')
      if (op === 'divide' && b === 0) return this.null('number')
      const result = { add: a + b, subtract: a - b, multiply: a * b, divide: a / b, power: a ** b }[op]
      if (Number.isFinite(result)) return this.constant(result, 'number')
    }
    if (isNull(left) || isNull(right)) return this.null('number')
    if (op === 'divide' && isConstant(right) && right.value === 0) return this.null('number')
    const mayFail = op === 'power' || (op === 'divide' && !isConstant(right))
    return this.node(op, 'number', mayFail || left.nullable || right.nullable, [left, right])
  }

  unary(
    op: 'negate' | 'absolute' | 'number' | 'month-of' | 'exponential' | 'logarithm',
    operand: Core,
  ): Core {
    const mayFail = op === 'exponential' || op === 'logarithm'
    if (isConstant(operand)) {
      const v = operand.value
      if (v === null) return this.null('number')
      if (mayFail) {
        const result = op === 'exponential' ? Math.exp(v as number) : Math.log(v as number)
        return Number.isFinite(result) ? this.constant(result, 'number') : this.null('number')
      }
      if (op === 'negate') return this.constant(-(v as number), 'number')
      if (op === 'absolute') return this.constant(Math.abs(v as number), 'number')
      if (op === 'month-of') return this.constant(Number(String(v).slice(5, 7)), 'number')
      return this.constant(v ? 1 : 0, 'number')
    }
    if (op === 'month-of' && operand.op === 'end-date') {
      const quarter = this.quarter(operand.offset)
      return quarter === undefined
        ? this.leaf('month', 'number', operand.offset % 4)
        : this.constant(3 * quarter, 'number')
    }
    return this.node(op, 'number', mayFail || operand.nullable, [operand])
  }

  round(operand: Core, decimals: number): Core {
    if (isNull(operand)) return operand
    return this.node('round', 'number', operand.nullable, [operand, this.constant(decimals, 'number')])
  }

  extreme(op: 'least' | 'greatest', args: readonly Core[]): Core {
    if (args.some(isNull)) return this.null('number')
    return args.length === 1
      ? args[0]!
      : this.node(
          op,
          'number',
          args.some((a) => a.nullable),
          args,
        )
  }

  compare(op: Comparison, left: Core, right: Core): Core {
    if (isNull(left) || isNull(right)) return this.null('boolean')
    if (isConstant(left) && isConstant(right))
      return this.constant(holds(op, left.value!, right.value!), 'boolean')
    const always = this.atEveryDate(op, left, right)
    if (always !== undefined) return this.constant(always, 'boolean')
    return this.node(op, 'boolean', left.nullable || right.nullable, [left, right])
  }

  /** Whether a comparison of the report date holds, where it does or does not at all dates alike. */
  private atEveryDate(op: Comparison, left: Core, right: Core): boolean | undefined {
    const at = (node: Core, date: string) =>
      node.op === 'end-date' ? quartersBefore(date, node.offset) : isConstant(node) ? node.value! : undefined
    const found = this.dates.map((date) => {
      const [a, b] = [at(left, date), at(right, date)]
      return a === undefined || b === undefined ? undefined : holds(op, a, b)
    })
    return found.every((one) => one === found[0]) ? found[0] : undefined
  }

  /** Three-valued: FALSE decides AND, TRUE decides OR, whatever the other side. */
  logical(op: 'and' | 'or', left: Core, right: Core): Core {
    const decides = op === 'or'
    if (isConstant(left) && left.value !== null) return left.value === decides ? left : right
    if (isConstant(right) && right.value !== null) return right.value === decides ? right : left
    if (left === right) return left
    return this.node(op, 'boolean', left.nullable || right.nullable, [left, right])
  }

  not(operand: Core): Core {
    if (isConstant(operand))
      return operand.value === null ? operand : this.constant(!operand.value, 'boolean')
    return operand.op === 'not' ? operand.args[0]! : this.node('not', 'boolean', operand.nullable, [operand])
  }

  /** A NULL condition takes the second branch. */
  if(condition: Core, then: Core, otherwise: Core): Core {
    if (isConstant(condition)) return condition.value === true ? then : otherwise
    if (then === otherwise) return then
    return this.node('if', then.type, then.nullable || otherwise.nullable, [condition, then, otherwise])
  }

  coalesce(args: readonly Core[]): Core {
    const useful: Core[] = []
    for (const arg of args) {
      if (isNull(arg) || useful.includes(arg)) continue
      useful.push(arg)
      if (!arg.nullable) break
    }
    if (useful.length === 0) return args[0]!
    if (useful.length === 1) return useful[0]!
    return this.node('coalesce', useful[0]!.type, useful.at(-1)!.nullable, useful)
  }

  isNull(operand: Core): Core {
    if (isConstant(operand)) return this.constant(operand.value === null, 'boolean')
    return operand.nullable
      ? this.node('is-null', 'boolean', false, [operand])
      : this.constant(false, 'boolean')
  }

  sumOf(args: readonly Core[]): Core {
    const useful = args.filter((a) => !isNull(a))
    if (useful.length === 0) return this.null('number')
    if (useful.length === 1) return useful[0]!
    return this.node(
      'sum-of',
      'number',
      useful.every((a) => a.nullable),
      useful,
    )
  }

  meanOf(args: readonly Core[]): Core {
    if (isNull(args[0]!)) return args[0]!
    const useful = args.filter((a) => !isNull(a))
    return useful.length === 1 ? useful[0]! : this.node('mean-of', 'number', useful[0]!.nullable, useful)
  }

  private node(
    op: Operator,
    type: ValueType,
    nullable: boolean,
    args: readonly Core[],
    value: Value = null,
    offset = 0,
  ): Core {
    const identity = `${op}|${type}|${offset}|${typeof value}|${Object.is(value, -0) ? '-0' : value}|${args.map((a) => a.id).join()}`
    const known = this.unique.get(identity)
    if (known) return known
    const made: Core = { id: this.unique.size, op, args, type, nullable, value, offset }
    this.unique.set(identity, made)
    return made
  }
}

const isConstant = (node: Core) => node.op === 'constant'
export const isNull = (node: Core) => node.op === 'constant' && node.value === null

/** Dates are ISO text here, so that text order is date order. */
function holds(op: Comparison, a: NonNullable<Value>, b: NonNullable<Value>): boolean {
  switch (op) {
    case '=':
      return a === b
    case '<>':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}
