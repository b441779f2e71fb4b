import { quarterOf, quartersBefore } from '../quarter.ts'
import type { Expr, ExprOf, Formula, Value } from './ast.ts'
import { type CheckedFormula, check, isNumeric } from './check.ts'
import { guideFactorDecimals, isOfGuide } from './guide.ts'
import { itemsOf } from './items.ts'

/** One filing and those before it, as the interpreter asks for them. */
export interface FilingValues {
  /** Quarter-end, ISO text. */
  reportDate: string
  /** The item's value in the filing `offset` quarters back; null or undefined where there is none. */
  item: (mdrm: string, offset: number) => number | null | undefined
  /** `'031'`, `'041'`, `'051'`; null where there was no filing then. */
  form?: (offset: number) => string | null
}

/**
 * The language row by row: walks the tree as written, knows nothing of plans or SQL. Returns a function of a formula's
 * key and a filing; values are memoised for as long as the same filing object is given.
 */
export function interpreter(
  formulas: Iterable<Formula>,
  items: (mdrm: string) => boolean = () => true,
): (key: string, filing: FilingValues) => Value {
  const checked = check({ formulas, items })
  let current: FilingValues | undefined
  let evaluation: Evaluation
  return (key, filing) => {
    if (filing !== current) {
      current = filing
      evaluation = new Evaluation(checked, filing)
    }
    const value = evaluation.formula(key, 0)
    return typeof value === 'number' && !Number.isFinite(value) ? null : value
  }
}

class Evaluation {
  private readonly formulas: ReadonlyMap<string, CheckedFormula>
  private readonly filing: FilingValues
  private readonly memo = new Map<string, Value>()
  /** The formula that is being worked out. */
  private key = ''

  constructor(formulas: ReadonlyMap<string, CheckedFormula>, filing: FilingValues) {
    this.formulas = formulas
    this.filing = filing
  }

  formula(key: string, offset: number): Value {
    const id = `${offset} ${key}`
    let value = this.memo.get(id)
    if (value === undefined) {
      const formula = this.formulas.get(key)
      if (!formula) throw new Error(`no formula ${key}`)
      const within = this.key
      this.key = key
      value = this.value(formula.expr, offset)
      this.key = within
      if (formula.type === 'number') value = toNumber(value)
      this.memo.set(id, value)
    }
    return value
  }

  private value(expr: Expr, offset: number): Value {
    switch (expr.kind) {
      case 'literal':
        return expr.value
      case 'reference':
        return this.reference(expr, this.back(expr, offset))
      case 'context':
        return this.context(expr.name, offset)
      case 'negate': {
        const v = this.number(expr.operand, offset)
        return v === null ? null : -v
      }
      case 'not': {
        const v = this.boolean(expr.operand, offset)
        return v === null ? null : !v
      }
      case 'and': {
        const [a, b] = [this.boolean(expr.left, offset), this.boolean(expr.right, offset)]
        if (a === false || b === false) return false
        return a === null || b === null ? null : true
      }
      case 'or': {
        const [a, b] = [this.boolean(expr.left, offset), this.boolean(expr.right, offset)]
        if (a === true || b === true) return true
        return a === null || b === null ? null : false
      }
      case 'arithmetic':
        return calculate(expr.operator, this.number(expr.left, offset), this.number(expr.right, offset))
      case 'comparison':
        return compare(expr.operator, this.value(expr.left, offset), this.value(expr.right, offset))
      case 'call':
        return this.call(expr, offset)
      case 'series':
        throw new Error('a series has no value of its own')
    }
  }

