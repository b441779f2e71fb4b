import { suggest } from '../suggest.ts'
import type { Expr, ExprOf, Formula, Namespace, Value, ValueType } from './ast.ts'
import { FormulaError, placeOf } from './errors.ts'
import { functionNamed, type Parameter } from './functions.ts'
import { isOfGuide } from './guide.ts'
import { itemsOf } from './items.ts'
import { parse } from './parser.ts'

/** A literal NULL takes any type. */
export type CheckedType = ValueType | 'null'

export interface CheckedFormula extends Formula {
  expr: Expr
  type: ValueType
  /** The type of each node of the tree. */
  types: ReadonlyMap<Expr, CheckedType>
}

export interface CheckOptions {
  formulas: Iterable<Formula>
  /** Keys to check, with all that they depend on; default: every formula. */
  outputs?: readonly string[]
  /** Whether a code is a known MDRM item. */
  items: (mdrm: string) => boolean
}

/**
 * Parses and types the wanted formulas and all that they refer to, each after those it depends on. Throws
 * FormulaError: syntax, unknown item or formula, cycle (with its path), type, each with key and place.
 */
export function check(options: CheckOptions): Map<string, CheckedFormula> {
  const { sources, visit, done } = walk(options)
  for (const key of options.outputs ?? sources.keys()) visit(key)
  return done
}

/** The same for a list that may have faults: what is sound, and why each other formula cannot be computed. */
export function checkEach(options: CheckOptions): {
  checked: Map<string, CheckedFormula>
  failed: Map<string, FormulaError>
} {
  const { sources, visit, done, failed } = walk(options)
  for (const key of options.outputs ?? sources.keys()) {
    try {
      visit(key)
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error
    }
  }
  return { checked: done, failed }
}

function walk(options: CheckOptions) {
  const sources = new Map<string, string>()
  for (const { key, source } of options.formulas) {
    if (sources.has(key)) throw new FormulaError('unknown', 'declared twice: a key names one formula', key)
    sources.set(key, source)
  }
  const done = new Map<string, CheckedFormula>()
  const failed = new Map<string, FormulaError>()
  const path: string[] = []

  const visit = (key: string, from?: { in: string; source: string; offset: number }): CheckedFormula => {
    const ready = done.get(key)
    if (ready) return ready
    const place = from ? placeOf(from.source, from.offset) : undefined
    const fault = failed.get(key)
    if (fault) throw new FormulaError(fault.code, `rests on ${key}: ${fault.reason}`, from?.in, place)
    const source = sources.get(key)
    if (source === undefined) {
      throw new FormulaError('unknown', `unknown ${nameOf(key)}${nearest(key, sources)}`, from?.in, place)
    }
    if (path.includes(key)) {
      const cycle = [...path.slice(path.indexOf(key)), key].join(' → ')
      throw new FormulaError('cycle', `depends on itself: ${cycle}`, from?.in, place)
    }
    path.push(key)
    try {
      const expr = parse(source, key)
      const checker = new Checker(key, source, options.items, (space, code, offset) => {
        return visit(`${space}:${code}`, { in: key, source, offset }).type
      })
      const type = checker.type(expr)
      const checked = {
        key,
        source,
        expr,
        type: type === 'null' ? 'number' : type,
        types: checker.types,
      } as const
      done.set(key, checked)
      return checked
    } catch (error) {
      if (error instanceof FormulaError) failed.set(key, error)
      throw error
    } finally {
      path.pop()
    }
  }
  return { sources, visit, done, failed }
}

class Checker {
  readonly types = new Map<Expr, CheckedType>()
  private readonly key: string
  private readonly source: string
  private readonly items: (mdrm: string) => boolean
  private readonly formulaType: (space: Namespace, code: string, offset: number) => ValueType

  constructor(
    key: string,
    source: string,
    items: (mdrm: string) => boolean,
    formulaType: (space: Namespace, code: string, offset: number) => ValueType,
  ) {
    this.key = key
    this.source = source
    this.items = items
    this.formulaType = formulaType
  }

  type(expr: Expr): CheckedType {
    const type = this.infer(expr)
    this.types.set(expr, type)
    return type
  }

  private infer(expr: Expr): CheckedType {
    switch (expr.kind) {
      case 'literal':
        return expr.type
      case 'context':
        return expr.name === 'end-date' ? 'date' : 'number'
      case 'reference':
        return this.referenceType(expr)
      case 'series':
        return this.fail(
          expr,
          `#${expr.space}:${expr.code} names a series: expected a value, as in ${expr.space}:${expr.code}[P0]`,
        )
      case 'negate':
        this.expectType(expr.operand, 'number', "after '-'")
        return 'number'
      case 'not':
        this.expectType(expr.operand, 'boolean', 'after NOT')
        return 'boolean'
      case 'and':
      case 'or':
        this.expectType(expr.left, 'boolean', `before ${expr.kind.toUpperCase()}`)
        this.expectType(expr.right, 'boolean', `after ${expr.kind.toUpperCase()}`)
        return 'boolean'
      case 'arithmetic':
        this.expectType(expr.left, 'number', `before '${expr.operator}'`)
        this.expectType(expr.right, 'number', `after '${expr.operator}'`)
        return 'number'
      case 'comparison': {
        const type = this.common([expr.left, expr.right], `of '${expr.operator}'`)
        if (type === 'boolean' && expr.operator !== '=' && expr.operator !== '<>') {
          this.fail(expr, `'${expr.operator}' between booleans: expected = or <>`)
        }
        return 'boolean'
      }
      case 'call':
        return this.call(expr)
    }
  }

