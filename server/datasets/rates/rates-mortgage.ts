import { code, percent } from '../../catalog/columns.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

const products = [
  ['30y_fixed', '30-year fixed-rate mortgage', 'PMMS_30Y', 'MORTGAGE30US'],
  ['15y_fixed', '15-year fixed-rate mortgage', 'PMMS_15Y', 'MORTGAGE15US'],
  ['5_1_arm', '5/1-year adjustable-rate mortgage', 'PMMS_5_1_ARM', 'MORTGAGE5US'],
] as const

const series = products.map(([key, label, own, fred]) => ({
  key,
  label,
  measures: { rate: [own, fred], points: [`${own}_POINTS`, ''] },
}))

export default observationDataset({
  key: 'rates-mortgage',
  summary: 'National mortgage rates of Freddie Mac’s survey, one row a week and product, oldest first.',
  notes:
    'Averages of conventional, conforming loans. The 30-year begins 1971-04-02, the 15-year 1991-08-30; the adjustable rate (2005 on) and the points stopped with the survey of 2022-11-10, when the survey changed from lenders’ answers to applications. Freddie Mac holds the copyright.',
  series,
  by: code('series', 'Product'),
  choose: 'Product, or several by comma.',
  measures: [percent('rate', 'Rate'), percent('points', 'Fees and points', { doc: 'Percent of the loan.' })],
  latest: 'series',
  sources: ['pmms', 'fred'],
  examples: [
    { title: 'This week', query: 'latest=1', expect: { least: 1 } },
    { title: 'The 30-year rate', query: 'series=30y_fixed&from=2020-01-01', expect: { least: 5 } },
  ],
})
