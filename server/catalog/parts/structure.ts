/** The structure of a group as of a day: what the task `structure` finds, beside names and terms. */

import { meaningOfCode, nicTransformations, typeOfCode } from '../../../sql/events/types.ts'
import { holdingCompanies } from '../../../sql/universes/holding-company/index.ts'
import { type Column, code, column, flag, id, longDate, percent, smallCount, text } from '../columns.ts'
import type { Step } from '../define.ts'
import { bank, timeParameters } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { declaredTable } from '../tables.ts'
import { listType, nestedRow } from './nested.ts'

/** The bank or holding company, and the day to look from: `now` is what stands still. */
export const structureParameters = {
  rssd_id: {
    ...bank(),
    ...{ doc: 'RSSD ID of the bank, or of a holding company.', orOf: [holdingCompanies.entity] },
    where: undefined,
  },
  as_of: { ...timeParameters(declaredTable('nic_relationships').time).as_of!, where: undefined },
} as const

/** What the task found, row by row. Not worked out before the query runs. */
const found = (name: string, type: string): string =>
  `SELECT arrayJoin(JSONExtract(materialize({structure_${name}:String}), 'Array(${type})')) AS one`
const rowsFound = found(
  'rows',
  'Tuple(place UInt32, part UInt8, id UInt32, other UInt32, depth UInt32, day Int32, direct Nullable(Float64), effective Nullable(Float64), exact Bool, controlled Bool, kind Int32, accounting_method Int32)',
)
/** All institutions that the rows name, and those of transformations. */
const idsFound = found('ids', 'UInt32')
const changedFound = found('changed', 'UInt32')
/** The bank, those above and those below. */
const groupFound = found('group', 'UInt32')

/** Bits of an edge, as workers/structure/graph.ts reads them: controlled 1, by a bracket 2, held indirectly 4, a transformation 8. */
export const structure: Step = {
  task: 'structure',
  read: `SELECT * FROM (
SELECT parent_rssd_id AS parent, offspring_rssd_id AS child, toInt32(start_date) AS first, toInt32(end_date) AS last, percent_equity AS percent,
  toUInt8((ifNull(controlled, 0) = 1) + 2 * (ifNull(equity_basis, 0) = 2) + 4 * (level = 2)) AS kind, 0::Int32 AS code, 0::Int32 AS method
FROM nic_relationships WHERE level IN (1, 2, 4)
UNION ALL
SELECT successor_rssd_id, predecessor_rssd_id, toInt32(date), NULL, NULL, toUInt8(8), toInt32(t.kind), toInt32(t.accounting_method) FROM transformations AS t
) ORDER BY parent, child, first, last, kind, percent, code, method`,
  binds: {
    structure_rows: 'String',
    structure_ids: 'String',
    structure_changed: 'String',
    structure_group: 'String',
    structure_complete: 'Bool',
    chain_ids: 'Array(UInt32)',
  },
}

const lookingBack = (scope: Scope) => scope.has('as_of') && !scope.is('as_of', 'now')

/** What institutions are called on the day: NIC's row of then, else their newest name. */
const namesOf = (ids: string, scope: Scope): string =>
  lookingBack(scope)
    ? `SELECT rssd_id, argMax(legal_name, since) AS legal_name, argMax(entity_type, since) AS entity_type, argMax(city, since) AS city, argMax(state, since) AS state
  FROM (SELECT rssd_id, legal_name, entity_type, city, state, (1, start_date) AS since FROM nic_institutions WHERE rssd_id IN (${ids}) AND start_date <= {as_of:Date32}
    UNION ALL SELECT rssd_id, legal_name, entity_type, city, state, (0, toDate32('1900-01-01')) FROM institution_names WHERE rssd_id IN (${ids}))
  GROUP BY rssd_id`
    : `SELECT rssd_id, legal_name, entity_type, city, state FROM institution_names WHERE rssd_id IN (${ids})`

export const relativeColumns: readonly Column[] = [
  id('rssd_id', 'RSSD ID'),
  text('legal_name', 'Name', { nullable: true }),
  code('entity_type', 'Entity type', { nullable: true, doc: 'NIC’s.' }),
  text('city', 'City', { nullable: true }),
  code('state', 'State', { nullable: true }),
  smallCount('depth', 'Steps', { doc: 'Fewest relationships between the two.' }),
  percent('percent_direct', 'Held directly'),
  percent('percent_effective', 'Held in effect', {
    doc: 'Shares multiplied along each path and added up over all of them; null where no path is known throughout.',
  }),
  flag('exact', 'Exact', {
    doc: 'False where a share on the way is unknown, or told as a bracket: then the effective share is the least.',
  }),
  flag('controlled', 'Controlled', { doc: 'Whether control leads all the way; false: below control.' }),
]

