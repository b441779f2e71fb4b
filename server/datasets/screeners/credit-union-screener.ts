import { ofCreditUnions } from '../../catalog/parts/credit-unions.ts'

export default ofCreditUnions.screener({
  key: 'credit-union-screener',
  summary: 'Every credit union that matches, by charter number; with no limit asked for, all of them.',
  notes:
    'Bounds are inclusive and a null never matches one. `fields` may name any metric of the catalog, `sort` any column.',
  examples: [
    {
      title: 'Texas credit unions of at least $50 million, largest first',
      query: 'state=TX&min_total_assets=50000&sort=-total_assets',
      expect: { least: 1 },
    },
    {
      title: 'Thin capital and many delinquent loans',
      query: 'max_net_worth_ratio=8&min_delinquency_ratio=2&fields=cu_number,legal_name,net_worth_ratio',
      expect: { columns: ['cu_number', 'legal_name', 'net_worth_ratio'] },
    },
  ],
})
