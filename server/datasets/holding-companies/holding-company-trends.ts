import { ofHoldingCompanies } from '../../catalog/parts/holding-company.ts'

export default ofHoldingCompanies.trends({
  key: 'holding-company-trends',
  summary: 'Quarterly series of the key metrics of one holding company, oldest first.',
  examples: [
    {
      title: 'Two years of capital and double leverage',
      query: 'quarters=8&metrics=cet1_ratio,double_leverage',
      expect: { rows: 8, columns: ['rssd_id', 'report_date', 'cet1_ratio', 'double_leverage'] },
    },
    {
      title: 'Beside those of its peer group',
      query: 'against=cohort&quarters=4&metrics=cet1_ratio,roa',
      expect: { rows: 8 },
    },
    { title: 'Everything since 2017', query: 'from=2017Q1', expect: { least: 1 } },
  ],
})
