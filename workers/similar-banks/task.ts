/**
 * The banks most like a given one: nearest neighbours in standardised size, loan mix, funding mix and geography.
 * Pure functions; the same columns give the same answer, ties go to the smaller RSSD ID.
 */
import { features as allFeatures } from './features.ts'
import { placeDistance, stateIndex } from './geography.ts'

/** A column as ClickHouse's JSONCompactColumns writes it, one entry a bank. */
type JsonColumn = (number | string | null)[]

/** The features that follow `rssd_id` and `hq_state`, in the order of the columns. */
export type Described = readonly { readonly group: string }[]

/** Standardised features of every bank, on shared memory: threads read it without a copy. */
export interface Universe {
  rssdIds: Uint32Array
  states: Uint8Array
  /** One row a bank, one column a feature; NaN where the bank has no value. */
  scores: Float64Array
  /** Group of each feature, as a place in `groups`. */
  groupOf: Uint8Array
  groups: string[]
}

export interface NearestInput {
  universe: Universe
  rssdId: number
  n: number
}

/** Nearest first. Parallel arrays, as they go on into SQL as array parameters. */
export interface Neighbours {
  rssdIds: number[]
  /** Root of the weighted mean of the squared group distances, in standard deviations. */
  distances: number[]
  /** Distance in each group (`geography` last): root mean square of the differences of its features. */
  parts: Record<string, number[]>
}

/** Geography counts half: a bank's business says more about it than its address. */
const GEOGRAPHY_WEIGHT = 0.5
/** What two banks drawn at random differ by on average, squared, in standard deviations: E[(z1 - z2)²] = 2. */
const UNKNOWN_SQUARED = 2

/**
 * Decodes and standardises. Each feature is first held to its 1st and 99th percentile, so that a handful of odd
 * charters (trust banks, card banks) do not flatten everybody else; size is not, as giants are alike in being giants.
 */
export function prepare(json: Uint8Array, features: Described = Object.values(allFeatures)): Universe {
  const [ids = [], codes = [], ...columns] = JSON.parse(new TextDecoder().decode(json)) as JsonColumn[]
  const count = ids.length
  if (columns.length !== features.length || [codes, ...columns].some((column) => column.length !== count)) {
    throw new Error(
      `similar-banks: expected rssd_id, hq_state and ${features.length} features of ${count} values`,
    )
  }
  const groups = [...new Set(features.map((feature) => feature.group))]
  const universe: Universe = {
    rssdIds: new Uint32Array(new SharedArrayBuffer(count * 4)),
    states: new Uint8Array(new SharedArrayBuffer(count)),
    scores: new Float64Array(new SharedArrayBuffer(count * features.length * 8)),
    groupOf: Uint8Array.from(features, (feature) => groups.indexOf(feature.group)),
    groups,
  }
  universe.rssdIds.set(ids.map(Number))
  universe.states.set(codes.map((code) => stateIndex(code === null ? null : String(code))))
  for (const [place, { group }] of features.entries()) {
    const values = Float64Array.from(columns[place]!, (value) =>
      value === null ? Number.NaN : Number(value),
    )
    const scores = standardise(values, group === 'size' ? 0 : 0.01)
    for (let bank = 0; bank < count; bank++) {
      universe.scores[bank * features.length + place] = scores[bank]!
    }
  }
  return universe
}

/** z-scores of what is there, after holding values to the `tail` and `1 - tail` quantiles. */
export function standardise(values: Float64Array, tail: number): Float64Array {
  const present = values.filter((value) => Number.isFinite(value)).sort()
  const last = present.length - 1
  const low = present[Math.round(tail * last)] ?? 0
  const high = present[Math.round((1 - tail) * last)] ?? 0
  const held = values.map((value) =>
    Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : Number.NaN,
  )
  let sum = 0
  let squares = 0
  for (const value of held) if (!Number.isNaN(value)) sum += value
  const mean = sum / present.length
  for (const value of held) if (!Number.isNaN(value)) squares += (value - mean) ** 2
  const deviation = Math.sqrt(squares / present.length)
  return held.map((value) => (deviation > 0 ? (value - mean) / deviation : value - mean))
}

/** The `n` banks nearest to one, itself left out; empty when the universe does not hold the bank. */
export function nearest({ universe, rssdId, n }: NearestInput): Neighbours {
  const { rssdIds, states, groups } = universe
  const own = rssdIds.indexOf(rssdId)
  const found: { bank: number; squared: number; parts: number[] }[] = []
  if (own !== -1) {
    const scratch = new Float64Array(groups.length + 1)
    for (let bank = 0; bank < rssdIds.length; bank++) {
      if (bank === own) continue
      const squared = squaredDistance(universe, own, bank, states, scratch)
      insert(found, n, { bank, squared, parts: scratch }, rssdIds)
    }
  }
  const parts: Record<string, number[]> = {}
  for (const [place, name] of [...groups, 'geography'].entries()) {
    parts[name] = found.map((one) => Math.sqrt(one.parts[place]!))
  }
  return {
    rssdIds: found.map((one) => rssdIds[one.bank]!),
    distances: found.map((one) => Math.sqrt(one.squared)),
    parts,
  }
}

/** How many banks make a group of the most similar ones, where the request does not say. */
const GROUP_SIZE = 50

/** The neighbours of the request's bank, under the names that SQL binds. */
export function answer(input: { prepared: Universe; parameters: { rssd_id: number; n?: number } }) {
  const { rssd_id: rssdId, n = GROUP_SIZE } = input.parameters
  const found = nearest({ universe: input.prepared, rssdId, n })
  return {
    similar_ids: found.rssdIds,
    similar_distances: found.distances,
    similar_size: found.parts.size,
    similar_loan_mix: found.parts.loan_mix,
    similar_funding_mix: found.parts.funding_mix,
    similar_geography: found.parts.geography,
  }
}

/** Weighted mean of the groups' mean squared differences; `parts` receives those of each group. */
function squaredDistance(u: Universe, a: number, b: number, states: Uint8Array, parts: Float64Array): number {
  const width = u.groupOf.length
  const groups = u.groups.length
  let sum = 0
  for (let group = 0; group < groups; group++) {
    let squares = 0
    let shared = 0
    for (let place = 0; place < width; place++) {
      if (u.groupOf[place] !== group) continue
      const difference = u.scores[a * width + place]! - u.scores[b * width + place]!
      if (Number.isNaN(difference)) continue
      squares += difference * difference
      shared++
    }
    parts[group] = shared > 0 ? squares / shared : UNKNOWN_SQUARED
    sum += parts[group]!
  }
  parts[groups] = placeDistance(states[a]!, states[b]!) ** 2
  return (sum + GEOGRAPHY_WEIGHT * parts[groups]!) / (groups + GEOGRAPHY_WEIGHT)
}

type Candidate = { bank: number; squared: number; parts: ArrayLike<number> }

/** Keeps the `n` best in order: n is at most 500, so an ordered insert beats a heap or a full sort. */
function insert(
  best: { bank: number; squared: number; parts: number[] }[],
  n: number,
  one: Candidate,
  ids: Uint32Array,
) {
  const before = (other: Candidate) =>
    one.squared < other.squared || (one.squared === other.squared && ids[one.bank]! < ids[other.bank]!)
  if (best.length === n && (n === 0 || !before(best[n - 1]!))) return
  let place = best.length
  while (place > 0 && before(best[place - 1]!)) place--
  best.splice(place, 0, { ...one, parts: Array.from(one.parts) })
  if (best.length > n) best.pop()
}
