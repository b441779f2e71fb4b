import { type Budget, limits } from './budget.ts'
import { edgesOf, type Graph, kind } from './graph.ts'

/** Everything that is held from an institution, or holds it. Nearest first, then by number; parallel arrays, as they go on into SQL. */
export interface Holdings {
  ids: number[]
  /** Fewest steps. */
  depths: number[]
  /** What is held directly, percent; null where nothing is, or it is not known. */
  direct: (number | null)[]
  /** The products along all paths, added up; null where no path is known throughout. */
  effective: (number | null)[]
  /** Whether every path is known throughout, and none by a bracket alone. */
  exact: boolean[]
  /** Whether a chain of control leads there. */
  controlled: boolean[]
}

/** A share less than this does not count any more where institutions own each other round and round. */
const NEGLIGIBLE = 1e-9
const MOST_ROUNDS = 200

/** What is reached from an institution on a day, by its places in `ids`; the institution itself has place 0. */
interface Reach {
  ids: number[]
  depths: number[]
  edges: number[]
  /** Of each edge the place of its end nearer to the institution, and of the other one. */
  near: number[]
  far: number[]
  /** Edges of control that go past companies between, as places. */
  past: [number, number][]
}

function reach(graph: Graph, root: number, day: number, direction: 'down' | 'up', budget: Budget): Reach {
  const found: Reach = { ids: [root], depths: [0], edges: [], near: [], far: [], past: [] }
  const places = new Map([[root, 0]])
  const past: [number, number][] = []
  for (let near = 0; near < found.ids.length; near++)
    for (const edge of edgesOf(graph, found.ids[near]!, direction)) {
      if (!budget.spend(1)) break
      const of = graph.kinds[edge]!
      if (of & kind.became || graph.from[edge]! > day || graph.to[edge]! < day) continue
      const other = direction === 'down' ? graph.children[edge]! : graph.parents[edge]!
      if (of & kind.indirect) {
        if (of & kind.controlled) past.push([near, other])
        continue
      }
      let far = places.get(other)
      if (far === undefined) {
        if (found.ids.length > limits.institutions) {
          budget.cut = true
          continue
        }
        far = found.ids.push(other) - 1
        places.set(other, far)
        found.depths.push(found.depths[near]! + 1)
      }
      found.edges.push(edge)
      found.near.push(near)
      found.far.push(far)
    }
  for (const [near, other] of past) if (places.has(other)) found.past.push([near, places.get(other)!])
  return found
}

/**
 * Holdings on a day. What comes back to an institution by a cycle adds nothing to what it holds: its paths begin with it and
 * do not return. Other cycles add up as the series that they are. Where the budget ends, the nearest are there, and shares are
 * the least that was found.
 */
export function holdings(
  graph: Graph,
  root: number,
  day: number,
  direction: 'down' | 'up',
  budget: Budget,
): Holdings {
  const found = reach(graph, root, day, direction, budget)
  const shares = sharesFrom(graph, found, 0, found.near, found.far, budget)
  const { effective } = shares
  if (direction === 'up')
    for (const place of onCycles(found))
      effective[place] = sharesFrom(graph, found, place, found.far, found.near, budget).effective[0]!
  if (budget.cut) shares.vague.fill(1)
  const controlled = controlledFrom(graph, found)
  const order = found.ids.map((_, place) => place).slice(1)
  order.sort((a, b) => found.depths[a]! - found.depths[b]! || found.ids[a]! - found.ids[b]!)
  const of = <V>(value: (place: number) => V) => order.map(value)
  return {
    ids: of((place) => found.ids[place]!),
    depths: of((place) => found.depths[place]!),
    direct: of((place) => (Number.isNaN(shares.direct[place]!) ? null : shares.direct[place]!)),
    effective: of((place) => (effective[place]! > 0 ? Math.round(effective[place]! * 1e6) / 1e4 : null)),
    exact: of((place) => !shares.vague[place]),
    controlled: of((place) => controlled[place] === 1),
  }
}

/** Round after round until nothing changes: as many rounds as the longest path where there are no cycles. */
function sharesFrom(
  graph: Graph,
  found: Reach,
  start: number,
  near: readonly number[],
  far: readonly number[],
  budget: Budget,
) {
  const count = found.ids.length
  const direct = new Float64Array(count).fill(Number.NaN)
  const vague = new Uint8Array(count)
  let [effective, next] = [new Float64Array(count), new Float64Array(count)]
  effective[start] = 1
  for (let round = 0; round < MOST_ROUNDS && budget.spend(found.edges.length); round++) {
    next.fill(0)
    let spread = false
    for (let at = 0; at < found.edges.length; at++) {
      const edge = found.edges[at]!
      const from = near[at]!
      const to = far[at]!
      if (to === start) continue
      const percent = graph.percents[edge]!
      const unknown = Number.isNaN(percent)
      if (round === 0 && from === start && !unknown)
        direct[to] = (Number.isNaN(direct[to]!) ? 0 : direct[to]!) + percent
      if (!vague[to] && (unknown || vague[from] || (graph.kinds[edge]! & kind.bracket && percent < 100))) {
        vague[to] = 1
        spread = true
      }
      if (!unknown) next[to] = Math.min(1, next[to]! + (effective[from]! * percent) / 100)
    }
    next[start] = 1
    let change = 0
    for (let place = 0; place < count; place++)
      change = Math.max(change, Math.abs(next[place]! - effective[place]!))
    ;[effective, next] = [next, effective]
    if (change < NEGLIGIBLE && !spread) break
  }
  return { direct, effective, vague }
}

/** Places of institutions that own each other round and round, and of those between such rings. */
function onCycles(found: Reach): Set<number> {
  let left = found.edges.map((_, at) => at)
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const [starts, ends] = [
      new Set(left.map((at) => found.near[at]!)),
      new Set(left.map((at) => found.far[at]!)),
    ]
    left = left.filter((at) => ends.has(found.near[at]!) && starts.has(found.far[at]!))
  }
  return new Set(left.map((at) => found.far[at]!).filter((place) => place !== 0))
}

/** Control goes from who controls to who is controlled, and to what several of a group control together. */
function controlledFrom(graph: Graph, found: Reach): Uint8Array {
  const next: number[][] = found.ids.map(() => [])
  for (const [at, edge] of found.edges.entries())
    if (graph.kinds[edge]! & kind.controlled) next[found.near[at]!]!.push(found.far[at]!)
  for (const [near, far] of found.past) next[near]!.push(far)
  const reached = new Uint8Array(found.ids.length)
  reached[0] = 1
  const open = [0]
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const far of next[one]!)
      if (!reached[far]) {
        reached[far] = 1
        open.push(far)
      }
  return reached
}

/**
 * The chain of those in control of an institution: at each step whoever controls it by the largest share that is known,
 * then by the least number.
 */
export function controlChain(graph: Graph, root: number, day: number): number[] {
  const chain: number[] = []
  const share = (edge: number) => (Number.isNaN(graph.percents[edge]!) ? 0 : graph.percents[edge]!)
  for (let id: number | undefined = root; id !== undefined; ) {
    let best: number | undefined
    for (const edge of edgesOf(graph, id, 'up')) {
      if (!(graph.kinds[edge]! & kind.controlled) || graph.from[edge]! > day || graph.to[edge]! < day)
        continue
      const parent = graph.parents[edge]!
      if (parent === root || chain.includes(parent)) continue
      if (best === undefined || share(edge) > share(best)) best = edge
    }
    id = best === undefined ? undefined : graph.parents[best]!
    if (id !== undefined) chain.push(id)
  }
  return chain
}
