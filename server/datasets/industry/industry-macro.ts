import { fredSeriesById } from '../../../sql/sources/fred-series.ts'
import { code, figure } from '../../catalog/columns.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

/** What moves with banks' results. Those whose publishers forbid handing them on are there once a user loads them. */
const ids = [
  'DFF',
  'DPRIME',
  'SOFR',
  'RRPONTSYD',
  'T10Y2Y',
  'T10Y3M',
  'T5YIE',
  'T10YIE',
  'T5YIFR',
  'BAA10Y',
  'AAA10Y',
  'BAMLC0A0CM',
  'BAMLH0A0HYM2',
  'VIXCLS',
  'NFCI',
  'UNRATE',
  'CPIAUCSL',
  'GDPC1',
] as const

const series = ids.map((id) => {
  const { title, unit, frequency } = fredSeriesById.get(id)!
  return { key: id, label: title, texts: { unit, frequency }, measures: { value: [id] } }
})

export default observationDataset({
  key: 'industry-macro',
  summary:
    'Policy rates, yield spreads, breakeven inflation, credit spreads, volatility and the economy; one row a date and series, oldest first.',
  notes:
    'By way of FRED, under its identifiers. BAA10Y, AAA10Y, the ICE BofA spreads and the VIX are there only where a user loaded them: their publishers forbid handing them on. The economy’s series are revised: `as_of` gives what was known.',
  series,
  by: code('series', 'Series'),
  choose: 'FRED identifier, or several by comma.',
  measures: [
    figure('value', 'Value', { nullable: false, doc: 'In the unit of the row.' }),
    code('unit', 'Unit'),
    code('frequency', 'Frequency'),
  ],
  latest: 'series',
  sources: ['fred'],
  examples: [
    { title: 'The newest of each', query: 'latest=1', expect: { least: 3 } },
    { title: 'The slope of the curve', query: 'series=T10Y2Y,T10Y3M&from=2020-01-01', expect: { least: 5 } },
  ],
})
