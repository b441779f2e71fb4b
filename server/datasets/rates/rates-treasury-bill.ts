import { billCouponSeries, billDiscountSeries, billTenors } from '../../../sql/sources/treasury.ts'
import { code, figure, percent } from '../../catalog/columns.ts'
import { observationDataset } from '../../catalog/parts/observation-dataset.ts'

/** Secondary market, H.15: discount basis only. */
const h15: Readonly<Record<string, string>> = {
  '4W': 'DTB4WK',
  '13W': 'DTB3',
  '26W': 'DTB6',
  '52W': 'DTB1YR',
}

const bills = billTenors.map(([tenor, weeks]) => ({
  key: tenor,
  label: tenor,
  facts: { weeks },
  measures: {
    discount_rate: [billDiscountSeries(tenor), h15[tenor] ?? ''],
    coupon_equivalent: [billCouponSeries(tenor), ''],
  },
}))

export default observationDataset({
  key: 'rates-treasury-bill',
  summary: 'Treasury-bill rates, one row a day and tenor, oldest first.',
  notes:
    'Closing bids of the most recently auctioned bills as the Treasury publishes them since 2002; of days that it does not hold, the secondary market rates of the Federal Reserve’s H.15 by way of FRED, which have no coupon equivalent. 8W begins 2018-10-16, 17W 2022-10-19, 6W 2025-02-18; the 52-week bill was not sold from 2001 to 2008.',
  series: bills,
  by: code('tenor', 'Tenor', { doc: '4W to 52W.' }),
  choose: 'Weeks to maturity, or several by comma.',
  fact: figure('weeks', 'Weeks to maturity', { unit: 'weeks', nullable: false }),
  measures: [
    percent('discount_rate', 'Bank discount rate', { doc: 'On face value and a 360-day year.' }),
    percent('coupon_equivalent', 'Coupon-equivalent yield', { doc: 'On the price and a 365-day year.' }),
  ],
  latest: 'curve',
  sources: ['treasury', 'fred'],
  examples: [
    { title: 'The current bill rates', query: 'latest=1', expect: { least: 1 } },
    { title: 'The 13-week bill', query: 'tenor=13W&from=2020-01-01', expect: { least: 5 } },
  ],
})
