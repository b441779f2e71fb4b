import { ofBanks } from '../../catalog/parts/banks.ts'

export default ofBanks.benchmarks({
  key: 'industry-benchmarks',
  summary: 'Mean and 5-number summary of each metric in each asset-size tier.',
  notes:
    'Of the latest quarter, or the one of `as_of`; with `from` or `to`, of every quarter of the window up to it. Each bank counts once, whatever its size. Quartiles are interpolated between neighbours (inclusive method).',
  sources: ['ffiec-call-report'],
  examples: [
    { title: 'Return on assets by tier', query: 'metrics=roa', expect: { least: 2 } },
    {
      title: 'The margin of all banks over time',
      query: 'metrics=nim&tier=all&from=2017Q1',
      expect: { least: 1 },
    },
  ],
})
