import { nationalRateSeries, products } from '../../../sql/sources/fdic-national-rates.ts'
import { code, percent } from '../../catalog/columns.ts'
import { fredDepositSeries } from '../../catalog/parts/deposit-series.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

const series = products.map(([key, label, name]) => ({
  key,
  label,
  measures: { rate: [nationalRateSeries('RATE', name), fredDepositSeries(name)] },
}))

export default observationDataset({
  key: 'rates-deposit',
  summary: 'National average deposit rates, one row a month and series, oldest first.',
  notes:
    'The FDIC’s national rates: averages of all insured institutions and credit unions, weighted by deposits, monthly since 2021-04. rates-national has the caps beside them.',
  series,
  by: code('series', 'Series'),
  choose: 'Deposit product, or several by comma.',
  measures: [percent('rate', 'Rate', { nullable: false })],
  period: 'month',
  latest: 'series',
  sources: ['fdic-national-rates', 'fred'],
  examples: [
    { title: 'The newest of each', query: 'latest=1', expect: { least: 1 } },
    { title: 'Savings', query: 'series=savings', expect: { least: 1 } },
  ],
})
