import { ofBanks } from '../../catalog/parts/banks.ts'

export default ofBanks.trends({
  key: 'bank-trends',
  summary: 'Quarterly series of the key metrics of one bank, oldest first.',
  sources: ['ffiec-call-report'],
  examples: [
    {
      title: 'Two years of return on assets and net interest margin',
      query: 'quarters=8&metrics=roa,nim',
      expect: { rows: 8, columns: ['rssd_id', 'report_date', 'roa', 'nim'] },
    },
    {
      title: 'Beside those of its size',
      query: 'against=cohort&quarters=4&metrics=roa,nim',
      expect: { rows: 8 },
    },
    { title: 'Everything since 2017', query: 'from=2017Q1', expect: { least: 1 } },
  ],
})
