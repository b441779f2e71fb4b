import { curveTenors, parSeries } from '../../../sql/sources/treasury.ts'
import { code, figure, percent } from '../../catalog/columns.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

/** The Federal Reserve's constant maturities (H.15), which begin in 1962; they are Treasury's own figures since 1990. */
const h15: Readonly<Record<string, string>> = {
  '1M': 'DGS1MO',
  '3M': 'DGS3MO',
  '6M': 'DGS6MO',
  '1Y': 'DGS1',
  '2Y': 'DGS2',
  '3Y': 'DGS3',
  '5Y': 'DGS5',
  '7Y': 'DGS7',
  '10Y': 'DGS10',
  '20Y': 'DGS20',
  '30Y': 'DGS30',
}

const curve = curveTenors.map(([tenor, months]) => ({
  key: tenor,
  label: tenor,
  facts: { months },
  measures: { yield: [parSeries(tenor), h15[tenor] ?? ''] },
}))

export default observationDataset({
  key: 'rates-yield-curve',
  summary: 'Treasury par yields, one row a day and tenor, oldest first; `latest=1` is the current curve.',
  notes:
    'Bond-equivalent par yields at the close of each business day, as the Treasury publishes them; of days that it does not hold, the constant maturities of the Federal Reserve’s H.15 by way of FRED. A day’s curve is of one publisher. There is no row where nothing was published: weekends, holidays, the 20-year from 1987 to 1993, the 30-year from 2002-02-19 to 2006-02-08, and tenors before their first auction (2M 2018-10-16, 4M 2022-10-19, 1.5M 2025-02-18). `latest=1` is the newest day with more than half of the month’s tenors.',
  series: curve,
  by: code('tenor', 'Tenor', { doc: '1M to 30Y.' }),
  choose: 'Maturity, or several by comma.',
  fact: figure('months', 'Months to maturity', { unit: 'months', nullable: false }),
  measures: [
    percent('yield', 'Par yield', { nullable: false, doc: 'Bond-equivalent yield of a bond at par.' }),
  ],
  latest: 'curve',
  sources: ['treasury', 'fred'],
  examples: [
    { title: 'The current curve', query: 'latest=1', expect: { least: 5 } },
    { title: 'Two and ten years since 2020', query: 'tenor=2Y,10Y&from=2020-01-01', expect: { least: 10 } },
  ],
})
