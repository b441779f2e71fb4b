import { Budget } from './budget.ts'
import { type Graph, readGraph } from './graph.ts'
import { type Lineage, lineage } from './lineage.ts'
import { controlChain, type Holdings, holdings } from './ownership.ts'

export const prepare = readGraph

/** What a request asks for: an institution, and a day or `now`. */
interface Asked {
  rssd_id: number
  as_of?: string
}

/** `now` is what stands still: the last day that there is. */
const dayOf = (text = 'now'): number =>
  text === 'now' ? 2 ** 31 - 1 : Math.floor(Date.parse(`${text}T00:00:00Z`) / 86_400_000)

/** What a row is. */
const part = { self: 0, parent: 1, subsidiary: 2, before: 3, after: 4 } as const

/**
 * Parents, subsidiaries, predecessors and successors, under the names that SQL binds: rows as JSON, each an array. One text is
 * cheap to hand to ClickHouse, where arrays of thousands are copied value by value whenever a query is rewritten.
 */
export function answer(input: { prepared: Graph; parameters: Asked }) {
  const { prepared: graph, parameters } = input
  const { rssd_id: root } = parameters
  const day = dayOf(parameters.as_of)
  const budgets = { up: new Budget(), down: new Budget(), before: new Budget(), after: new Budget() }
  const held = (way: 'up' | 'down') => holdings(graph, root, day, way, budgets[way])
  const became = (way: 'before' | 'after') => lineage(graph, root, day, way, budgets[way])
  const [up, down] = [held('up'), held('down')]
  const rows: (number | boolean | null)[][] = []
  const add = (...row: (number | boolean | null)[]) => rows.push([rows.length, ...row])
  add(part.self, root, 0, 0, 0, null, null, false, false, 0, 0)
  const relatives = (what: number, all: Holdings) => {
    const { ids, depths, direct, effective, exact, controlled } = all
    for (let at = 0; at < ids.length; at++)
      add(what, ids[at]!, 0, depths[at]!, 0, direct[at]!, effective[at]!, exact[at]!, controlled[at]!, 0, 0)
  }
  relatives(part.parent, up)
  relatives(part.subsidiary, down)
  const changed = new Set<number>()
  const tree = (what: number, { depths, edges }: Lineage) => {
    for (const [at, edge] of edges.entries()) {
      const [id, into] = [graph.children[edge]!, graph.parents[edge]!]
      changed.add(id).add(into)
      const [code, method] = [graph.codes[edge]!, graph.methods[edge]!]
      add(what, id, into, depths[at]!, graph.from[edge]!, null, null, false, false, code, method)
    }
  }
  tree(part.before, became('before'))
  tree(part.after, became('after'))
  const group = new Set([root, ...up.ids, ...down.ids])
  return {
    structure_rows: JSON.stringify(rows),
    structure_group: JSON.stringify([...group]),
    structure_ids: JSON.stringify([...new Set([...group, ...changed])]),
    structure_changed: JSON.stringify([...changed]),
    structure_complete: Object.values(budgets).every(({ cut }) => !cut),
    chain_ids: controlChain(graph, root, day),
  }
}
