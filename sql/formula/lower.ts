import type { Expr, ExprOf, Period, ValueType } from './ast.ts'
import type { CheckedFormula } from './check.ts'
import { type Core, Graph } from './graph.ts'
import { guideFactorDecimals, isOfGuide } from './guide.ts'
import { itemsOf } from './items.ts'

const arithmetic = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' } as const

/**
 * Lowers checked formulas to core nodes. A formula at offset k is its tree with every period k quarters further back.
 * With report dates, what depends on the calendar alone and is the same at each becomes a constant.
 */
export class Lowering {
  readonly graph: Graph
  private readonly formulas: ReadonlyMap<string, CheckedFormula>
  private readonly known: (mdrm: string) => boolean
  private readonly memo = new Map<string, Core>()

  constructor(
    formulas: ReadonlyMap<string, CheckedFormula>,
    known: (mdrm: string) => boolean,
    reportDates: readonly string[] = [],
  ) {
    this.formulas = formulas
    this.known = known
    this.graph = new Graph(reportDates)
  }

  /** The core of a formula, `offset` quarters back. */
  formula(key: string, offset: number): Core {
    const id = `${key}@${offset}`
    const ready = this.memo.get(id)
    if (ready) return ready
    const formula = this.formulas.get(key)!
    const core = this.as(formula, formula.expr, formula.type, offset)
    this.memo.set(id, core)
    return core
  }

  /** Which formula, how far back, each core is the value of: the first where several are equal. */
  named(): Map<Core, { key: string; offset: number }> {
    const names = new Map<Core, { key: string; offset: number }>()
    for (const [id, core] of this.memo) {
      const at = id.lastIndexOf('@')
      if (!names.has(core)) names.set(core, { key: id.slice(0, at), offset: Number(id.slice(at + 1)) })
    }
    return names
  }

  /** A tree in the type its context wants: booleans as 1 and 0, quoted digits as a number, NULL as any. */
  private as(formula: CheckedFormula, expr: Expr, wanted: ValueType, offset: number): Core {
    const type = formula.types.get(expr)
    if (type === 'null' && expr.kind === 'literal') return this.graph.null(wanted)
    if (wanted === 'number' && expr.kind === 'literal' && type === 'text') {
      return this.graph.constant(Number(expr.value), 'number')
    }
    const core = this.lower(formula, expr, offset, wanted)
    if (wanted === 'number' && core.type === 'boolean') return this.graph.unary('number', core)
    if (wanted === 'boolean' && core.type === 'number')
      return this.graph.compare('<>', core, this.graph.constant(0, 'number'))
    return core
  }

  private lower(formula: CheckedFormula, expr: Expr, offset: number, wanted: ValueType): Core {
    const { graph } = this
    const number = (e: Expr) => this.as(formula, e, 'number', offset)
    const boolean = (e: Expr) => this.as(formula, e, 'boolean', offset)
    switch (expr.kind) {
      case 'literal':
        return graph.constant(expr.value, expr.type === 'null' ? wanted : expr.type)
      case 'reference':
        return this.period(expr.period, offset, (at) => this.at(expr, at))
      case 'context':
        if (expr.name === 'form') return graph.leaf('form', 'number', offset)
        if (expr.name === 'end-date') return graph.endDate(offset)
        return this.annualisation(formula, offset)
      case 'negate':
        return graph.unary('negate', number(expr.operand))
      case 'not':
        return graph.not(boolean(expr.operand))
      case 'and':
      case 'or':
        return graph.logical(expr.kind, boolean(expr.left), boolean(expr.right))
      case 'arithmetic':
        return graph.arithmetic(arithmetic[expr.operator], number(expr.left), number(expr.right))
      case 'comparison': {
        const [left, right] = this.alike(formula, [expr.left, expr.right], offset)
        return graph.compare(expr.operator, left!, right!)
      }
      case 'call':
        return this.call(formula, expr, offset, wanted)
      case 'series':
        throw new Error('a series is lowered by its function')
    }
  }

