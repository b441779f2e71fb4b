/**
 * Where one bank stands in a group: of each metric its value, the banks of the group that have one, and how many of
 * those are below and equal. The engine counts them; in the quarter that is in memory they are counted there, as a
 * query over sixty columns takes the engine longer to plan than to run. What follows from the counts is SQL alone.
 */
import type { ResidentTable } from '../resident/table.ts'
import type { Scope, Step } from './define.ts'
import { headline } from './headline.ts'
import { chosenMetrics, overGroup, perMetric, standing } from './peers.ts'

/**
 * The relation of the standing: `banks present below equal` beside the columns of `perMetric`.
 * @param computed further columns in SQL, over those
 */
export function standingOf(scope: Scope, computed: readonly string[]): string {
  const metrics = chosenMetrics(scope)
  if (!scope.inMemory) return overGroup(scope, metrics, standing, computed)
  const counted = Object.entries(countedInMemory.binds).map(([name, type]) => [
    name.slice('counted_'.length),
    `{${name}:${type}}`,
  ])
  return perMetric(metrics, Object.fromEntries(counted), 'system.one', computed)
}

/** Counts the standing over the quarter that is in memory. */
export const countedInMemory: Step = {
  when: (scope) => scope.inMemory,
  count: (table, values) => standingIn(table, values as unknown as Asked),
  binds: {
    counted_value: 'Array(Nullable(Float64))',
    counted_banks: 'Array(UInt32)',
    counted_present: 'Array(UInt32)',
    counted_below: 'Array(Nullable(UInt32))',
    counted_equal: 'Array(Nullable(UInt32))',
  },
}

interface Asked {
  readonly rssd_id: number
  readonly metrics?: readonly string[]
  readonly cohort: string
  readonly peer_ids?: readonly number[]
  /** From the step that finds the most similar banks. */
  readonly similar_ids?: readonly number[]
}

function standingIn(table: ResidentTable, asked: Asked) {
  const bank = table.column('rssd_id').numbers.indexOf(asked.rssd_id)
  const members = membersOf(table, bank, asked)
  const counts = (asked.metrics ?? headline).map((key) => countOf(table.column(key).numbers, bank, members))
  return {
    counted_value: counts.map(({ value }) => value),
    counted_banks: counts.map(() => members.length),
    counted_present: counts.map(({ present }) => present),
    counted_below: counts.map(({ below }) => below),
    counted_equal: counts.map(({ equal }) => equal),
  }
}

/** Rows of the group, the bank's own among them: what the condition of `overGroup` says in SQL. */
function membersOf(table: ResidentTable, bank: number, asked: Asked): Uint32Array {
  const belongs = membership(table, bank, asked)
  const members = new Uint32Array(table.rows)
  let count = 0
  for (let row = 0; row < table.rows; row++) if (belongs(row)) members[count++] = row
  return members.subarray(0, count)
}

function membership(
  table: ResidentTable,
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

/** A bank without a value is below none, which is null and not 0. */
function countOf(values: Float64Array, bank: number, members: Uint32Array) {
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
  if (Number.isNaN(own)) return { value: null, present, below: null, equal: null }
  return { value: own, present, below, equal }
}
