import { linkedRelation } from '../../../sql/entities/links.ts'
import { ENFORCEMENT } from '../../../sql/sources/enforcement.ts'
import { code, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'
import { bank, choice } from '../../catalog/parameters.ts'
import {
  actionColumns,
  actionParameters,
  actions,
  enforcementSources,
} from '../../catalog/parts/enforcement.ts'

const named = (against: string, condition: string) =>
  `SELECT *, '${against}' AS against FROM ${linkedRelation(ENFORCEMENT)} WHERE ${condition}`

export default dataset({
  key: 'bank-enforcement',
  summary:
    'Enforcement actions against one bank and its people, newest first; with `include=holding_company` also those against its holding company.',
  notes:
    'Actions whose institution is not certain to be this bank are left out: enforcement-feed has them. An action that names both the bank and its holding company is one row, of the bank. The holding company is the newest that FDIC knows.',
  from: (scope) => `
    SELECT * EXCEPT (rssd_id, holding_company_rssd_id), {rssd_id:UInt32} AS rssd_id FROM (
      ${named('bank', 'rssd_id = {rssd_id:UInt32}')}
      ${
        scope.has('include')
          ? `UNION ALL ${named('holding company', `holding_company_rssd_id > 0 AND holding_company_rssd_id = (SELECT max(holding_company_rssd_id) FROM banks WHERE rssd_id = {rssd_id:UInt32})`)}`
          : ''
      }
    ) ORDER BY against LIMIT 1 BY agency, id`,
  time: actions.time,
  grain: ['agency', 'id'],
  order: ['-start_date'],
  parameters: {
    rssd_id: bank(),
    ...actionParameters,
    include: choice(['holding_company'], { doc: 'Actions against the holding company too.' }),
  },
  columns: [
    rssdId,
    code('against', 'Against', { doc: 'Whether it names the bank, or its holding company alone.' }),
    ...actionColumns,
  ],
  sources: enforcementSources,
  examples: [
    { title: 'Every action against the bank' },
    { title: 'With its holding company', query: 'include=holding_company' },
    { title: 'Penalties', query: 'type=civil_money_penalty' },
  ],
})
