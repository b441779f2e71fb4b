import { isQuarterEnd, quarterOf } from '../quarter.ts'
import type { Formula, ValueType } from './ast.ts'
import { check } from './check.ts'
import { FormulaError } from './errors.ts'
import type { Core } from './graph.ts'
import { Lowering } from './lower.ts'

export interface CompileOptions {
  formulas: Iterable<Formula>
  /** Formula keys, in the order of the output columns. */
  outputs: readonly string[]
  /** Is this a known MDRM item? One that is not is refused. */
  items: (mdrm: string) => boolean
  /**
   * Quarter-ends of one quarter of the year, as 30 June of some years. What depends on the calendar alone, and is the same
   * at each, is then decided at compile time: a far smaller plan, and one for all of them.
   */
  reportDates?: readonly string[]
}

/** One named column: computed once, used by later layers. */
export interface PlanNode {
  alias: string
  /** The formula it is the value of, and how many quarters back; absent for a shared subexpression. */
  key?: string
  offset?: number
  expr: Core
}

export interface PlanOutput {
  key: string
  /** The key without its namespace: `roa`, `UBPRE013`. */
  name: string
  type: ValueType
  expr: Core
}

/** What a set of formulas needs and in which order to compute it. */
export interface FormulaPlan {
  /** Sorted distinct MDRM items: the default dictionary of the value arrays. */
  items: readonly string[]
  /** Quarters looked back on, ascending; 0 is always there. */
  offsets: readonly number[]
  inputs: readonly { item: string; offset: number }[]
  /** Offsets at which the form of the filing is needed. */
  formOffsets: readonly number[]
  /** Each layer uses inputs and earlier layers only. */
  layers: readonly (readonly PlanNode[])[]
  outputs: readonly PlanOutput[]
}

/** A shared expression of fewer operators is repeated rather than named: ClickHouse merges equals in one SELECT. */
const worthNaming = 3
/** An expression of more operators is cut in two, so that no text of SQL grows without bound. */
const longest = 200
/** Operators whose SQL repeats their operands: those must be named, or nesting would double the text each time. */
const repeating = new Set([
  'sum-of',
  'mean-of',
  'least',
  'greatest',
  'round',
  'power',
  'exponential',
  'logarithm',
])

/** Compiles formulas to a plan. Throws FormulaError: syntax, unknown, cycle or type, with key and place. */
export function compile(options: CompileOptions): FormulaPlan {
  const { reportDates = [], outputs } = options
  const wrong = reportDates.find((date) => !isQuarterEnd(date))
  if (wrong !== undefined)
    throw new FormulaError('unknown', `report date ${wrong}: expected a quarter-end, as in 2019-09-30`)
  const other = reportDates.find((date) => quarterOf(date) !== quarterOf(reportDates[0]!))
  if (other !== undefined)
    throw new FormulaError(
      'unknown',
      `report dates ${reportDates[0]} and ${other}: expected those of one quarter of the year`,
    )
  const formulas = check(options)
  const lowering = new Lowering(formulas, options.items, reportDates)
  const roots = outputs.map((key): PlanOutput => {
    const expr = lowering.formula(key, 0)
    return { key, name: key.slice(key.indexOf(':') + 1), type: formulas.get(key)!.type, expr }
  })
  const reached = reach(roots.map((r) => r.expr))
  const inputs = inputsOf(reached)
  return {
    ...inputs,
    layers: layersOf(
      reached,
      roots.map((r) => r.expr),
      lowering.named(),
    ),
    outputs: roots,
  }
}

/** Every node under the roots, operands first. */
function reach(roots: readonly Core[]): Core[] {
  const seen = new Set<Core>()
  const visit = (node: Core) => {
    if (seen.has(node)) return
    for (const arg of node.args) visit(arg)
    seen.add(node)
  }
  for (const root of roots) visit(root)
  return [...seen]
}

function inputsOf(nodes: readonly Core[]): Pick<FormulaPlan, 'items' | 'offsets' | 'inputs' | 'formOffsets'> {
  const inputs = nodes
    .filter((n) => n.op === 'item')
    .map((n) => ({ item: String(n.value), offset: n.offset }))
    .sort((a, b) => (a.item < b.item ? -1 : a.item > b.item ? 1 : a.offset - b.offset))
  const numeric = (a: number, b: number) => a - b
  const formOffsets = nodes.filter((n) => n.op === 'form').map((n) => n.offset)
  return {
    inputs,
    items: [...new Set(inputs.map((i) => i.item))],
    offsets: [...new Set([0, ...inputs.map((i) => i.offset), ...formOffsets])].sort(numeric),
    formOffsets: formOffsets.sort(numeric),
  }
}

/** Names what is shared and heavy, and puts each name in the first layer in which all that it uses is named. */
function layersOf(
  nodes: readonly Core[],
  roots: readonly Core[],
  names: ReadonlyMap<Core, { key: string; offset: number }>,
): PlanNode[][] {
  const uses = new Map<Core, number>()
  const use = (node: Core) => uses.set(node, (uses.get(node) ?? 0) + 1)
  for (const node of nodes) node.args.forEach(use)
  for (const root of roots) use(root)
  const repeated = new Set(nodes.filter((n) => repeating.has(n.op)).flatMap((n) => n.args))

  const weight = new Map<Core, number>() // operators in the node's own SQL, names counting nothing
  const layer = new Map<Core, number>() // layers that must be done before it can be computed
  const layers: PlanNode[][] = []
  for (const node of nodes) {
    const own = node.args.length ? 1 : 0
    const total = node.args.reduce((sum, a) => sum + weight.get(a)!, own)
    const ready = node.args.reduce((most, a) => Math.max(most, layer.get(a)!), 0)
    const shared = uses.get(node)! > 1 && total >= worthNaming
    const named = own > 0 && (shared || total > longest || repeated.has(node))
    if (named) {
      layers[ready] ??= []
      layers[ready].push({ alias: `x${node.id}`, ...names.get(node), expr: node })
    }
    weight.set(node, named ? 0 : total)
    layer.set(node, named ? ready + 1 : ready)
  }
  return layers
}
