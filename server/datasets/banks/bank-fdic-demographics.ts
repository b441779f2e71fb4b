import { code, over, reportDate, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, lookFrom } from '../../catalog/parameters.ts'
import { certificatesOfBank } from '../../catalog/parts/certificates.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const institutions = declaredTable('fdic_institutions')

export default dataset({
  key: 'bank-fdic-demographics',
  summary:
    'Where a bank is and what kind it is, as the FDIC had it at a quarter: area, minority status, place of the head office, web address and numbers of offices.',
  notes:
    'One row: of the newest edition of the FDIC’s institutions that is loaded, with `as_of` of the newest not after it, else the oldest. `report_date` says which that is. What an edition does not say is null; a bank that is no minority depository institution has no status.',
  from: ({ has }) => `SELECT * EXCEPT rssd_id, {rssd_id:UInt32} AS rssd_id,
  multiIf(metropolitan, 'metropolitan', micropolitan, 'micropolitan', metropolitan = false AND micropolitan = false, 'rural', NULL) AS area
FROM ${institutions.name} AS i WHERE i.rssd_id = {rssd_id:UInt32} OR cert IN ${certificatesOfBank}
ORDER BY ${has('as_of') ? 'report_date <= {as_of:Date32} DESC, if(report_date <= {as_of:Date32}, -1, 1) * toInt32(report_date)' : 'report_date DESC'}, cert LIMIT 1`,
  time: { kind: 'none' },
  grain: ['report_date', 'cert'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    as_of: lookFrom('The quarter to look from, as 2026Q2 or 2026-06-30. Default: the newest edition.'),
  },
  columns: [
    rssdId,
    ...columnsOf(institutions, ['cert']),
    over(reportDate, { doc: 'Quarter of the edition.' }),
    ...columnsOf(institutions, ['name', 'address', 'city', 'county', 'county_fips', 'state', 'zip']),
    ...columnsOf(institutions, ['latitude', 'longitude', 'cbsa_code', 'cbsa_name', 'csa_name']),
    code('area', 'Area', { nullable: true, doc: 'metropolitan, micropolitan or rural.' }),
    ...columnsOf(institutions, ['minority_status', 'minority_code', 'web_address', 'offices']),
    ...columnsOf(institutions, ['domestic_offices', 'foreign_offices', 'territory_offices']),
    ...columnsOf(institutions, ['active', 'mutual', 'subchapter_s', 'established_date', 'insured_date']),
  ],
  sources: ['fdic-institutions'],
  examples: [
    { title: 'As the FDIC has it now', expect: { rows: 1 } },
    { title: 'At the end of 2025', query: 'as_of=2025Q4', expect: { rows: 1 } },
  ],
})
