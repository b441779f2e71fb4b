import { column, money, rssdId, smallCount } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, timeParameters } from '../../catalog/parameters.ts'
import { declaredTable } from '../../catalog/tables.ts'

const deposits = declaredTable('branch_deposits')

export default dataset({
  key: 'bank-branches-rollup',
  summary: 'Offices of a bank and their deposits by year of the Summary of Deposits, oldest first.',
  notes: 'As of 30 June. Offices of all service types count, the main office too.',
  from: `SELECT
  rssd_id, year, toUInt32(count()) AS branches, toUInt32(countIf(service_type < 20)) AS full_service, sum(deposits) AS total_deposits,
  toUInt32(uniqExactIf(state, state != '')) AS states, toUInt32(uniqExact(county_fips)) AS counties, toUInt32(uniqExact(cbsa_code)) AS cbsas,
  max(deposits) AS largest_branch_deposits, toUInt32(countIf(toYear(acquired_date) = year OR (toYear(acquired_date) = year - 1 AND toMonth(acquired_date) > 6))) AS acquired
FROM ${deposits.name} WHERE rssd_id = {rssd_id:UInt32} GROUP BY rssd_id, year`,
  time: deposits.time,
  grain: ['year'],
  order: ['year'],
  parameters: { rssd_id: { ...bank(), where: undefined }, ...timeParameters(deposits.time) },
  columns: [
    rssdId,
    column('UInt16', 'year', 'Year', { doc: 'Deposits are those of 30 June.' }),
    smallCount('branches', 'Offices'),
    smallCount('full_service', 'Full-service offices'),
    money('total_deposits', 'Deposits', { doc: 'Of domestic offices; null where the survey gives none.' }),
    money('largest_branch_deposits', 'Deposits of the largest office'),
    smallCount('states', 'States'),
    smallCount('counties', 'Counties'),
    smallCount('cbsas', 'CBSAs'),
    smallCount('acquired', 'Offices bought', { doc: 'In the twelve months before 30 June.' }),
  ],
  sources: ['fdic-sod'],
  examples: [
    { title: 'Every year', expect: { least: 1 } },
    { title: 'Since 2018', query: 'from=2018&fields=year,branches,total_deposits' },
  ],
})