  private call(expr: ExprOf<'call'>, offset: number): Value {
    const { args } = expr
    const value = (i: number) => this.value(args[i]!, offset)
    const number = (i: number) => this.number(args[i]!, offset)
    const count = () => (args[1]?.kind === 'literal' ? Number(args[1].value) : 0)
    const series = (back: number) => toNumber(this.reference(args[0] as ExprOf<'series'>, offset + back))
    const ratio = (...scales: (number | null)[]) =>
      scales.reduce<number | null>((r, s) => calculate('*', r, s), calculate('/', number(0), number(1)))
    switch (expr.name) {
      case 'IF':
        return this.boolean(args[0]!, offset) === true ? value(1) : value(2)
      case 'ExistingOf':
        return args.map((_, i) => value(i)).find((v) => v !== null) ?? null
      case 'ExistsNonNil':
        return value(0) !== null
      case 'IsNil':
        return value(0) === null
      case 'IN': {
        const matches = args.slice(1).map((_, i) => compare('=', value(0), value(i + 1)))
        return matches.includes(true) ? true : matches.includes(null) ? null : false
      }
      case 'ABS': {
        const v = number(0)
        return v === null ? null : Math.abs(v)
      }
      case 'ROUND':
        return round(number(0), count())
      case 'PCT':
        return ratio()
      case 'PCTOF':
        return ratio(100)
      case 'PCTANN':
        return ratio(this.annualisation(offset))
      case 'PCTOFANN':
        return ratio(100, this.annualisation(offset))
      case 'CHANGEYI':
      case 'CHANGEQI': {
        const then = series(count() * (expr.name === 'CHANGEYI' ? 4 : 1))
        return calculate('*', calculate('/', calculate('-', series(0), then), then), 100)
      }
      case 'CHANGEYA':
      case 'CHANGEQA': {
        const then = series(count() * (expr.name === 'CHANGEYA' ? 4 : 1))
        const size = then === null ? null : Math.abs(then)
        return calculate('*', calculate('/', calculate('-', series(0), then), size), 100)
      }
      case 'CAVG02X':
        return mean([series(0), series(1)])
      case 'CAVG04X':
        return mean(Array.from({ length: this.quarter(offset) }, (_, i) => series(i)))
      case 'CAVG05X':
        return mean(Array.from({ length: this.quarter(offset) + 1 }, (_, i) => series(i)))
      case 'MonthOf':
        return monthOf(value(0))
      case 'SUMOF': {
        const present = args.map((_, i) => number(i)).filter((v) => v !== null)
        return present.length ? present.reduce((a, b) => a + b) : null
      }
      case 'MIN':
      case 'MAX': {
        const numbers = args.map((_, i) => number(i))
        if (numbers.includes(null)) return null
        return (numbers as number[]).reduce((a, b) => ((expr.name === 'MIN' ? b < a : b > a) ? b : a))
      }
      case 'POWER': {
        const [a, b] = [number(0), number(1)]
        return a === null || b === null ? null : finite(a ** b)
      }
      case 'EXP':
      case 'LN': {
        const a = number(0)
        return a === null ? null : finite(expr.name === 'EXP' ? Math.exp(a) : Math.log(a))
      }
      case 'QUARTER':
        return this.quarter(offset) === 1 ? series(0) : calculate('-', series(0), series(1))
      case 'TTM': {
        const quarter = this.quarter(offset)
        return quarter === 4
          ? series(0)
          : calculate('-', calculate('+', series(0), series(quarter)), series(4))
      }
      default:
        throw new Error(`function ${expr.name} is declared but not interpreted`)
    }
  }

  private reference(reference: { space: string; code: string }, offset: number): Value {
    if (reference.space !== 'cc') return this.formula(`${reference.space}:${reference.code}`, offset)
    for (const item of itemsOf(reference.code)) {
      const value = this.filing.item(item, offset)
      if (value !== null && value !== undefined) return value
    }
    return null
  }

  private back({ period }: ExprOf<'reference'>, offset: number): number {
    if (period.unit === 'quarter') return offset + period.count
    return offset + this.quarter(offset) + 4 * (period.count - 1)
  }

  private context(name: ExprOf<'context'>['name'], offset: number): Value {
    if (name === 'annualisation') return this.annualisation(offset)
    if (name === 'end-date') return quartersBefore(this.filing.reportDate, offset)
    const form = this.filing.form?.(offset) ?? null
    return form === null ? null : Number(form)
  }

  private annualisation(offset: number): number {
    const factor = 12 / monthOf(quartersBefore(this.filing.reportDate, offset))!
    return isOfGuide(this.key) ? round(factor, guideFactorDecimals)! : factor
  }

  private quarter(offset: number): number {
    return quarterOf(quartersBefore(this.filing.reportDate, offset))
  }

  private boolean(expr: Expr, offset: number): boolean | null {
    const value = this.value(expr, offset)
    return typeof value === 'number' ? value !== 0 : (value as boolean | null)
  }

  private number(expr: Expr, offset: number): number | null {
    return toNumber(this.value(expr, offset))
  }
}

function toNumber(value: Value): number | null {
  if (value === null || typeof value === 'number') return value
  return Number(value)
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

function calculate(operator: '+' | '-' | '*' | '/', a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  if (operator === '*') return a * b
  return b === 0 ? null : a / b
}

function compare(operator: string, left: Value, right: Value): boolean | null {
  if (left === null || right === null) return null
  let [a, b] = [left, right]
  if (typeof a !== typeof b && [a, b].every((v) => typeof v !== 'string' || isNumeric(v))) {
    ;[a, b] = [Number(a), Number(b)]
  }
  if (operator === '=') return a === b
  if (operator === '<>') return a !== b
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

/** Of the values present; null where the first, the current one, is absent. */
function mean(values: readonly (number | null)[]): number | null {
  if (values[0] === null) return null
  const present = values.filter((v) => v !== null)
  return present.reduce((a, b) => a + b) / present.length
}

function round(value: number | null, decimals: number): number | null {
  if (value === null) return null
  const scale = 10 ** decimals
  return (Math.sign(value) * Math.floor(Math.abs(value) * scale + 0.5)) / scale
}

function monthOf(date: Value): number | null {
  return typeof date === 'string' ? Number(date.slice(5, 7)) : null
}
