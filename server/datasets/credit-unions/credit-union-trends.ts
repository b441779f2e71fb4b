import { ofCreditUnions } from '../../catalog/parts/credit-unions.ts'

export default ofCreditUnions.trends({
  key: 'credit-union-trends',
  summary: 'Quarterly series of the key metrics of one credit union, oldest first.',
  examples: [
    {
      title: 'Four quarters of return on assets and net worth',
      query: 'quarters=4&metrics=roa,net_worth_ratio',
      expect: { rows: 4, columns: ['cu_number', 'report_date', 'roa', 'net_worth_ratio'] },
    },
    {
      title: 'Beside those of its size',
      query: 'against=cohort&quarters=4&metrics=roa,net_worth_ratio',
      expect: { rows: 8 },
    },
    { title: 'Everything since 2017', query: 'from=2017Q1', expect: { least: 1 } },
  ],
})
