import { screener } from '../../catalog/parts/banks.ts'

export default screener({
  key: 'bank-screener',
  summary: 'Every bank that matches, by RSSD ID; with no limit asked for, all of them.',
  notes:
    'Bounds are inclusive and a null never matches one. `fields` may name any metric of the catalog, `sort` any column.',
  examples: [
    {
      title: 'Georgia banks of at least $500 million, largest first',
      query: 'state=GA&min_total_assets=500000&sort=-total_assets',
      expect: { least: 1 },
    },
    {
      title: 'Thinly capitalised and unprofitable',
      query: 'max_tier1_leverage_ratio=8&max_roa=0&fields=rssd_id,legal_name,tier1_leverage_ratio,roa',
      expect: { columns: ['rssd_id', 'legal_name', 'tier1_leverage_ratio', 'roa'] },
    },
  ],
})