export const relationshipColumns: readonly Column[] = [
  id('parent_rssd_id', 'Parent'),
  id('offspring_rssd_id', 'Offspring'),
  percent('percent_equity', 'Voting shares held', {
    doc: 'Null where control does not rest on them, or it is not known.',
  }),
  text('percent_bracket', 'Bracket', { nullable: true }),
  percent('percent_other', 'Other shares held'),
  flag('controlled', 'Controlled', { doc: 'False: below control.' }),
  column('UInt8', 'level', 'Level', { doc: '1: held directly; 4: for debt.' }),
  longDate('start_date', 'Since', { doc: 'First day of which the terms are true.' }),
  longDate('end_date', 'Until', { nullable: true, doc: 'Last day; null where they still are.' }),
]

/** Every direct relationship among the bank, those above and those below: a relation of one row. */
export const relationshipsAmong = (scope: Scope): string =>
  nestedRow(
    'relationships',
    `SELECT parent_rssd_id, offspring_rssd_id, percent_equity, percent_bracket, percent_other, ifNull(r.controlled, 0) = 1 AS controlled, level, start_date, end_date
    FROM nic_relationships AS r
    WHERE level IN (1, 4) AND parent_rssd_id IN (${groupFound}) AND offspring_rssd_id IN (${groupFound})
      AND ${lookingBack(scope) ? 'start_date <= {as_of:Date32} AND (end_date IS NULL OR end_date >= {as_of:Date32})' : 'end_date IS NULL'}
    ORDER BY parent_rssd_id, offspring_rssd_id, start_date`,
    relationshipColumns,
  )

export const transformationColumns: readonly Column[] = [
  smallCount('depth', 'Depth in the tree', {
    doc: '1: of the bank itself; 2: of an institution of depth 1 above it in the list; and so on.',
  }),
  id('rssd_id', 'Who was transformed'),
  text('legal_name', 'Name', { nullable: true }),
  id('into_rssd_id', 'Into whom'),
  text('into_name', 'Name of the other', { nullable: true }),
  longDate('date', 'Date'),
  code('type', 'Type', { doc: 'As in `structural-events`.' }),
  column('Int64', 'code', 'NIC’s code'),
  text('meaning', 'Meaning of the code'),
  column('Int64', 'accounting_method', 'Accounting method', {
    doc: '1: pooling; 2: purchase; 0: not applicable.',
  }),
]

/** What the worker calls the parts. */
const parts = { parents: 1, subsidiaries: 2, predecessors: 3, successors: 4 } as const
type Part = keyof typeof parts

/**
 * One row: the institution by its name of the day, and of the parts asked for those above and below it, nearest first, and the
 * trees of transformations, each event before those that led to it.
 */
export function structureSql(scope: Scope, wanted: readonly Part[]): string {
  const relative = 'id, own_name, own_type, own_city, own_state, depth, direct, effective, exact, controlled'
  const event = `depth, id, own_name, other, other_name, toDate32(day), ${typeOfCode(nicTransformations, 'kind')}, kind, ${meaningOfCode(nicTransformations, 'kind')}, accounting_method`
  const lists = wanted.map((part) => {
    const tree = part === 'predecessors' || part === 'successors'
    const type = listType(tree ? transformationColumns : relativeColumns)
    return `CAST(groupArrayIf((${tree ? event : relative}), part = ${parts[part]}), '${type}') AS ${part}`
  })
  return `
SELECT anyIf(own_name, part = 0) AS legal_name, anyIf(own_type, part = 0) AS entity_type, anyIf(own_city, part = 0) AS city, anyIf(own_state, part = 0) AS state, ${lists.join(', ')}
FROM (
  SELECT r.*, nullIf(n.legal_name, '') AS own_name, n.entity_type AS own_type, nullIf(n.city, '') AS own_city, n.state AS own_state, nullIf(o.legal_name, '') AS other_name
  FROM (SELECT one.1 AS place, one.2 AS part, one.3 AS id, one.4 AS other, one.5 AS depth, one.6 AS day, one.7 AS direct, one.8 AS effective, one.9 AS exact, one.10 AS controlled,
      one.11 AS kind, one.12 AS accounting_method
    FROM (${rowsFound}) WHERE part IN (0, ${wanted.map((part) => parts[part]).join(', ')})) AS r
  LEFT ANY JOIN (${namesOf(idsFound, scope)}) AS n ON n.rssd_id = r.id
  LEFT ANY JOIN (${namesOf(changedFound, scope)}) AS o ON o.rssd_id = r.other
  ORDER BY place
)`
}
