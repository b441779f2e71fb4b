import { fredSeriesById } from '../../../sql/sources/fred-series.ts'
import { code, percent } from '../../catalog/columns.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

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

export default observationDataset({
  key: 'rates-consumer',
  summary:
    'Interest rates on consumer credit (Federal Reserve G.19), one row a period and product, oldest first.',
  notes:
    'Rates of commercial banks in the middle month of each quarter, by way of FRED. The 48-month car loan was replaced by the 60-month one.',
  series,
  by: code('series', 'Product'),
  choose: 'Product, or several by comma.',
  measures: [percent('rate', 'Rate', { nullable: false })],
  latest: 'series',
  sources: ['fred'],
  examples: [
    { title: 'The newest of each', query: 'latest=1', expect: { least: 1 } },
    { title: 'Credit cards', query: 'series=credit_card', expect: { least: 1 } },
  ],
})
