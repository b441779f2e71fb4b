import type { CheckedFormula, Expr } from '../../../formula/index.ts'

/** Functions that make a percentage, and those that make a multiple. */
const percents = new Set(['PCTOF', 'PCTOFANN', 'CHANGEYI', 'CHANGEYA', 'CHANGEQI', 'CHANGEQA'])
const multiples = new Set(['PCT', 'PCTANN'])
const transparent = new Set(['IF', 'ExistingOf', 'ABS', 'ROUND', 'SUMOF', 'MIN', 'MAX'])
const series = new Set(['CAVG02X', 'CAVG04X', 'CAVG05X'])
/** Ratios that filers report, and that XBRL holds as fractions. */
export const fractionItems: readonly string[] = [
  ...['7204', '7205', '7206', '7273', '7274', '7275'],
  ...['P793', 'H036', 'H311', 'H312'],
]
const isFraction = (code: string) => fractionItems.includes(code.slice(4))
const countWords = /\bnumber\b|\(#\)|\bno\. of\b/i

/**
 * The unit of a concept, which the guide does not say: from the function that makes the value, through references,
 * and `count` where its name says number. What is neither share nor count is money.
 */
export function unitsOf(
  formulas: ReadonlyMap<string, CheckedFormula>,
): (key: string, label: string) => string {
  const memo = new Map<string, string>()
  const ofKey = (key: string): string => {
    const known = memo.get(key)
    if (known) return known
    memo.set(key, money)
    const formula = formulas.get(key)
    const unit = formula === undefined ? money : formula.type === 'boolean' ? 'code' : of(formula.expr)
    memo.set(key, unit ?? money)
    return unit ?? money
  }
  /** Undefined where an expression has no unit of its own, as a number. */
  const of = (expr: Expr): string | undefined => {
    switch (expr.kind) {
      case 'reference':
      case 'series':
        if (expr.space === 'cc') return isFraction(expr.code) ? 'ratio' : money
        return ofKey(`${expr.space}:${expr.code}`)
      case 'negate':
        return of(expr.operand)
      case 'arithmetic': {
        const [left, right] = [of(expr.left), of(expr.right)]
        if (expr.operator === '/' && left === money && right === money) return 'ratio'
        const hundred = [expr.left, expr.right].some((e) => e.kind === 'literal' && e.value === 100)
        if (expr.operator === '*' && hundred && (left ?? right) === 'ratio') return 'percent'
        return left ?? right
      }
      case 'call':
        if (percents.has(expr.name)) return 'percent'
        if (multiples.has(expr.name)) return 'ratio'
        if (series.has(expr.name)) return of(expr.args[0]!)
        if (!transparent.has(expr.name)) return undefined
        return expr.args
          .slice(expr.name === 'IF' ? 1 : 0)
          .map(of)
          .find((unit) => unit !== undefined)
      default:
        return undefined
    }
  }
  return (key, label) => {
    const unit = ofKey(key)
    return unit === money && countWords.test(label) ? 'count' : unit
  }
}

const money = 'thousands of US dollars'
