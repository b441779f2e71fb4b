/**
 * Who held whom, and who became whom, as arrays on shared memory: threads read them without a copy. Edges lie sorted by
 * parent; `byChild` has their places sorted by child. Days count from 1970.
 */

/** A column as ClickHouse's JSONCompactColumns writes it, one entry an edge. */
type JsonColumn = (number | null)[]

export interface Graph {
  parents: Uint32Array
  children: Uint32Array
  /** First day. */
  from: Int32Array
  /** Last day. */
  to: Int32Array
  /** Percent; NaN where it is not known. */
  percents: Float64Array
  /** What an edge is: bits of `kind`. */
  kinds: Uint8Array
  /** Of a transformation NIC's codes of what it was and how it was accounted for. */
  codes: Int32Array
  methods: Int32Array
  byChild: Uint32Array
}

export const kind = { controlled: 1, bracket: 2, indirect: 4, became: 8 } as const

const FOREVER = 2 ** 31 - 1

const COLUMNS = 8

/** @param json columns `parent child from to percent kind code method`, by parent; no column at all where there is no row */
export function readGraph(json: Uint8Array): Graph {
  const read = JSON.parse(new TextDecoder().decode(json)) as JsonColumn[]
  const columns = read.length === 0 ? Array.from({ length: COLUMNS }, (): JsonColumn => []) : read
  const [parents, children, from, to, percents, kinds, codes, methods] = columns as [
    JsonColumn,
    JsonColumn,
    JsonColumn,
    JsonColumn,
    JsonColumn,
    JsonColumn,
    JsonColumn,
    JsonColumn,
  ]
  const count = parents.length
  if (columns.length !== COLUMNS || columns.some((column) => column.length !== count))
    throw new Error('structure: expected eight columns of one length')
  const shared = <A>(make: new (buffer: SharedArrayBuffer) => A, bytes: number) =>
    new make(new SharedArrayBuffer(count * bytes))
  const graph: Graph = {
    parents: shared(Uint32Array, 4),
    children: shared(Uint32Array, 4),
    from: shared(Int32Array, 4),
    to: shared(Int32Array, 4),
    percents: shared(Float64Array, 8),
    kinds: shared(Uint8Array, 1),
    codes: shared(Int32Array, 4),
    methods: shared(Int32Array, 4),
    byChild: shared(Uint32Array, 4),
  }
  for (let edge = 0; edge < count; edge++) {
    graph.parents[edge] = parents[edge]!
    graph.children[edge] = children[edge]!
    graph.from[edge] = from[edge]!
    graph.to[edge] = to[edge] ?? FOREVER
    graph.percents[edge] = percents[edge] ?? Number.NaN
    graph.kinds[edge] = kinds[edge]!
    graph.codes[edge] = codes[edge]!
    graph.methods[edge] = methods[edge]!
    graph.byChild[edge] = edge
    if (edge > 0 && graph.parents[edge]! < graph.parents[edge - 1]!)
      throw new Error('structure: expected the edges by parent')
  }
  graph.byChild.sort((a, b) => graph.children[a]! - graph.children[b]!)
  return graph
}

/** Places of the edges that lead down from an institution, or up from it. */
export function* edgesOf(graph: Graph, id: number, direction: 'down' | 'up'): Generator<number> {
  const { parents, children, byChild } = graph
  const down = direction === 'down'
  const at = (place: number) => (down ? parents[place]! : children[byChild[place]!]!)
  let low = 0
  let high = parents.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(middle) < id) low = middle + 1
    else high = middle
  }
  for (let place = low; place < parents.length && at(place) === id; place++)
    yield down ? place : byChild[place]!
}
