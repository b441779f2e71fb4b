/** A small seeded generator (mulberry32), so that a failing case can be run again. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const items = ['RCFD2170', 'RCON2170', 'RIAD4340', 'RIAD4230', 'RCON3123', 'RCFDA223', 'RCOAA223', 'RCON5525']
const numbers = ['0', '1', '2.5', '100', '.34', '1e6']
const dates = ["'2001-01-01'", "'2018-12-31'", "'2019-03-31'", "'2019-06-30'", "'2030-01-01'"]

/** Formulas of every construct of the language, each referring to items and to some of those before it. */
export function randomFormulas(random: () => number, count: number): { key: string; source: string }[] {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!
  const formulas: { key: string; source: string }[] = []
  const period = () => pick(['[P0]', '[P0]', '[P0]', '[-P1Q]', '[-P2Q]', '[-P1Y]', '[-P1Z]', '[-P2Z]', ''])
  // Look-backs add up along references: chains are kept short so that inputs stay few.
  const chained = () => formulas.length > 0 && formulas.length % 7 !== 0 && random() < 0.3
  const code = () => {
    if (chained()) return formulas.at(-1 - Math.floor(random() * (formulas.length % 7)))!.key
    return `cc:${random() < 0.25 ? pick(['RCFX2170', 'RCAXA223']) : pick(items)}`
  }

  const number = (depth: number): string => {
    const leaf = depth <= 0 || random() < 0.15
    if (leaf)
      return random() < 0.75 ? `${code()}${period()}` : pick([...numbers, 'NULL', 'ANN', 'Context.Form'])
    const n = () => number(depth - 1)
    const b = () => boolean(depth - 1)
    const shapes: (() => string)[] = [
      () => `(${n()} ${pick(['+', '-', '*', '/'])} ${n()})`,
      () => `${n()} - ${n()} * ${n()}`,
      () => `-(${n()})`,
      () => `IF(${b()}, ${n()}, ${n()})`,
      () => `ExistingOf(${n()}, ${n()}, ${n()})`,
      () => `SUMOF(${n()}, ${n()}, ${n()})`,
      () => `${pick(['MIN', 'MAX'])}(${n()}, ${n()})`,
      () => `${pick(['PCT', 'PCTOF', 'PCTOFANN', 'PCTANN'])}(${n()}, ${n()})`,
      () => `${pick(['CHANGEYI', 'CHANGEYA', 'CHANGEQI', 'CHANGEQA'])}(#${code()}, ${pick([1, 2])})`,
      () => `${pick(['CAVG02X', 'CAVG04X', 'CAVG05X', 'QUARTER', 'TTM'])}(#${code()})`,
      () => `ROUND(ABS(${n()}), ${pick([0, 2])})`,
      () => `ExistingOf(cc:${pick(items)}${period()}, '0') / ${n()}`,
      () => 'MonthOf(Context.Period.EndDate)',
    ]
    return pick(shapes)()
  }
  const boolean = (depth: number): string => {
    const shapes: (() => string)[] = [
      () => `${number(depth - 1)} ${pick(['=', '<>', '<', '<=', '>', '>='])} ${number(depth - 1)}`,
      () => `Context.Period.EndDate ${pick(['<', '>', '=', '<=', '<>'])} ${pick(dates)}`,
      () => `${pick(['IsNil', 'ExistsNonNil'])}(${number(depth - 1)})`,
      () => `IN(Context.Form, 31, ${number(depth - 1)})`,
      () => `IN(IF(${number(depth - 1)} > 0, '0001', '2001'), '0001', '0003')`,
    ]
    if (depth > 0) {
      shapes.push(() => `(${boolean(depth - 1)} ${pick(['AND', 'OR'])} ${boolean(depth - 1)})`)
      shapes.push(() => `NOT (${boolean(depth - 1)})`)
      shapes.push(() => `IF(${boolean(depth - 1)}, ${boolean(depth - 1)}, NULL)`)
    }
    return pick(shapes)()
  }
  for (let i = 0; i < count; i++) {
    const depth = 1 + Math.floor(random() * 4)
    formulas.push({ key: `m:f${i}`, source: i % 11 === 5 ? `IF(${boolean(depth)}, 1, 0)` : number(depth) })
  }
  return formulas
}

/** Sparse values with what hurts: absence, zero, negatives, the very small and the very large. */
export function randomValue(random: () => number): number | null {
  const r = random()
  if (r < 0.3) return null
  if (r < 0.42) return 0
  if (r < 0.45) return 1e-310
  if (r < 0.48) return 1e300
  if (r < 0.52) return 1
  const size = Math.round(random() * 10 ** (1 + Math.floor(random() * 7)))
  return random() < 0.25 ? -size : size
}
