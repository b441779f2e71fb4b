import { cbsaCode, form, holdingCompanyName, holdingCompanyRssdId } from '../../catalog/columns.ts'
import { ofBanks } from '../../catalog/parts/banks.ts'

export default ofBanks.snapshot({
  key: 'bank-snapshot',
  summary: 'One bank in its latest filed quarter, or in the one asked for: identity and every metric.',
  more: [form, holdingCompanyRssdId, holdingCompanyName, cbsaCode],
  examples: [
    { title: 'The latest filed quarter', expect: { rows: 1 } },
    {
      title: 'Capital at the latest quarter',
      query: 'fields=rssd_id,report_date,total_assets,cet1_ratio',
      expect: { rows: 1, columns: ['rssd_id', 'report_date', 'total_assets', 'cet1_ratio'] },
    },
  ],
})
