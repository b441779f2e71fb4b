import { ofCreditUnions, ofDirectory } from '../../catalog/parts/credit-unions.ts'

export default ofCreditUnions.directory({
  key: 'credit-union-directory',
  summary:
    'Every credit union insured by NCUA that ever filed, with its newest identity and headline figures, by charter number.',
  notes:
    '`active` says whether it filed for the latest quarter; of one that did not, the identity and the figures are those of the last quarter that it filed, `report_date`.',
  more: ofDirectory,
  examples: [
    {
      title: 'Texas credit unions, largest first',
      query: 'state=TX&sort=-total_assets',
      expect: { least: 1 },
    },
    { title: 'A page of ten', query: 'limit=10', expect: { rows: 10 } },
    {
      title: 'Credit unions that are gone',
      query: 'active=0&fields=cu_number,legal_name,report_date',
      expect: { least: 1 },
    },
  ],
})
