import { rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank } from '../../catalog/parameters.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const deposits = declaredTable('branch_deposits')
const columns = columnsOf(deposits, [
  ...['branch_number', 'name', 'address', 'city', 'state', 'zip', 'main_office', 'service_type', 'deposits'],
  ...['latitude', 'longitude', 'year'],
])
const placed = 'latitude IS NOT NULL AND longitude IS NOT NULL'
const mine = 'rssd_id = {rssd_id:UInt32}'

export default dataset({
  key: 'bank-branches-map',
  summary:
    'Where the offices of a bank are, in its newest year of the Summary of Deposits, by office number.',
  notes:
    'Offices without coordinates are not among them. With format=geojson each is a point of a FeatureCollection (RFC 7946), longitude first, WGS 84.',
  from: `SELECT * FROM ${deposits.name} WHERE ${mine} AND year = (SELECT max(year) FROM ${deposits.name} WHERE ${mine})
  AND ${placed}`,
  allRows: {
    from: `SELECT * FROM ${deposits.name} WHERE ${placed}
  AND (rssd_id, year) IN (SELECT rssd_id, max(year) FROM ${deposits.name} GROUP BY rssd_id)`,
    by: { rssd_id: 'rssd_id' },
  },
  time: deposits.time,
  point: { latitude: 'latitude', longitude: 'longitude' },
  grain: ['branch_number'],
  order: ['branch_number'],
  parameters: { rssd_id: { ...bank(), where: undefined } },
  columns: [rssdId, ...columns],
  sources: ['fdic-sod'],
  examples: [
    { title: 'Points with deposits', expect: { least: 1 } },
    { title: 'A layer for a map', query: 'format=geojson&fields=name,deposits' },
  ],
})
