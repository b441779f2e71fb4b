import { realSeries, realTenors } from '../../../sql/sources/treasury.ts'
import { code, figure, percent } from '../../catalog/columns.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

const curve = realTenors.map(([tenor, months]) => ({
  key: tenor,
  label: tenor,
  facts: { months },
  measures: { yield: [realSeries(tenor), `DFII${tenor.slice(0, -1)}`] },
}))

export default observationDataset({
  key: 'rates-real-yield',
  summary:
    'Treasury par real yields, of inflation-protected securities (TIPS), one row a day and tenor, oldest first.',
  notes:
    'As the Treasury publishes them since 2003; of days that it does not hold, the Federal Reserve’s H.15 by way of FRED. A day’s curve is of one publisher. There is no row where nothing was published (20Y begins 2004-07-27, 30Y 2010-02-22).',
  series: curve,
  by: code('tenor', 'Tenor', { doc: '5Y to 30Y.' }),
  choose: 'Maturity, or several by comma.',
  fact: figure('months', 'Months to maturity', { unit: 'months', nullable: false }),
  measures: [percent('yield', 'Par real yield', { nullable: false })],
  latest: 'curve',
  sources: ['treasury', 'fred'],
  examples: [
    { title: 'The current real curve', query: 'latest=1', expect: { least: 1 } },
    { title: 'The 10-year real yield', query: 'tenor=10Y&from=2020-01-01', expect: { least: 5 } },
  ],
})
