/**
 * The banks that one bank is measured against, as conditions in SQL over `bank_quarters`. Every group holds the
 * bank itself, as a UBPR peer group does, so that ranks, percentiles and quartiles speak of the same banks.
 */

import { percentileRank, rankFrom } from '../../../sql/derive/percentile.ts'
import type { Metric } from '../../../sql/formula/metrics/index.ts'
import { quotedList } from '../../../sql/quoted.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import { similarUniverse } from '../../../workers/similar-banks/features.ts'
import type { Step } from '../define.ts'
import { choice, idList } from '../parameters.ts'
import type { Scope } from '../scope.ts'

export const peerCohorts = ['size', 'size_state', 'state', 'all', 'similar'] as const

/** Which banks to be measured against; `peer_ids` takes the place of `cohort`. */
export const peerParameters = {
  cohort: choice(peerCohorts, {
    doc: 'The group: the asset-size tier, the tier within the state, the state, all banks, or the 50 most similar banks.',
    default: 'size',
  }),
  peer_ids: idList({
    doc: 'RSSD IDs of the group, by comma, in place of `cohort`; the bank itself is added. Banks that did not file the quarter are not in the group.',
    members: banks,
    insteadOf: ['cohort'],
  }),
} as const

/** Finds the most similar banks for `cohort=similar`. */
export const similarBanks: Step = {
  when: (scope) => scope.is('cohort', 'similar') && !scope.has('peer_ids'),
  read: similarUniverse('{as_of:Date}'),
  task: 'similar-banks',
  binds: {
    similar_ids: 'Array(UInt32)',
    similar_distances: 'Array(Float64)',
    similar_size: 'Array(Float64)',
    similar_loan_mix: 'Array(Float64)',
    similar_funding_mix: 'Array(Float64)',
    similar_geography: 'Array(Float64)',
  },
}

/** Condition for the group's banks at `{as_of:Date}`, the bank itself among them. */
function groupCondition(scope: Scope): string {
  if (scope.has('peer_ids')) return '(b.rssd_id = {rssd_id:UInt32} OR b.rssd_id IN {peer_ids:Array(UInt32)})'
  if (scope.is('cohort', 'similar')) {
    return '(b.rssd_id = {rssd_id:UInt32} OR b.rssd_id IN {similar_ids:Array(UInt32)})'
  }
  if (scope.is('cohort', 'size_state')) return 'b.cohort = own.1 AND b.hq_state = own.2'
  if (scope.is('cohort', 'state')) return 'b.hq_state = own.2'
  return scope.is('cohort', 'all') ? 'true' : 'b.cohort = own.1'
}

/**
 * One row a metric: the bank's value and aggregates over its group. Each of `aggregates` is an expression of
 * arrays, one element a metric, over `v` (a bank's values) and `own.3` (those of the bank asked for); NULLs take
 * no part. The columns `rssd_id report_date position metric label unit direction value banks` are always there.
 * @param computed further columns in SQL, over those and the aggregates
 */
export function overGroup(
  scope: Scope,
  aggregates: Readonly<Record<string, string>>,
  computed: readonly string[],
): string {
  const metrics = chosenMetrics(scope)
  const values = `[${metrics.map(({ key }) => `b.${key}`).join(', ')}]`
  const names = Object.keys(aggregates)
  return `
WITH (
  SELECT (toString(b.cohort), toString(b.hq_state), ${values})
  FROM bank_quarters AS b
  WHERE b.report_date = {as_of:Date} AND b.rssd_id = {rssd_id:UInt32}
) AS own
SELECT
  {rssd_id:UInt32} AS rssd_id, {as_of:Date} AS report_date, position, metric, label, unit, direction,
  ${['value', ...names, 'banks', ...computed].join(', ')}
FROM (
  SELECT toUInt32(count()) AS banks, ${names.map((name) => `${aggregates[name]} AS all_${name}`).join(', ')}
  FROM (
    SELECT ${values} AS v
    FROM bank_quarters AS b
    WHERE b.report_date = {as_of:Date} AND ${groupCondition(scope)}
    ORDER BY b.rssd_id
  )
)
ARRAY JOIN
  ${quotedList(metrics.map(({ key }) => key))} AS metric,
  ${quotedList(metrics.map(({ label }) => label))} AS label,
  ${quotedList(metrics.map(({ unit }) => unit))} AS unit,
  ${quotedList(metrics.map(({ direction }) => direction))} AS direction,
  range(1, ${metrics.length + 1}) AS position,
  ${[['value', 'own.3'], ...names.map((name) => [name, `all_${name}`])].map(([name, array]) => `${array} AS ${name}`).join(', ')}`
}

