import { nationalRateSeries, products } from '../../../sql/sources/fdic-national-rates.ts'
import { code, percent } from '../../catalog/columns.ts'
import { fredDepositSeries } from '../../catalog/parts/deposit-series.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

const series = products.map(([key, label, name]) => ({
  key,
  label,
  measures: {
    national_rate: [nationalRateSeries('RATE', name), fredDepositSeries(name)],
    treasury_yield: [nationalRateSeries('TREASURY', name), ''],
    rate_cap: [nationalRateSeries('CAP', name), ''],
  },
}))

export default observationDataset({
  key: 'rates-national',
  summary: 'FDIC’s national deposit rates and rate caps, one row a month and product, oldest first.',
  notes:
    'Since 2021-04 the national rate is the average of all insured institutions weighted by deposits, and the cap the higher of that rate plus 75 basis points and 120 percent of the Treasury yield of like maturity plus 75 basis points (12 CFR 337.7). Caps bind banks that are less than well capitalised. From the FDIC’s workbook; of months that it does not hold, the national rate alone by way of FRED.',
  series,
  by: code('product', 'Product'),
  choose: 'Deposit product, or several by comma.',
  measures: [
    percent('national_rate', 'National rate'),
    percent('treasury_yield', 'Treasury yield of like maturity', {
      doc: 'The federal funds rate for products without a maturity.',
    }),
    percent('rate_cap', 'National rate cap'),
  ],
  period: 'month',
  latest: 'series',
  sources: ['fdic-national-rates', 'fred'],
  examples: [
    { title: 'This month', query: 'latest=1', expect: { least: 1 } },
    { title: 'One-year certificates', query: 'product=cd_12m', expect: { least: 1 } },
  ],
})