  private call(formula: CheckedFormula, expr: ExprOf<'call'>, offset: number, wanted: ValueType): Core {
    const { graph } = this
    const { args } = expr
    const number = (i: number) => this.as(formula, args[i]!, 'number', offset)
    const numbers = () => args.map((_, i) => number(i))
    const share = (scale: number) => {
      const ratio = graph.arithmetic('divide', number(0), number(1))
      return scale === 1 ? ratio : graph.arithmetic('multiply', ratio, graph.constant(scale, 'number'))
    }
    const series = args[0]?.kind === 'series' ? args[0] : undefined
    const back = (quarters: number) => this.at(series!, offset + quarters)
    switch (expr.name) {
      case 'IF':
        return graph.if(
          this.as(formula, args[0]!, 'boolean', offset),
          this.as(formula, args[1]!, wanted, offset),
          this.as(formula, args[2]!, wanted, offset),
        )
      case 'ExistingOf':
        return graph.coalesce(args.map((a) => this.as(formula, a, wanted, offset)))
      case 'ExistsNonNil':
        return graph.not(graph.isNull(this.alike(formula, args, offset)[0]!))
      case 'IsNil':
        return graph.isNull(this.alike(formula, args, offset)[0]!)
      case 'IN': {
        const [value, ...choices] = this.alike(formula, args, offset)
        return choices.map((c) => graph.compare('=', value!, c)).reduce((a, b) => graph.logical('or', a, b))
      }
      case 'ABS':
        return graph.unary('absolute', number(0))
      case 'ROUND':
        return graph.round(number(0), countOf(args[1]))
      case 'PCT':
        return share(1)
      case 'PCTOF':
        return share(100)
      case 'PCTOFANN':
        return graph.arithmetic('multiply', share(100), this.annualisation(formula, offset))
      case 'PCTANN':
        return graph.arithmetic('multiply', share(1), this.annualisation(formula, offset))
      case 'CHANGEYI':
      case 'CHANGEYA':
      case 'CHANGEQI':
      case 'CHANGEQA': {
        const then = back(countOf(args[1]) * (expr.name[6] === 'Y' ? 4 : 1))
        const base = expr.name.endsWith('A') ? graph.unary('absolute', then) : then
        const change = graph.arithmetic('divide', graph.arithmetic('subtract', back(0), then), base)
        return graph.arithmetic('multiply', change, graph.constant(100, 'number'))
      }
      case 'CAVG02X':
        return graph.meanOf([back(0), back(1)])
      case 'CAVG04X':
        return this.byQuarter(offset, (quarter) => graph.meanOf(range(quarter).map(back)))
      case 'CAVG05X':
        return this.byQuarter(offset, (quarter) => graph.meanOf(range(quarter + 1).map(back)))
      case 'MonthOf':
        return graph.unary('month-of', this.as(formula, args[0]!, 'date', offset))
      case 'SUMOF':
        return graph.sumOf(numbers())
      case 'MIN':
        return graph.extreme('least', numbers())
      case 'MAX':
        return graph.extreme('greatest', numbers())
      case 'POWER':
        return graph.arithmetic('power', number(0), number(1))
      case 'EXP':
        return graph.unary('exponential', number(0))
      case 'LN':
        return graph.unary('logarithm', number(0))
      case 'QUARTER':
        return this.byQuarter(offset, (quarter) =>
          quarter === 1 ? back(0) : graph.arithmetic('subtract', back(0), back(1)),
        )
      case 'TTM':
        return this.byQuarter(offset, (quarter) => {
          if (quarter === 4) return back(0)
          return graph.arithmetic('subtract', graph.arithmetic('add', back(0), back(quarter)), back(4))
        })
      default:
        throw new Error(`function ${expr.name} is declared but not compiled`)
    }
  }

  /** Values brought to one type, for comparing. */
  private alike(formula: CheckedFormula, exprs: readonly Expr[], offset: number): Core[] {
    const types = exprs.map((e) => formula.types.get(e)!)
    const wanted = types.includes('number') ? 'number' : (types.find((t) => t !== 'null') ?? 'number')
    return exprs.map((e) => this.as(formula, e, wanted as ValueType, offset))
  }

  private at(reference: { space: string; code: string }, offset: number): Core {
    if (reference.space !== 'cc') return this.formula(`${reference.space}:${reference.code}`, offset)
    const items = itemsOf(reference.code).filter(this.known)
    return this.graph.coalesce(items.map((code) => this.graph.leaf('item', 'number', offset, code)))
  }

  private period(period: Period, offset: number, value: (offset: number) => Core): Core {
    if (period.unit === 'quarter') return value(offset + period.count)
    return this.byQuarter(offset, (quarter) => value(offset + quarter + 4 * (period.count - 1)))
  }

  private annualisation({ key }: CheckedFormula, offset: number): Core {
    const month = this.graph.unary('month-of', this.graph.endDate(offset))
    const factor = this.graph.arithmetic('divide', this.graph.constant(12, 'number'), month)
    return isOfGuide(key) ? this.graph.round(factor, guideFactorDecimals) : factor
  }

  /** What depends on the quarter of the year: decided now where it is known, else by the row's month. */
  private byQuarter(offset: number, value: (quarter: number) => Core): Core {
    const known = this.graph.quarter(offset)
    if (known !== undefined) return value(known)
    const month = this.graph.unary('month-of', this.graph.endDate(offset))
    const is = (quarter: number) => this.graph.compare('=', month, this.graph.constant(quarter * 3, 'number'))
    const [one, two, three, four] = [1, 2, 3, 4].map(value) as [Core, Core, Core, Core]
    return this.graph.if(is(1), one, this.graph.if(is(2), two, this.graph.if(is(3), three, four)))
  }
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i)

function countOf(expr: Expr | undefined): number {
  return expr?.kind === 'literal' ? Number(expr.value) : 0
}
