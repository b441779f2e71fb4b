/**
 * Where one bank stands in a group, counted over the quarter that is in memory: a query over sixty columns takes the
 * engine longer to plan than to run. The definitions are those that the SQL is made of.
 */
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

/** The rows of `overGroup` with the standing, rank and percentile. */
export const rankingInMemory: Counted = (table, values) => {
  const asked = values as unknown as Asked
  const bank = table.column('rssd_id').numbers.indexOf(asked.rssd_id)
  const members = membersOf(table, bank, asked)
  const metrics = (asked.metrics ?? banks.headline).map((key) => banks.metric(key)!)
  const rows = metrics.map((metric) => {
    const column = table.column(metric.key)
    return { metric, value: column.json(bank), ...countOf(column.numbers, bank, members) }
  })
  const same = (value: string) => rows.map(() => value)
  const each = (told: (row: (typeof rows)[number], at: number) => unknown) =>
    rows.map((row, at) => JSON.stringify(told(row, at)))
  const ranked = (told: (row: (typeof rows)[number]) => number) =>
    rows.map((row) => (row.value === 'null' ? 'null' : String(told(row))))
  return {
    rssd_id: same(String(asked.rssd_id)),
    report_date: same(table.column('report_date').json(bank)),
    position: each((_, at) => at + 1),
    metric: each(({ metric }) => metric.key),
    label: each(({ metric }) => metric.label),
    unit: each(({ metric }) => metric.unit),
    direction: each(({ metric }) => metric.direction),
    value: rows.map(({ value }) => value),
    percentile: ranked((row) => percentileRank.of(row)),
    rank: ranked((row) => rankFrom[row.metric.direction === 'lower' ? 'least' : 'greatest'].of(row)),
    ranked: each(({ present }) => present),
    cohort_size: same(String(members.length)),
  }
}

/** Rows of the group, the bank's own among them: what the condition of `overGroup` says in SQL. */
function membersOf(table: QuarterInMemory, bank: number, asked: Asked): Uint32Array {
  const belongs = membership(table, bank, asked)
  const members = new Uint32Array(table.rows)
  let count = 0
  for (let row = 0; row < table.rows; row++) if (belongs(row)) members[count++] = row
  return members.subarray(0, count)
}

function membership(
  table: QuarterInMemory,
  bank: number,
  { cohort, peer_ids, similar_ids }: Asked,
): (row: number) => boolean {
  const listed = peer_ids ?? (cohort === 'similar' ? similar_ids : undefined)
  if (listed) {
    const ids = table.column('rssd_id').numbers
    const wanted = new Set(listed)
    return (row) => row === bank || wanted.has(ids[row]!)
  }
  const { codes: tiers } = table.column('cohort').coded
  const { codes: states } = table.column('hq_state').coded
  const tier = tiers[bank]
  const state = states[bank]
  if (cohort === 'all') return () => true
  if (cohort === 'state') return (row) => states[row] === state
  if (cohort === 'size') return (row) => tiers[row] === tier
  return (row) => tiers[row] === tier && states[row] === state
}

/** A bank without a value is below none and equals none, itself neither. */
function countOf(values: Float64Array, bank: number, members: Uint32Array): Counts {
  const own = values[bank]!
  let present = 0
  let below = 0
  let equal = 0
  for (let at = 0; at < members.length; at++) {
    const value = values[members[at]!]!
    if (value < own) below++
    else if (value === own) equal++
    if (!Number.isNaN(value)) present++
  }
  return { present, below, equal }
}
