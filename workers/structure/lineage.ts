import { type Budget, limits } from './budget.ts'
import { edgesOf, type Graph, kind } from './graph.ts'

/** A tree as rows in the order of reading it: each event before those that led to it. Parallel arrays. */
export interface Lineage {
  /** Steps from the institution. */
  depths: number[]
  edges: number[]
}

/** Deeper than any real history; what is further back is left out. */
const MOST_DEPTH = 100

/**
 * What became part of an institution, or what it became part of, and so on, newest first. Only what went before counts
 * before: who merged into a bank after that bank had ended is none of those whom it brought along. Each event stands once.
 * Where the budget ends, what is furthest back is left out.
 */
export function lineage(
  graph: Graph,
  root: number,
  day: number,
  direction: 'before' | 'after',
  budget: Budget,
): Lineage {
  const tree: Lineage = { depths: [], edges: [] }
  const seen = new Set<number>()
  const before = direction === 'before'
  // the parent of an edge is who went on, and its child who became part of it
  const open: { id: number; depth: number; day: number; edge: number }[] = []
  const push = (id: number, depth: number, bound: number) => {
    const all = [...edgesOf(graph, id, before ? 'down' : 'up')]
    if (!budget.spend(all.length)) return
    const found = all.filter((edge) => {
      const on = graph.from[edge]!
      return graph.kinds[edge]! & kind.became && on <= day && (before ? on <= bound : on >= bound)
    })
    // the last that is pushed is read first
    found.sort(
      (a, b) => (before ? graph.from[a]! - graph.from[b]! : graph.from[b]! - graph.from[a]!) || b - a,
    )
    for (const edge of found)
      open.push({
        id: before ? graph.children[edge]! : graph.parents[edge]!,
        depth: depth + 1,
        day: graph.from[edge]!,
        edge,
      })
  }
  push(root, 0, before ? day : Number.NEGATIVE_INFINITY)
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next.edge)) continue
    if (tree.edges.length === limits.transformations) {
      budget.cut = true
      break
    }
    seen.add(next.edge)
    tree.depths.push(next.depth)
    tree.edges.push(next.edge)
    if (next.depth < MOST_DEPTH) push(next.id, next.depth, next.day)
  }
  return tree
}