  private referenceType(expr: ExprOf<'reference'> | ExprOf<'series'>): ValueType {
    if (expr.space !== 'cc') return this.formulaType(expr.space, expr.code, expr.offset)
    const candidates = itemsOf(expr.code)
    if (!candidates.some(this.items))
      this.fail(expr, `unknown MDRM item ${candidates.join(' or ')}`, 'unknown')
    return 'number'
  }

  private call(expr: ExprOf<'call'>): CheckedType {
    const signature = functionNamed(expr.name)!
    const { parameters } = signature
    const least = parameters.length - (signature.optional ?? 0)
    if (expr.args.length < least || (expr.args.length > parameters.length && !signature.variadic)) {
      const expected = signature.variadic
        ? `${least} or more`
        : least < parameters.length
          ? `${least} or ${parameters.length}`
          : `${least}`
      this.fail(expr, `${signature.name} has ${expr.args.length} arguments, expected ${expected}`)
    }
    const any: Expr[] = []
    expr.args.forEach((argument, i) => {
      const parameter = parameters[Math.min(i, parameters.length - 1)]!
      if (parameter === 'any') any.push(argument)
      else this.argument(argument, parameter, `as argument ${i + 1} of ${signature.name}`)
    })
    const common = any.length ? this.common(any, `of ${signature.name}`) : 'null'
    return signature.returns === 'any' ? common : signature.returns
  }

  private argument(argument: Expr, parameter: Parameter, where: string): void {
    if (parameter === 'series') {
      if (argument.kind !== 'series') this.fail(argument, `expected a series (#uc:…, #cc:… or #m:…) ${where}`)
      const type = this.referenceType(argument)
      if (type !== 'number') this.fail(argument, `${type} ${where}, expected a series of numbers`)
      this.types.set(argument, 'number')
    } else if (parameter === 'count') {
      const value = argument.kind === 'literal' ? argument.value : null
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 40) {
        this.fail(argument, `expected a whole number from 0 to 40 ${where}`)
      }
      this.types.set(argument, 'number')
    } else {
      this.expectType(argument, parameter as ValueType, where)
    }
  }

  /**
   * Booleans count as 1 and 0 among numbers, and quoted digits are a number where a number is wanted (`'0'`). A number
   * as a condition, true unless 0, is the guide's own slip (UBPRD632): taken in its concepts, refused in ours.
   */
  private expectType(expr: Expr, wanted: ValueType, where: string): void {
    const type = this.type(expr)
    if (type === wanted || type === 'null') return
    if (wanted === 'number' && (type === 'boolean' || isNumericText(expr))) return
    if (wanted === 'boolean' && type === 'number' && isOfGuide(this.key)) return
    this.fail(expr, `${type} ${where}, expected ${wanted}`)
  }

  /** The type in which these values meet. */
  private common(exprs: readonly Expr[], where: string): CheckedType {
    const types = exprs.map((e) => this.type(e))
    const named = [...new Set(types)].filter((t) => t !== 'null')
    if (named.length === 0) return 'null'
    if (named.length === 1) return named[0]!
    const numeric = exprs.every(
      (e, i) => types[i] === 'null' || types[i] === 'number' || types[i] === 'boolean' || isNumericText(e),
    )
    if (numeric && named.includes('number')) return 'number'
    const odd = exprs[types.findIndex((t) => t !== 'null' && t !== named[0])]!
    return this.fail(odd, `${named.join(' and ')} as values ${where}, expected one type`)
  }

  private fail(expr: Expr, reason: string, code: 'type' | 'unknown' = 'type'): never {
    throw new FormulaError(code, reason, this.key, placeOf(this.source, expr.offset))
  }
}

/** Whether an expression is quoted text that reads as a number. */
function isNumericText(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.type === 'text' && isNumeric(expr.value)
}

export function isNumeric(value: Value): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
}

function nameOf(key: string): string {
  if (key.startsWith('m:')) return `metric ${key}`
  return key.startsWith('uc:') ? `UBPR concept ${key}` : `formula ${key}: keys begin with m: or uc:`
}

/** A hint at a key that differs in case or by a slip, if there is one. */
function nearest(key: string, sources: ReadonlyMap<string, string>): string {
  if (!key.startsWith('m:')) return ''
  const close = suggest(key, sources.keys())
  return close ? `, did you mean ${close}?` : ''
}
