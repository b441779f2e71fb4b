import { banks } from '../../../sql/universes/bank/index.ts'
import { type Column, figure, over, percent, reportDate, smallCount } from '../columns.ts'
import { metricColumn } from '../define.ts'

const points = (name: string, label: string, doc?: string): Column =>
  figure(name, label, { unit: 'percentage points', ...(doc !== undefined && { doc }) })

/** Columns of the view `rate_environment`: the curve at a quarter's end beside the industry's margin. */
export const rateEnvironment: readonly Column[] = [
  reportDate,
  over(reportDate, {
    name: 'curve_date',
    label: 'Day of the curve',
    type: 'Date32',
    nullable: true,
    doc: 'Last business day of the quarter; null where its last ten days hold no curve.',
  }),
  percent('yield_3m', '3-month Treasury yield'),
  percent('yield_6m', '6-month Treasury yield'),
  percent('yield_1y', '1-year Treasury yield'),
  percent('yield_2y', '2-year Treasury yield'),
  percent('yield_5y', '5-year Treasury yield'),
  percent('yield_10y', '10-year Treasury yield'),
  percent('yield_30y', '30-year Treasury yield'),
  percent('curve_level', 'Level of the curve', { doc: 'The 10-year yield.' }),
  points(
    'curve_slope',
    'Slope of the curve',
    'The 10-year less the 3-month yield; below 0 the curve is inverted.',
  ),
  points('curve_curvature', 'Curvature', 'Twice the 2-year less the 3-month and the 10-year yield.'),
  points('spread_10y_2y', '10-year less 2-year yield'),
  percent('real_yield_10y', '10-year real yield'),
  percent('breakeven_inflation_10y', '10-year breakeven inflation', {
    doc: 'The 10-year yield less the 10-year real yield.',
  }),
  percent('federal_funds_rate', 'Effective federal funds rate'),
  percent('mortgage_rate_30y', '30-year mortgage rate', {
    doc: 'Of the last survey in the quarter’s last ten days.',
  }),
  smallCount('banks', 'Banks', { doc: 'Filers of the quarter.' }),
  metricColumn(banks, 'nim', 'columns'),
  metricColumn(banks, 'yield_on_earning_assets', 'columns'),
  metricColumn(banks, 'cost_of_funds', 'columns'),
  metricColumn(banks, 'cost_of_deposits', 'columns'),
]

export const rateEnvironmentNotes =
  'Treasury par yields of the last business day of the quarter. Level, slope and curvature are the empirical ones of Diebold and Li (Journal of Econometrics 130, 2006). Margin, yield and costs are year to date and annualised, of the summed filings.'
