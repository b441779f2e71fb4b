// Files made so that thousands of institutions own each other cost a walk no more than its budget.
import t from 'tap'
import { Budget, limits } from '../../workers/structure/budget.ts'
import { readGraph } from '../../workers/structure/graph.ts'
import { lineage } from '../../workers/structure/lineage.ts'
import { holdings } from '../../workers/structure/ownership.ts'
import { answer } from '../../workers/structure/task.ts'

/** Rows of parent, child, percent and kind as a graph; all of one day. */
function graphOf(edges: readonly (readonly [number, number, number, number])[]) {
  const rows = edges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const column = (at: number) => rows.map((row) => row[at])
  const days = rows.map(() => 0)
  const columns = [column(0), column(1), days, days.map(() => null), column(2), column(3), days, days]
  return readGraph(new TextEncoder().encode(JSON.stringify(columns)))
}
const CONTROLLED = 1
const BECAME = 8

t.test('thousands that own each other', async (t) => {
  const count = 3000
  const tangled = graphOf(
    Array.from({ length: count }, (_, parent) =>
      [1, 7, 61, 997].map((step) => [parent + 1, ((parent + step) % count) + 1, 24.9, CONTROLLED] as const),
    ).flat(),
  )
  const answered = answer({ prepared: tangled, parameters: { rssd_id: 1 } })
  t.equal(answered.structure_complete, false)
  const rows = JSON.parse(answered.structure_rows) as unknown[][]
  t.ok(
    rows.length === 2 * count - 1,
    `${rows.length} rows: those above and below are all named, though their shares are not all known`,
  )
})

t.test('more than are listed', async (t) => {
  const many = limits.institutions + 500
  const wide = graphOf(Array.from({ length: many }, (_, k) => [1, k + 2, 100, CONTROLLED] as const))
  const budget = new Budget()
  const below = holdings(wide, 1, 1, 'down', budget)
  t.equal(below.ids.length, limits.institutions)
  t.equal(budget.cut, true)
  t.ok(
    below.exact.every((exact) => !exact),
    'no share claims to be the whole',
  )

  const merged = graphOf(
    Array.from({ length: limits.transformations + 500 }, (_, k) => [1, k + 2, 0, BECAME] as const),
  )
  const trees = new Budget()
  t.equal(lineage(merged, 1, 1, 'before', trees).edges.length, limits.transformations)
  t.equal(trees.cut, true)
})

t.test('the largest real group is far from it', async (t) => {
  // five thousand below one holder, ten deep, each held by two of those above
  const group = graphOf(
    Array.from({ length: 5000 }, (_, k) => {
      const [a, b] = [Math.floor(k / 3) + 1, Math.floor(k / 4) + 1]
      return a === b
        ? [[a, k + 2, 100, CONTROLLED] as const]
        : [a, b].map((of) => [of, k + 2, 50, CONTROLLED] as const)
    }).flat(),
  )
  const budget = new Budget(limits.visits / 20)
  const below = holdings(group, 1, 1, 'down', budget)
  t.equal(budget.cut, false, 'a twentieth of the budget is enough')
  t.equal(below.ids.length, 5000)
  t.ok(
    below.effective.every((share) => Math.abs(share! - 100) < 1e-3),
    'all of them wholly owned',
  )
  const started = performance.now()
  const { structure_complete } = answer({ prepared: group, parameters: { rssd_id: 1 } })
  t.equal(structure_complete, true)
  t.comment(`${(performance.now() - started).toFixed(1)} ms for 5,000 in the worker`)
})
