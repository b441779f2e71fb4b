import { rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, oneOfMany, state } from '../../catalog/parameters.ts'
import { certificatesOfBank } from '../../catalog/parts/certificates.ts'
import { columnsOf, declaredTable } from '../../catalog/tables.ts'

const offices = declaredTable('branch_offices')
const serviceTypes = '11 12 13 14 15 16 21 22 23 24 25 26 27 28 29 30'.split(' ')

export default dataset({
  key: 'bank-branches-fdic',
  summary: 'Every office of a bank in the FDIC’s register as it is now, by office number.',
  notes:
    'The register knows banks by certificate: it is joined to the RSSD ID by what other sources say of both. A column that the loaded file lacks is null.',
  from: `SELECT {rssd_id:UInt32} AS rssd_id, *, toString(service_type) AS type FROM ${offices.name} WHERE cert IN ${certificatesOfBank}`,
  time: offices.time,
  grain: ['uninum'],
  order: ['office_number'],
  parameters: {
    rssd_id: { ...bank(), where: undefined },
    state: state('state'),
    service_type: {
      ...oneOfMany('type', serviceTypes, {
        doc: 'Service type of the office, or several by comma: 11 is a full-service branch.',
      }),
      example: '11,12',
    },
  },
  columns: [rssdId, ...columnsOf(offices)],
  sources: ['fdic-locations'],
  examples: [
    { title: 'Every office', expect: { least: 1 } },
    { title: 'Full-service branches', query: 'service_type=11,12&fields=office_number,name,city,state' },
  ],
})
