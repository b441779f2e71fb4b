import { quotedList } from '../../../sql/quoted.ts'
import { stateNames, states } from '../../../sql/states.ts'
import { code, column, count, money, reportDate, smallCount, text } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { stateKind } from '../../catalog/parts/state-names.ts'
import { declaredTable } from '../../catalog/tables.ts'

const surveyed = declaredTable('branch_deposits')

export default dataset({
  key: 'reference-states',
  summary:
    'States and territories with the banks and credit unions that have their head office there, and with the branches and deposits that lie there, by USPS code.',
  notes:
    'Of the latest quarter. Offices, deposits and assets are all of the banks with their head office in the state, wherever those lie; branches and branch deposits are what lies in the state, of whatever bank, by the newest Summary of Deposits. A state without any has zeros; branches are null where no survey is loaded. Credit unions are those that NCUA insures, of their own latest quarter.',
  from: `
SELECT s.state AS state, s.name AS name, s.kind AS kind, q.latest AS report_date, b.banks AS banks, b.offices AS offices,
  b.deposits AS deposits, b.assets AS assets, if(y.year = 0, NULL, y.year) AS branch_year, if(y.year = 0, NULL, d.branches) AS branches,
  if(y.year = 0, NULL, d.branch_banks) AS branch_banks, if(y.year = 0, NULL, d.branch_deposits) AS branch_deposits,
  c.credit_unions AS credit_unions, c.members AS members
FROM (
  SELECT state, name, kind FROM system.one
  ARRAY JOIN ${quotedList(states)} AS state, ${quotedList(states.map((state) => stateNames[state]!))} AS name, ${quotedList(states.map(stateKind))} AS kind
) AS s
LEFT JOIN (
  SELECT toString(hq_state) AS state, toUInt32(count()) AS banks, toUInt64(sum(ifNull(branches, 0))) AS offices,
    sum(ifNull(total_deposits, 0)) AS deposits, sum(ifNull(total_assets, 0)) AS assets
  FROM banks WHERE active GROUP BY state
) AS b ON b.state = s.state
LEFT JOIN (
  SELECT toString(credit_unions.state) AS state, toUInt32(count()) AS credit_unions, toUInt64(sum(ifNull(members, 0))) AS members
  FROM credit_unions WHERE active GROUP BY state
) AS c ON c.state = s.state
LEFT JOIN (
  SELECT toString(state) AS state, toUInt32(count()) AS branches, toUInt32(uniqExact(rssd_id)) AS branch_banks, sum(ifNull(deposits, 0)) AS branch_deposits
  FROM ${surveyed.name} WHERE year = (SELECT max(year) FROM ${surveyed.name}) GROUP BY state
) AS d ON d.state = s.state
CROSS JOIN (SELECT max(year) AS year FROM ${surveyed.name}) AS y
CROSS JOIN (SELECT max(report_date) AS latest FROM quarters) AS q`,
  grain: ['state'],
  columns: [
    code('state', 'State', { doc: 'USPS code.' }),
    text('name', 'Name'),
    code('kind', 'Kind', { doc: 'state, district, territory or freely associated state.' }),
    reportDate,
    smallCount('banks', 'Banks', { doc: 'With the head office there.' }),
    count('offices', 'Offices', { doc: 'Of those banks; 0 where FDIC institution data is not loaded.' }),
    money('deposits', 'Deposits of those banks', { nullable: false }),
    money('assets', 'Total assets of those banks', { nullable: false }),
    column('UInt16', 'branch_year', 'Year of the branches', {
      nullable: true,
      doc: 'Of the Summary of Deposits: branches and their deposits are those of its 30 June.',
    }),
    smallCount('branches', 'Branches in the state', {
      nullable: true,
      doc: 'Offices of all service types, main offices too, of whatever bank.',
    }),
    smallCount('branch_banks', 'Banks with a branch in the state', { nullable: true }),
    money('branch_deposits', 'Deposits at branches in the state'),
    smallCount('credit_unions', 'Credit unions', { doc: 'With the head office there.' }),
    count('members', 'Members of those credit unions'),
  ],
  sources: ['ffiec-call-report', 'fdic-institutions', 'fdic-sod', 'ncua-5300'],
  examples: [
    { title: 'Every state and territory', expect: { rows: states.length } },
    { title: 'Where most banks are', query: 'sort=-banks&limit=5', expect: { rows: 5 } },
  ],
})
