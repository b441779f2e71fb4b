import { nicTransformations, typeOfCode } from '../../../sql/events/types.ts'
import {
  cert,
  charter,
  city,
  code,
  column,
  flag,
  holdingCompanyName,
  holdingCompanyRssdId,
  hqState,
  id,
  legalName,
  longDate,
  objects,
  over,
  regulator,
  rssdId,
  smallCount,
  text,
} from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank } from '../../catalog/parameters.ts'
import { nested } from '../../catalog/parts/nested.ts'
import { relativeColumns, structure, structureSql } from '../../catalog/parts/structure.ts'

const branchColumns = [code('state', 'State', { nullable: true }), smallCount('branches', 'Branches')]
const branchesByState = nested(
  `SELECT state, toUInt32(count()) AS branches FROM nic_branches WHERE head_office_rssd_id = {rssd_id:UInt32} AND end_date IS NULL GROUP BY state ORDER BY branches DESC, state`,
  branchColumns,
)

/** NIC's newest row, FDIC's newest edition, and the last transformation that ended the charter. */
const own = `
SELECT {rssd_id:UInt32} AS rssd_id, coalesce(f.cert, k.cert) AS cert,
  coalesce(f.name, nullIf(k.legal_name, '')) AS legal_name, nullIf(coalesce(f.city, k.city), '') AS city, coalesce(nullIf(f.state, ''), k.state) AS hq_state,
  coalesce(nullIf(f.charter_class, ''), transform(ifNull(n.entity_type, ''), ['NAT', 'SMB', 'NMB', 'FSB', 'SAL', 'SSB', 'CPB'], ['N', 'SM', 'NM', 'SA', 'SA', 'SB', 'SB'], NULL)) AS charter,
  coalesce(nullIf(f.regulator, ''), if(n.primary_regulator = 'FRS', 'FED', n.primary_regulator)) AS regulator,
  k.entity_type AS entity_type, nullIf(k.charter_type, 0) AS charter_type, coalesce(n.established_date, toString(f.established_date)) AS established_date,
  n.terminated_date AS terminated_date, n.termination_reason AS termination_reason, f.offices AS offices, f.holding_company_rssd_id AS fdic_holder, f.holding_company_name AS fdic_holder_name,
  t.successor_rssd_id AS became_rssd_id, s.legal_name AS became_name, t.date AS became_date, t.type AS became_type
FROM (SELECT {rssd_id:UInt32} AS id) AS o
LEFT ANY JOIN (SELECT * FROM institution_names WHERE rssd_id = {rssd_id:UInt32}) AS k ON k.rssd_id = o.id
LEFT ANY JOIN (SELECT * FROM nic_institutions WHERE rssd_id = {rssd_id:UInt32} ORDER BY start_date DESC LIMIT 1) AS n ON n.rssd_id = o.id
LEFT ANY JOIN (
  SELECT {rssd_id:UInt32} AS id, toNullable(cert) AS cert, toNullable(name) AS name, toNullable(city) AS city, state, charter_class, regulator, established_date, offices, holding_company_rssd_id, holding_company_name
  FROM fdic_institutions WHERE cert = (SELECT cert FROM institution_names WHERE rssd_id = {rssd_id:UInt32}) AND rssd_id = {rssd_id:UInt32} ORDER BY report_date DESC LIMIT 1
) AS f ON f.id = o.id
LEFT ANY JOIN (
  SELECT predecessor_rssd_id, toNullable(successor_rssd_id) AS successor_rssd_id, toNullable(date) AS date, toNullable(${typeOfCode(nicTransformations, 'kind')}) AS type
  FROM transformations WHERE predecessor_rssd_id = {rssd_id:UInt32} AND kind IN (1, 9, 50) ORDER BY date DESC LIMIT 1
) AS t ON t.predecessor_rssd_id = o.id
LEFT ANY JOIN (SELECT toNullable(rssd_id) AS rssd_id, toNullable(legal_name) AS legal_name FROM institution_names
  WHERE rssd_id IN (SELECT successor_rssd_id FROM transformations WHERE predecessor_rssd_id = {rssd_id:UInt32})) AS s ON s.rssd_id = t.successor_rssd_id`

export default dataset({
  key: 'bank-structure',
  summary:
    'One bank: its charter and supervisor, the chain of its holding companies, its branches, and what it became if it is closed.',
  notes:
    'Charter class, regulator and offices are FDIC’s newest; of institutions that FDIC does not know, as NIC’s entity type says. The chain goes from the bank to whoever controls it by the largest share, as NIC has it, and on from there; the holding company is its last, else FDIC’s. Closed banks are found as well: `became_rssd_id` says what they became part of.',
  from: (scope) => `
SELECT own.*, above.parents AS parents, arrayMap(id -> parents[indexOf(parents.rssd_id, id)], {chain_ids:Array(UInt32)}) AS holding_companies, if(notEmpty(holding_companies), holding_companies[-1].rssd_id, fdic_holder) AS holding_company_rssd_id,
  if(notEmpty(holding_companies), holding_companies[-1].legal_name, fdic_holder_name) AS holding_company_name,
  ${branchesByState} AS branches_by_state, if(notEmpty(branches_by_state), toUInt32(arraySum(branches_by_state.branches)), NULL) AS branches,
  CAST(terminated_date IS NULL AND became_rssd_id IS NULL, 'Bool') AS active
FROM (${own}) AS own CROSS JOIN (${structureSql(scope, ['parents'])}) AS above`,
  grain: ['rssd_id'],
  steps: [structure],
  parameters: { rssd_id: { ...bank(), where: undefined } },
  columns: [
    rssdId,
    over(cert, { nullable: true }),
    over(legalName, { nullable: true }),
    over(city, { nullable: true }),
    over(hqState, { nullable: true }),
    charter,
    regulator,
    code('entity_type', 'Entity type', { nullable: true, doc: 'NIC’s: NAT, SMB, NMB, FSB, SSB and others.' }),
    column('UInt32', 'charter_type', 'Charter type', {
      nullable: true,
      doc: 'NIC’s code: 200 commercial bank, 300 savings bank, 340 industrial bank and others.',
    }),
    text('established_date', 'Established', { nullable: true, doc: 'ISO 8601.' }),
    flag('active', 'Active'),
    longDate('terminated_date', 'Last day', { nullable: true }),
    column('UInt8', 'termination_reason', 'Reason of termination', { nullable: true, doc: 'NIC’s code.' }),
    id('became_rssd_id', 'Became part of', { nullable: true }),
    text('became_name', 'Name of what it became part of', { nullable: true }),
    longDate('became_date', 'Day of that', { nullable: true }),
    code('became_type', 'Kind of that', { nullable: true, doc: 'merger, failure or reorganization.' }),
    holdingCompanyRssdId,
    holdingCompanyName,
    objects('holding_companies', 'Chain of holding companies', relativeColumns, {
      doc: 'Those that control the bank, nearest first.',
    }),
    smallCount('offices', 'Offices', { nullable: true, doc: 'FDIC’s count, with the main office.' }),
    smallCount('branches', 'Branches', {
      nullable: true,
      doc: 'That NIC knows as open; null where it knows none.',
    }),
    objects('branches_by_state', 'Branches by state', branchColumns, { doc: 'NIC’s open branches.' }),
  ],
  sources: ['nic-attributes', 'nic-relationships', 'nic-transformations', 'fdic-institutions'],
  examples: [{ title: 'Charter, supervisor, holding companies', expect: { rows: 1 } }],
})
