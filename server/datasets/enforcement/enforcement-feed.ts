import { linkedRelation } from '../../../sql/entities/links.ts'
import { ENFORCEMENT } from '../../../sql/sources/enforcement.ts'
import { column } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { search, state } from '../../catalog/parameters.ts'
import {
  actionColumns,
  actionParameters,
  actions,
  enforcementSources,
} from '../../catalog/parts/enforcement.ts'

export default dataset({
  key: 'enforcement-feed',
  summary:
    'Enforcement actions of the Federal Reserve, the OCC and the FDIC, against institutions and persons, newest first.',
  notes:
    'Types are of one vocabulary; the agency’s own words stand beside. An action that names several institutions is one row. Institutions that are not certain to be one bank have no RSSD ID. What ends or changes an action is a row of its own where the agency tells it so.',
  from: `SELECT a.*, l.rssd_ids AS rssd_ids FROM ${ENFORCEMENT} AS a
    LEFT ANY JOIN (SELECT agency, id, groupUniqArray(assumeNotNull(rssd_id)) AS rssd_ids FROM ${linkedRelation(ENFORCEMENT)}
      WHERE rssd_id IS NOT NULL GROUP BY agency, id) AS l ON l.agency = a.agency AND l.id = a.id`,
  time: actions.time,
  grain: ['agency', 'id'],
  order: ['-start_date'],
  parameters: {
    ...actionParameters,
    state: state('state'),
    q: search([
      "ifNull(institution, '')",
      "arrayStringConcat(persons, ' ')",
      'agency_type',
      "ifNull(number, '')",
    ]),
  },
  bounds: true,
  limit: { default: 100, most: 10_000 },
  columns: [
    ...actionColumns,
    column('Array(UInt32)', 'rssd_ids', 'RSSD IDs', {
      doc: 'Of the banks that it names, as far as these are certain.',
    }),
  ],
  sources: enforcementSources,
  examples: [
    { title: 'The newest actions', query: 'limit=10', expect: { rows: 10 } },
    {
      title: 'Civil money penalties above a million dollars',
      query: 'type=civil_money_penalty&min_penalty=1000',
    },
    { title: 'Orders of the OCC in 2024', query: 'agency=OCC&type=cease_and_desist&from=2024&to=2024' },
  ],
})
