import { type EmitContext, emit } from './emit.ts'
import type { Core } from './graph.ts'
import type { Plan, PlanOutput } from './plan.ts'

export interface RenderOptions {
  /**
   * A table, or a subquery in parentheses, that offers `report_date Date`; `p<k> Array(Nullable(Float64))` for each k of
   * plan.offsets, in the order of the dictionary (an empty array where there is no filing k quarters earlier); and
   * `form<k> Nullable(String)` for each k of plan.formOffsets.
   */
  relation: string
  /** Columns of the relation that go through unchanged, before the outputs. */
  keep?: readonly string[]
  /** Order of the items in the arrays; default plan.items. An item that is not in it is absent from every filing. */
  dictionary?: readonly string[]
  /** A column an output (default), or one column `metrics Array(Nullable(Float64))` in the order of the outputs. */
  outputs?: 'columns' | 'array'
}

/** Settings that a rendered statement needs: the limits guard against runaway texts, and these are long by nature. */
export const formulaSettings: Record<string, number | string> = {
  max_query_size: 64 * 1024 * 1024,
  max_ast_elements: 10_000_000,
  max_expanded_ast_elements: 10_000_000,
  max_ast_depth: 10_000,
  max_parser_depth: 10_000,
  max_subquery_depth: 1_000,
  // Every branch is cheap arithmetic: evaluating both sides in full blocks is faster than filtering rows for each.
  short_circuit_function_evaluation: 'disable',
  // Merging the layers into one expression only undoes the naming, at a cost that grows with the plan.
  query_plan_merge_expressions: 0,
  // Looks for chains of comparisons to infer others from: there are none worth it, and the search is long.
  optimize_and_compare_chain: 0,
  // Each statement runs once over some thousand rows: compiling it to machine code costs more than it saves.
  compile_expressions: 0,
}

/** The plan as one SELECT of nested subqueries, a layer each. Run it with `formulaSettings`. */
export function renderSql(plan: Plan, options: RenderOptions): string {
  const keep = options.keep ?? []
  const positions = new Map((options.dictionary ?? plan.items).map((item, i) => [item, i + 1]))
  const names = new Map(plan.layers.flat().map((node) => [node.expr, node.alias]))
  const context: EmitContext = { names, position: (item) => positions.get(item) }

  // From the last step back: what each layer must hand on to those after it.
  const wanted = new Set<string>()
  for (const output of plan.outputs) columnsOf(output.expr, context, wanted)
  const handedOn: string[][] = []
  for (const layer of [...plan.layers].reverse()) {
    for (const node of layer) wanted.delete(node.alias)
    handedOn.unshift([...wanted].filter((column) => !keep.includes(column)))
    for (const node of layer) for (const arg of node.expr.args) columnsOf(arg, context, wanted)
    for (const node of layer) if (node.expr.args.length === 0) columnsOf(node.expr, context, wanted)
  }

  let sql = options.relation
  plan.layers.forEach((layer, i) => {
    const computed = layer.map((node) => `${emit(node.expr, context, true)} AS ${node.alias}`)
    sql = `(SELECT ${[...keep, ...handedOn[i]!, ...computed].join(',\n')}\nFROM ${sql})`
  })
  const outputs = plan.outputs.map((output) => outputSql(output, context))
  const columns =
    options.outputs === 'array'
      ? [`[${outputs.join(',\n')}]::Array(Nullable(Float64)) AS metrics`]
      : outputs.map((sql, i) => `${sql} AS ${quoted(plan.outputs[i]!.name)}`)
  return `SELECT ${[...keep, ...columns].join(',\n')}\nFROM ${sql}`
}

/** The columns that the SQL of a node reads. */
function columnsOf(node: Core, context: EmitContext, into: Set<string>): void {
  const name = context.names.get(node)
  if (name) into.add(name)
  else if (node.op === 'item') {
    if (context.position(String(node.value)) !== undefined) into.add(`p${node.offset}`)
  } else if (node.op === 'form') into.add(`form${node.offset}`)
  else if (node.op === 'end-date' || node.op === 'month') into.add('report_date')
  else for (const arg of node.args) columnsOf(arg, context, into)
}

/** Numbers and booleans leave as Nullable(Float64), and what is no finite number as NULL. */
function outputSql({ expr, type }: PlanOutput, context: EmitContext): string {
  const sql = emit(expr, context)
  if (type === 'text') return `CAST(${sql} AS Nullable(String))`
  if (type === 'date') return `CAST(${sql} AS Nullable(Date32))`
  if (type === 'boolean' || expr.op === 'item' || expr.op === 'constant')
    return `CAST(${sql} AS Nullable(Float64))`
  return `CAST(if(isFinite(${sql}), ${sql}, NULL) AS Nullable(Float64))`
}

const quoted = (name: string) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``