/** The metrics asked for, else the headline ones. */
function chosenMetrics(scope: Scope): readonly Metric[] {
  return scope.metrics.length > 0 ? scope.metrics : banks.headline.map((key) => banks.metric(key)!)
}

/** Of the banks with a value: how many there are, how many are below the bank and how many equal it. */
export const standing = {
  present: 'arrayMap(banks -> toUInt32(banks), countForEach(v))',
  below: 'sumForEach(arrayMap((one, bank) -> one < bank, v, own.3))',
  equal: 'sumForEach(arrayMap((one, bank) -> one = bank, v, own.3))',
} as const

const counted = { below: 'below', equal: 'equal', present: 'present' } as const

/** SQL of the percentile over the standing. */
export const percentileSql = percentileRank.sql(counted)

/** SQL of the rank over the standing. */
export const rankSql = `if(value IS NULL, NULL, toUInt32(if(direction = 'lower', ${rankFrom.least.sql(counted)}, ${rankFrom.greatest.sql(counted)})))`

/** The 5-number summary and the mean beside the standing. */
export const summary = {
  ...standing,
  five: 'quantilesExactInclusiveForEach(0, 0.25, 0.5, 0.75, 1)(v)',
  average: 'avgForEach(v)',
} as const

const own = `
  SELECT (toString(b.cohort), toString(b.hq_state), b.total_assets)
  FROM bank_quarters AS b
  WHERE b.report_date = {as_of:Date} AND b.rssd_id = {rssd_id:UInt32}`

const peerColumns = `
  b.rssd_id AS rssd_id, b.cert AS cert, b.legal_name AS legal_name, b.city AS city, b.hq_state AS hq_state,
  b.charter AS charter, b.regulator AS regulator, b.report_date AS report_date, b.cohort AS cohort,
  b.total_assets AS total_assets`

/** The `{n:UInt32}` banks of the tier (and state) whose total assets are nearest by factor, nearest first. */
export const nearestBySize = (scope: Scope): string => `
WITH (${own}) AS own
SELECT *, toUInt32(row_number() OVER (ORDER BY distance, rssd_id)) AS position
FROM (
  SELECT ${peerColumns},
    abs(log(b.total_assets) - log(own.3)) AS distance,
    CAST(NULL, 'Nullable(Float64)') AS size_distance,
    CAST(NULL, 'Nullable(Float64)') AS loan_mix_distance,
    CAST(NULL, 'Nullable(Float64)') AS funding_mix_distance,
    if(b.hq_state = own.2, 'same state', 'elsewhere') AS place,
    concat('total assets ', toString(round(assumeNotNull(b.total_assets / own.3), 3)), ' times those of the bank, same asset tier',
      if(b.hq_state = own.2, ', same state', '')) AS why
  FROM bank_quarters AS b
  WHERE b.report_date = {as_of:Date} AND b.rssd_id != {rssd_id:UInt32} AND b.cohort = own.1
    AND b.total_assets > 0 AND own.3 > 0${scope.is('cohort', 'size_state') ? ' AND b.hq_state = own.2' : ''}
  ORDER BY distance, rssd_id
  LIMIT {n:UInt32}
)`

/** What the task `similar-banks` found, beside the banks' identity. */
export const nearestBySimilarity = `
SELECT ${peerColumns},
  toUInt32(near.place) AS position,
  CAST(near.distance, 'Nullable(Float64)') AS distance,
  CAST(near.size, 'Nullable(Float64)') AS size_distance,
  CAST(near.loan_mix, 'Nullable(Float64)') AS loan_mix_distance,
  CAST(near.funding_mix, 'Nullable(Float64)') AS funding_mix_distance,
  transform(near.geography, [0, 1], ['same state', 'same division'], 'elsewhere') AS place,
  concat('size ', toString(round(near.size, 2)), ', loan mix ', toString(round(near.loan_mix, 2)), ', funding ',
    toString(round(near.funding_mix, 2)), ' standard deviations apart; ', place) AS why
FROM bank_quarters AS b
INNER JOIN (
  SELECT rssd_id, place, distance, size, loan_mix, funding_mix, geography
  FROM system.one
  ARRAY JOIN
    {similar_ids:Array(UInt32)} AS rssd_id,
    arrayEnumerate({similar_ids:Array(UInt32)}) AS place,
    {similar_distances:Array(Float64)} AS distance,
    {similar_size:Array(Float64)} AS size,
    {similar_loan_mix:Array(Float64)} AS loan_mix,
    {similar_funding_mix:Array(Float64)} AS funding_mix,
    {similar_geography:Array(Float64)} AS geography
) AS near ON near.rssd_id = b.rssd_id
WHERE b.report_date = {as_of:Date}`
