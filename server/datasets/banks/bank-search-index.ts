import { cert, city, flag, hqState, legalName, money, rssdId } from '../../catalog/columns.ts'
import { dataset } from '../../catalog/define.ts'

export default dataset({
  key: 'bank-search-index',
  summary: 'Every bank in a few columns, largest first: what a typeahead needs.',
  from: 'banks',
  grain: ['rssd_id'],
  order: ['-active', '-total_assets'],
  columns: [
    rssdId,
    cert,
    legalName,
    city,
    hqState,
    flag('active', 'Active', { doc: 'Filed for the latest quarter.' }),
    money('total_assets', 'Total assets', { doc: 'In the latest quarter that the bank filed.' }),
  ],
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'The whole index', expect: { least: 1 } },
    { title: 'As arrays, a third of the bytes', query: 'format=columns', expect: { least: 1 } },
  ],
})
