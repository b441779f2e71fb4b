import { type EmitContext, emit } from './emit.ts'
import type { Core } from './graph.ts'
import type { FormulaPlan, PlanOutput } from './plan.ts'

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

/** A column of a step; `reads` are the columns of the step before it that its SQL names. */
interface Column {
  readonly alias: string
  readonly sql: string
  readonly reads: ReadonlySet<string>
}

/** The plan as one SELECT of nested subqueries, a layer each. Run it with `formulaSettings`. */
export function renderSql(plan: FormulaPlan, options: RenderOptions): string {
  const { relation, keep = [] } = options
  const positions = new Map((options.dictionary ?? plan.items).map((item, i) => [item, i + 1]))
  const names = new Map(plan.layers.flat().map((node) => [node.expr, node.alias]))
  const context: EmitContext = { names, position: (item) => positions.get(item) }

  const layers = plan.layers.map((layer) =>
    layer.map(({ alias, expr }) => ({
      alias,
      sql: emit(expr, context, true),
      reads: columnsOf(expr, context, true),
    })),
  )
  const outputs = plan.outputs.map((output) => ({
    ...output,
    sql: emit(output.expr, context),
    reads: columnsOf(output.expr, context),
  }))
  const steps =
    options.outputs === 'array'
      ? asArray(layers, outputs)
      : [...layers, outputs.map(({ sql, reads }, i) => ({ alias: `o${i}`, sql, reads }))]

  // From the last step back: what each must hand on to those after it.
  const wanted = new Set(steps.at(-1)!.map(({ alias }) => alias))
  const handedOn = steps
    .toReversed()
    .map((step) => {
      for (const { alias } of step) wanted.delete(alias)
      const through = [...wanted].filter((name) => !keep.includes(name))
      for (const { reads } of step) for (const name of reads) wanted.add(name)
      return through
    })
    .toReversed()
  const inner = steps.reduce((from, step, i) => {
    const computed = step.map(({ alias, sql }) => `${sql} AS ${alias}`)
    return `(SELECT ${[...keep, ...handedOn[i]!, ...computed].join(',\n')}\nFROM ${from})`
  }, relation)
  const columns =
    options.outputs === 'array'
      ? ['arrayMap(value -> if(isFinite(value), value, NULL), outputs) AS metrics']
      : outputs.map((output, i) => `${finite(output, `o${i}`)} AS ${quoted(output.name)}`)
  return `SELECT ${[...keep, ...columns].join(',\n')}\nFROM ${inner}`
}

interface Output extends PlanOutput {
  readonly sql: string
  readonly reads: ReadonlySet<string>
}

/**
 * Steps to all outputs as one array. Those that are ready in the same layer leave it as an array of their own: most are
 * ready early, and ClickHouse's analysis takes time for each column that a layer hands on.
 */
function asArray(layers: readonly (readonly Column[])[], outputs: readonly Output[]): Column[][] {
  const layerOf = new Map(layers.flatMap((layer, i) => layer.map(({ alias }) => [alias, i + 1] as const)))
  const ready = [...layers, []].map(() => new Map<Core, Output>())
  for (const output of outputs) {
    const layer = Math.max(0, ...[...output.reads].map((name) => layerOf.get(name) ?? 0))
    ready[layer]!.set(output.expr, output)
  }
  const arrays = ready.map((members, i): Column => {
    const values = [...members.values()]
    return {
      alias: `ready${i}`,
      sql: `[${values.map(({ sql }) => sql).join(',\n')}]::Array(Nullable(Float64))`,
      reads: new Set(values.flatMap(({ reads }) => [...reads])),
    }
  })
  const last = arrays.pop()!
  const earlier = arrays.filter((_, i) => ready[i]!.size > 0)
  const places = new Map(ready.flatMap((members) => [...members.keys()]).map((expr, i) => [expr, i + 1]))
  return [
    ...layers.map((layer, i) => (ready[i]!.size > 0 ? [...layer, arrays[i]!] : [...layer])),
    [
      {
        alias: 'gathered',
        sql: `arrayConcat(${[...earlier.map(({ alias }) => alias), last.sql].join(', ')})`,
        reads: new Set([...earlier.map(({ alias }) => alias), ...last.reads]),
      },
    ],
    [
      {
        alias: 'outputs',
        sql: `[${outputs.map(({ expr }) => `gathered[${places.get(expr)}]`).join(', ')}]`,
        reads: new Set(['gathered']),
      },
    ],
  ]
}

/** The columns that the SQL of a node reads; of one that has a name itself, `root` asks for those that make it. */
function columnsOf(
  node: Core,
  context: EmitContext,
  root = false,
  into: Set<string> = new Set(),
): Set<string> {
  const name = root ? undefined : context.names.get(node)
  if (name) into.add(name)
  else if (node.op === 'item') {
    if (context.position(String(node.value)) !== undefined) into.add(`p${node.offset}`)
  } else if (node.op === 'form') into.add(`form${node.offset}`)
  else if (node.op === 'end-date' || node.op === 'month') into.add('report_date')
  else for (const arg of node.args) columnsOf(arg, context, false, into)
  return into
}

/** Numbers and booleans leave as Nullable(Float64), and what is no finite number as NULL. */
function finite({ expr, type }: PlanOutput, sql: string): string {
  if (type === 'text') return `CAST(${sql} AS Nullable(String))`
  if (type === 'date') return `CAST(${sql} AS Nullable(Date32))`
  if (type === 'boolean' || expr.op === 'item' || expr.op === 'constant')
    return `CAST(${sql} AS Nullable(Float64))`
  return `CAST(if(isFinite(${sql}), ${sql}, NULL) AS Nullable(Float64))`
}

const quoted = (name: string) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``
