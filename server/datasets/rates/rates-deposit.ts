import { nationalRateSeries, products } from '../../../loaders/fdic-national-rates/products.ts'
import { code, percent, text } from '../columns.ts'
import { dataset } from '../define.ts'
import { fredDepositSeries } from '../deposit-series.ts'
import {
  learntAt,
  observationDate,
  observationParameters,
  observationSource,
  observed,
} from '../observations.ts'
import { oneOfMany } from '../parameters.ts'

const series = products.map(([key, label, name]) => ({
  key,
  label,
  measures: { rate: [nationalRateSeries('RATE', name), fredDepositSeries(name)] },
}))

export default dataset({
  key: 'rates-deposit',
  summary: 'National average deposit rates, one row a month and series, oldest first.',
  notes:
    'The FDIC’s national rates: averages of all insured institutions and credit unions, weighted by deposits, monthly since 2021-04. rates-national has the caps beside them.',
  from: observed(series, {
    key: 'series',
    sources: ['fdic-national-rates', 'fred'],
    period: 'month',
    latest: 'series',
  }),
  grain: ['date', 'series'],
  order: ['date', 'series'],
  parameters: {
    series: oneOfMany(
      'series',
      products.map(([key]) => key),
      { doc: 'Deposit product, or several by comma.' },
    ),
    ...observationParameters,
  },
  columns: [
    observationDate,
    code('series', 'Series'),
    text('label', 'Label'),
    percent('rate', 'Rate', { nullable: false }),
    observationSource,
    learntAt,
  ],
  sources: ['fdic-national-rates', 'fred'],
  examples: [
    { title: 'The newest of each', query: 'latest=1', expect: { least: 1 } },
    { title: 'Savings', query: 'series=savings', expect: { least: 1 } },
  ],
})
