/**
 * Offices of a bank in the Summary of Deposits and in NIC, each once. They are paired one to one: the main office (number
 * 0) with NIC's head office, then by street and ZIP code, and what is left by name and place.
 */
import { bareAddress, bareBranch } from '../../../sql/entities/names.ts'
import type { Scope } from '../scope.ts'

/** What both say of an office, and what the survey calls it; the survey's word counts. */
const both = {
  ...{ name: ['name', 'legal_name'], address: ['address', 'street'], city: ['city', 'city'] },
  ...{ state: ['toString(state)', "ifNull(toString(state), '')"], zip: ['zip', 'zip'] },
} as const
const ofSurvey =
  'year branch_number uninum county main_office service_type deposits method established_date acquired_date latitude longitude county_fips cbsa_code cbsa_name'.split(
    ' ',
  )
const ofNic = ['branch_rssd_id', 'opened_date', 'end_date']

const newest = '(SELECT max(year) FROM branch_deposits WHERE rssd_id = {rssd_id:UInt32})'
const surveyed = 'makeDate32({year:UInt16}, 6, 30)'

/** An office with the keys that pair it. Its values are one tuple, as a query of thirty columns is long to plan. */
const rowOf = (side: 's' | 'n', id: string, main: string, from: string): string => {
  const values = Object.values(both).map((of) => of[side === 's' ? 0 : 1])
  const [name, address, city, state, zip] = values as [string, string, string, string, string]
  const rest = (side === 's' ? ofSurvey : ofNic.map((column) => column.replace('branch_', ''))).map(
    (column) => `toNullable(${column})`,
  )
  const row = `[(${[...values, ...rest].join(', ')})]`
  return `SELECT '${side}' AS side, ${id} AS id, multiIf(${main}, 'main', ${address} = '', '', concat(${bareAddress(address)}, ' ', substring(${zip}, 1, 5))) AS place_key,
    concat(${bareBranch(name)}, ', ', lower(${city}), ' ', ${state}) AS name_key,
    ${side === 's' ? row : '[]'} AS s_row, ${side === 'n' ? row : '[]'} AS n_row
  FROM ${from}`
}

/** NIC's rows of the day of the survey, or those of now. */
const offices = ({ has }: Scope): string => {
  const asked = has('year')
  const then = (opened: string) =>
    asked ? `${opened} <= ${surveyed} AND (end_date IS NULL OR end_date >= ${surveyed})` : 'end_date IS NULL'
  return [
    rowOf(
      's',
      'branch_number',
      'branch_number = 0',
      `branch_deposits WHERE rssd_id = {rssd_id:UInt32} AND year = ${asked ? '{year:UInt16}' : newest}`,
    ),
    rowOf(
      'n',
      'rssd_id',
      'false',
      `nic_branches WHERE head_office_rssd_id = {rssd_id:UInt32} AND ${then('ifNull(opened_date, start_date)')}`,
    ),
    rowOf(
      'n',
      'rssd_id',
      'true',
      `nic_institutions WHERE rssd_id = {rssd_id:UInt32} AND ${then('start_date')} ORDER BY start_date DESC LIMIT 1`,
    ),
  ]
    .map((sql) => `SELECT * FROM (${sql})`)
    .join('\nUNION ALL\n')
}

/**
 * Adds the column `as` with what an office is paired by, '' where it is not: the nth of one source with the nth of the
 * other among those of the same key. All in one level, as it is the levels of a query that are long to plan.
 */
const paired = (rows: string, as: string, key: string, free: string): string => `
  SELECT *, if(${free} AND ${key} != '' AND row_number() OVER (PARTITION BY side, ${free}, ${key} ORDER BY id) <=
      least(countIf(side = 's') OVER (PARTITION BY ${free}, ${key}), countIf(side = 'n') OVER (PARTITION BY ${free}, ${key})),
    concat(${key}, ' ', toString(row_number() OVER (PARTITION BY side, ${free}, ${key} ORDER BY id))), '') AS ${as}
  FROM (${rows})`

/** A SELECT of the merged offices: of the year asked for, else the newest that the bank has. */
export function mergedBranches(scope: Scope): string {
  const byPlace = paired(offices(scope), 'by_place', 'place_key', 'true')
  const pairs = paired(byPlace, 'by_name', 'name_key', "by_place = ''")
  const shared = Object.keys(both)
  const survey = ofSurvey.map((name, index) => `survey.${shared.length + index + 1} AS ${name}`)
  const nic = ofNic.map((name, index) => `nic.${shared.length + index + 1} AS ${name}`)
  return `SELECT {rssd_id:UInt32} AS rssd_id, nic_only, office, matched_by, source,
    ${shared.map((name, index) => `if(nic_only, nic.${index + 1}, survey.${index + 1}) AS ${name}`).join(', ')},
    ${[...survey, ...nic].join(', ')}
  FROM (
    SELECT groupArrayArray(s_row) AS surveys, groupArrayArray(n_row) AS nics, surveys[1] AS survey, nics[1] AS nic, empty(surveys) AS nic_only,
      multiIf(startsWith(any(by_place), 'main '), 'number', any(by_place) != '', 'address', any(by_name) != '', 'name', NULL) AS matched_by,
      max(if(side = 's', id, 0)) AS survey_id, if(nic_only, max(id), survey_id) AS office,
      multiIf(nic_only, 'NIC', empty(nics), 'FDIC', 'FDIC and NIC') AS source
    FROM (${pairs}) GROUP BY by_place, by_name, if(by_place = '' AND by_name = '', concat(side, toString(id)), '')
  )`
}
