import { fredSeriesById } from '../../../loaders/fred/catalog.ts'
import { code, percent, text } from '../columns.ts'
import { dataset } from '../define.ts'
import {
  learntAt,
  observationDate,
  observationParameters,
  observationSource,
  observed,
} from '../observations.ts'
import { oneOfMany } from '../parameters.ts'

const products = [
  ['credit_card', 'TERMCBCCALLNS'],
  ['credit_card_assessed_interest', 'TERMCBCCINTNS'],
  ['personal_24m', 'TERMCBPER24NS'],
  ['new_car_48m', 'TERMCBAUTO48NS'],
  ['new_car_60m', 'RIFLPBCIANM60NM'],
  ['new_car_72m', 'RIFLPBCIANM72NM'],
] as const

const series = products.map(([key, id]) => ({
  key,
  label: fredSeriesById.get(id)!.title,
  measures: { rate: [id] },
}))

export default dataset({
  key: 'rates-consumer',
  summary:
    'Interest rates on consumer credit (Federal Reserve G.19), one row a period and product, oldest first.',
  notes:
    'Rates of commercial banks in the middle month of each quarter, by way of FRED. The 48-month car loan was replaced by the 60-month one.',
  from: observed(series, { key: 'series', sources: ['fred'], latest: 'series' }),
  grain: ['date', 'series'],
  order: ['date', 'series'],
  parameters: {
    series: oneOfMany(
      'series',
      products.map(([key]) => key),
      { doc: 'Product, or several by comma.' },
    ),
    ...observationParameters,
  },
  columns: [
    observationDate,
    code('series', 'Product'),
    text('label', 'Label'),
    percent('rate', 'Rate', { nullable: false }),
    observationSource,
    learntAt,
  ],
  sources: ['fred'],
  examples: [
    { title: 'The newest of each', query: 'latest=1', expect: { least: 1 } },
    { title: 'Credit cards', query: 'series=credit_card', expect: { least: 1 } },
  ],
})
