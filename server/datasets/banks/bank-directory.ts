import { holdingCompanyName, holdingCompanyRssdId } from '../../catalog/columns.ts'
import { ofBanks } from '../../catalog/parts/banks.ts'

export default ofBanks.directory({
  key: 'bank-directory',
  summary: 'Every bank that ever filed, with its newest identity and headline figures, by RSSD ID.',
  notes:
    '`active` says whether the bank filed for the latest quarter; of a bank that did not, the identity and the figures are those of the last quarter that it filed, `report_date`.',
  more: [holdingCompanyRssdId, holdingCompanyName],
  examples: [
    { title: 'Texas banks, largest first', query: 'state=TX&sort=-total_assets', expect: { least: 1 } },
    {
      title: 'Find a bank by name and take a page of ten',
      query: 'q=bank&limit=10',
      expect: { rows: 10 },
    },
    {
      title: 'Banks that are gone',
      query: 'active=0&fields=rssd_id,legal_name,report_date',
      expect: { least: 1 },
    },
  ],
})
