/**
 * Where one bank stands in a group, counted over the quarter that is in memory: a query over sixty columns takes the
 * engine longer to plan than to run. The definitions are those that the SQL is made of.
 */

import { firstAfter, firstFrom } from '../../../sql/ascending.ts'
import { type Counts, percentileRank, rankFrom } from '../../../sql/derive/percentile.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import type { Counted, QuarterInMemory } from '../scope.ts'

interface Asked {
  readonly rssd_id: number
  readonly metrics?: readonly string[]
  readonly cohort: string
  readonly peer_ids?: readonly number[]
  /** From the step that finds the most similar banks. */
  readonly similar_ids?: readonly number[]
}

/** What is told of a metric wherever it stands, and its texts in JSON. */
const told = new Map(
  banks.metrics.map((metric) => [
    metric.key,
    {
      best: metric.direction === 'lower' ? ('least' as const) : ('greatest' as const),
      json: {
        metric: JSON.stringify(metric.key),
        label: JSON.stringify(metric.label),
        unit: JSON.stringify(metric.unit),
        direction: JSON.stringify(metric.direction),
      },
    },
  ]),
)

/** The rows of `overGroup` with the standing, rank and percentile. */
export const rankingInMemory: Counted = (table, values) => {
  const asked = values as unknown as Asked
  const bank = table.column('rssd_id').numbers.indexOf(asked.rssd_id)
  const group = groupOf(table, bank, asked)
  const metrics = (asked.metrics ?? banks.headline).map((key) => told.get(key)!)
  const columns = (asked.metrics ?? banks.headline).map((key) => table.column(key))
  const own = columns.map((column) => column.json(bank))
  const counts = columns.map(({ numbers }) => group.counts(numbers, numbers[bank]!))
  const same = (value: string) => own.map(() => value)
  const ranked = (number: (count: Counts, at: number) => number) =>
    counts.map((count, at) => (own[at] === 'null' ? 'null' : String(number(count, at))))
  return {
    rssd_id: same(String(asked.rssd_id)),
    report_date: same(table.column('report_date').json(bank)),
    position: own.map((_, at) => String(at + 1)),
    metric: metrics.map(({ json }) => json.metric),
    label: metrics.map(({ json }) => json.label),
    unit: metrics.map(({ json }) => json.unit),
    direction: metrics.map(({ json }) => json.direction),
    value: own,
    percentile: ranked((count) => percentileRank.of(count)),
    rank: ranked((count, at) => rankFrom[metrics[at]!.best].of(count)),
    ranked: counts.map(({ present }) => String(present)),
    cohort_size: same(String(group.size)),
  }
}

interface Group {
  /** Its banks, the one that is looked at among them. */
  readonly size: number
  /** A bank without a value is below none and equals none, itself neither. */
  readonly counts: (values: Float64Array, own: number) => Counts
}

/** The group that is asked for: what the condition of `overGroup` says in SQL. */
function groupOf(table: QuarterInMemory, bank: number, { cohort, peer_ids, similar_ids }: Asked): Group {
  const listed = peer_ids ?? (cohort === 'similar' ? similar_ids : undefined)
  if (listed) {
    const ids = table.column('rssd_id').numbers
    const wanted = new Set(listed)
    return counted(members(table, (row) => row === bank || wanted.has(ids[row]!)))
  }
  const { codes: tiers } = table.column('cohort').coded
  const { codes: states } = table.column('hq_state').coded
  const tier = tiers[bank]!
  const state = states[bank]!
  if (cohort === 'all') return lasting(table, 'all', () => true)
  if (cohort === 'size') return lasting(table, `tier ${tier}`, (row) => tiers[row] === tier)
  if (cohort === 'state') return counted(members(table, (row) => states[row] === state))
  return counted(members(table, (row) => tiers[row] === tier && states[row] === state))
}

function members(table: QuarterInMemory, belongs: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(table.rows)
  let count = 0
  for (let row = 0; row < table.rows; row++) if (belongs(row)) rows[count++] = row
  return rows.subarray(0, count)
}

/** A group whose values are looked at one by one: it is small, or nobody else asks for it. */
const counted = (rows: Uint32Array): Group => ({
  size: rows.length,
  counts(values, own) {
    let present = 0
    let below = 0
    let equal = 0
    for (let at = 0; at < rows.length; at++) {
      const value = values[rows[at]!]!
      if (value < own) below++
      else if (value === own) equal++
      if (!Number.isNaN(value)) present++
    }
    return { present, below, equal }
  },
})

/** Groups of many banks that many ask for, by table: gone with it. */
const kept = new WeakMap<QuarterInMemory, Map<string, Group>>()

function lasting(table: QuarterInMemory, name: string, belongs: (row: number) => boolean): Group {
  const groups = kept.get(table) ?? new Map<string, Group>()
  kept.set(table, groups)
  const group = groups.get(name) ?? sorted(members(table, belongs))
  groups.set(name, group)
  return group
}

/** A group whose values of a metric are put in order when they are first asked for: to find one takes no look at each. */
function sorted(rows: Uint32Array): Group {
  const orders = new Map<Float64Array, Float64Array>()
  return {
    size: rows.length,
    counts(values, own) {
      let order = orders.get(values)
      if (!order) {
        order = ascending(values, rows)
        orders.set(values, order)
      }
      const present = order.length
      if (Number.isNaN(own)) return { present, below: 0, equal: 0 }
      const below = firstFrom(order, own)
      return { present, below, equal: firstAfter(order, own) - below }
    },
  }
}

/** Their values in order, without those that are none. */
function ascending(values: Float64Array, rows: Uint32Array): Float64Array {
  const order = new Float64Array(rows.length)
  let present = 0
  for (let at = 0; at < rows.length; at++) {
    const value = values[rows[at]!]!
    if (!Number.isNaN(value)) order[present++] = value
  }
  return order.slice(0, present).sort()
}
