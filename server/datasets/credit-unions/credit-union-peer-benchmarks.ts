import { ofCreditUnions } from '../../catalog/parts/credit-unions.ts'

export default ofCreditUnions.benchmarks({
  key: 'credit-union-peer-benchmarks',
  summary: 'Mean and 5-number summary of each metric in each of NCUA’s asset groups.',
  notes:
    'Of the latest quarter, or the one of `as_of`; with `from` or `to`, of every quarter of the window up to it. Each credit union counts once, whatever its size. Quartiles are interpolated between neighbours (inclusive method).',
  examples: [
    { title: 'Net worth ratio by asset group', query: 'metrics=net_worth_ratio', expect: { least: 2 } },
    {
      title: 'Loans to shares of all credit unions over time',
      query: 'metrics=loan_to_share_ratio&tier=all&from=2017Q1',
      expect: { least: 1 },
    },
  ],
})
