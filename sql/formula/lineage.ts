import type { Expr, Formula } from './ast.ts'
import { itemsOf } from './items.ts'
import { parse } from './parser.ts'

/** A step of a figure's lineage: something that it is made of, `quarters_back` quarters before. */
export interface Step {
  /** 1 for what the formula itself names. */
  depth: number
  kind: 'ubpr' | 'metric' | 'item'
  code: string
  quarters_back: number
  /** What names it: the code one step above. */
  used_by: string
}

/** A lineage of more steps is cut: no reader follows it, and its first steps are the ones that explain. */
const longest = 400

interface Reference {
  space: string
  code: string
  /** Quarters back from the one that refers; several where the function takes an average or a change. */
  back: number[]
}

export type Lineage = (key: string) => { items: string[]; steps: Step[] }

/**
 * The lineage of any of some formulas by its key: breadth first, each step once, and every item, sorted.
 * @param unfiled items that nobody filed, so that there is no value to show: they are no step
 */
export function lineageOf(formulas: readonly Formula[], unfiled: readonly string[] = []): Lineage {
  const sources = new Map(formulas.map(({ key, source }) => [key, source]))
  const memo = new Map<string, Reference[]>()
  const references = (key: string): Reference[] => {
    const known = memo.get(key)
    if (known) return known
    const source = sources.get(key)
    const found: Reference[] = []
    if (source !== undefined) collect(parse(source, key), found)
    memo.set(key, found)
    return found
  }

  return (figure) => {
    const steps: Step[] = []
    const seen = new Set<string>()
    let level = [{ key: figure, at: 0 }]
    for (let depth = 1; level.length > 0; depth++) {
      const next: typeof level = []
      for (const { key, at } of level) {
        for (const reference of references(key)) {
          for (const back of reference.back) {
            const quarters_back = at + back
            const codes = reference.space === 'cc' ? itemsOf(reference.code) : [reference.code]
            for (const one of codes) {
              if (unfiled.includes(one)) continue
              const id = `${reference.space}:${one}@${quarters_back}`
              if (seen.has(id)) continue
              seen.add(id)
              const kind = reference.space === 'cc' ? 'item' : reference.space === 'uc' ? 'ubpr' : 'metric'
              const used_by = key.slice(key.indexOf(':') + 1)
              steps.push({ depth, kind, code: one, quarters_back, used_by })
              if (kind !== 'item') next.push({ key: `${reference.space}:${one}`, at: quarters_back })
            }
          }
        }
      }
      level = next
    }
    const items = [...new Set(steps.filter(({ kind }) => kind === 'item').map((step) => step.code))].sort()
    return { items, steps: steps.slice(0, longest) }
  }
}

/** What an expression refers to, and how far back. */
function collect(expr: Expr, into: Reference[]): void {
  switch (expr.kind) {
    case 'reference': {
      const { unit, count } = expr.period
      // The n-th year-end before: one to four quarters back by the quarter of the year.
      const back = unit === 'quarter' ? [count] : [1, 2, 3, 4].map((k) => k + 4 * (count - 1))
      into.push({ space: expr.space, code: expr.code, back })
      return
    }
    case 'series':
      into.push({ space: expr.space, code: expr.code, back: [0] })
      return
    case 'call': {
      const [first, second] = expr.args
      if (first?.kind === 'series') {
        const count = second?.kind === 'literal' ? Number(second.value) : 0
        into.push({ space: first.space, code: first.code, back: seriesBack(expr.name, count) })
        return
      }
      for (const argument of expr.args) collect(argument, into)
      return
    }
    case 'negate':
    case 'not':
      collect(expr.operand, into)
      return
    case 'and':
    case 'or':
    case 'arithmetic':
    case 'comparison':
      collect(expr.left, into)
      collect(expr.right, into)
      return
    default:
  }
}

/** Quarters that a function looks at; for averages of the year to date, at most. */
function seriesBack(name: string, count: number): number[] {
  if (name.startsWith('CHANGEY')) return [0, 4 * count]
  if (name.startsWith('CHANGEQ')) return [0, count]
  if (name === 'CAVG02X' || name === 'QUARTER') return [0, 1]
  if (name === 'CAVG04X') return [0, 1, 2, 3]
  return [0, 1, 2, 3, 4]
}
