import { check } from './check.ts'
import { emit } from './emit.ts'
import type { Core } from './graph.ts'
import { Lowering } from './lower.ts'

/** A formula over some numbers that are at hand by name, in its two executions: the compiler's SQL, and a function. */
export interface OverNumbers<N extends string> {
  /** @param numbers SQL of each. NULL where one of them is, and by a divisor of 0. */
  sql(numbers: Readonly<Record<N, string>>): string
  /** The same in memory; NaN by a divisor of 0. */
  of(numbers: Readonly<Record<N, number>>): number
}

/**
 * One definition of what is worked out both by the engine and in the server's memory, such as a rank of counts.
 * @param source in the formula language; the number `below` is `cc:BELOW`
 * @throws FormulaError naming what is no number of these
 */
export function overNumbers<const N extends string>(names: readonly N[], source: string): OverNumbers<N> {
  const codes = new Map<unknown, N>(names.map((name) => [name.toUpperCase(), name]))
  const items = (code: string): boolean => codes.has(code)
  const formulas = check({ formulas: [{ key: KEY, source }], items })
  const core = new Lowering(formulas, items).formula(KEY, 0)
  const leaves = leavesOf(core).map((leaf) => [leaf, codes.get(leaf.value)!] as const)
  return {
    sql(numbers) {
      const columns = new Map(leaves.map(([leaf, name]) => [leaf, numbers[name]]))
      return emit(core, { names: columns, position: () => undefined })
    },
    of: functionOf(core, codes),
  }
}

const KEY = 'm:over_numbers'

const leavesOf = (core: Core): Core[] => (core.op === 'item' ? [core] : core.args.flatMap(leavesOf))

type Numbers<N extends string> = Readonly<Record<N, number>>

function functionOf<N extends string>(core: Core, codes: ReadonlyMap<unknown, N>): OverNumbers<N>['of'] {
  if (core.op === 'constant') {
    const value = Number(core.value)
    return () => value
  }
  if (core.op === 'item') {
    const name = codes.get(core.value)!
    return (numbers) => numbers[name]
  }
  const [left, right] = core.args.map((one) => functionOf(one, codes)) as [
    OverNumbers<N>['of'],
    OverNumbers<N>['of'],
  ]
  const operators: Partial<Record<Core['op'], (numbers: Numbers<N>) => number>> = {
    add: (numbers) => left(numbers) + right(numbers),
    subtract: (numbers) => left(numbers) - right(numbers),
    multiply: (numbers) => left(numbers) * right(numbers),
    divide: (numbers) => left(numbers) / (right(numbers) || Number.NaN),
  }
  const made = operators[core.op]
  if (!made) throw new Error(`the operator ${core.op} has no function over numbers`)
  return made
}
