import { type Column, code, figure, metricColumns, money } from '../../catalog/columns.ts'
import { screener } from '../../catalog/parts/banks.ts'

const since2015 = "report_date >= '2015-01-01'"

/** Measures of 12 CFR 324.403: what a bank needs to be well and adequately capitalised, in percent of what. */
const measures = [
  {
    key: 'total_capital',
    label: 'Total capital',
    ratio: 'total_capital_ratio',
    of: 'risk_weighted_assets',
    well: '10',
    adequate: '8',
  },
  {
    key: 'tier1',
    label: 'Tier 1 capital',
    ratio: 'tier1_ratio',
    of: 'risk_weighted_assets',
    well: `if(${since2015}, 8, 6)`,
    adequate: `if(${since2015}, 6, 4)`,
  },
  {
    key: 'cet1',
    label: 'Common equity tier 1 capital',
    ratio: `if(${since2015}, cet1_ratio, NULL)`,
    of: 'risk_weighted_assets',
    well: '6.5',
    adequate: '4.5',
  },
  {
    key: 'leverage',
    label: 'Leverage',
    ratio: 'tier1_leverage_ratio',
    of: 'leverage_assets',
    well: '5',
    adequate: '4',
  },
] as const

const levels = [
  ['well', 'well capitalised'],
  ['adequate', 'adequately capitalised'],
] as const

const distances: readonly Column[] = measures.flatMap(({ key, label, ratio, of, ...thresholds }) =>
  levels.flatMap(([level, name]) => {
    const above = `(${ratio} - ${thresholds[level]})`
    return [
      figure(`${key}_to_${level}`, `${label}: above ${name}`, {
        unit: 'percentage points',
        doc: 'Below 0 is what is lacking.',
        sql: above,
      }),
      money(`${key}_to_${level}_amount`, `${label}: amount above ${name}`, {
        doc: 'Capital above the level, at the assets of the quarter; below 0 is what is lacking.',
        sql: `(${above} / 100 * ${of})`,
      }),
    ]
  }),
)

const nearest = measures
  .map(({ key, ratio, well }) => `if(isNull(${ratio}), [], [(assumeNotNull(${ratio}) - ${well}, '${key}')])`)
  .join(', ')

export default screener({
  key: 'capital-screener',
  summary:
    'Banks by capital ratios and category of prompt corrective action, with the distance to each threshold, by RSSD ID.',
  notes:
    'Thresholds are those of 12 CFR 324.403: total capital 10 and 8 percent, tier 1 capital 8 and 6 (6 and 4 before 2015), common equity tier 1 6.5 and 4.5 (since 2015), leverage 5 and 4. The category is by ratios alone. Banks that elected the community bank leverage ratio report no risk-based ratios, and those distances are null. The buffer is what the bank has above the minimum ratios; less than 2.5 percent limits dividends and bonuses. Bounds are inclusive and a null never matches one.',
  columns: [
    metricColumns([
      'total_assets',
      'tier1_capital',
      'total_capital',
      'risk_weighted_assets',
      'leverage_assets',
      'tier1_leverage_ratio',
      'cet1_ratio',
      'tier1_ratio',
      'total_capital_ratio',
      'tangible_equity_ratio',
      'pca_category',
      'cblr_elected',
      'capital_conservation_buffer',
    ]),
    ...distances,
    figure('buffer_to_full', 'Capital conservation buffer above 2.5 percent', {
      unit: 'percentage points',
      doc: 'Below 0 is what is lacking; required in steps from 2016, in full since 2019.',
      sql: '(capital_conservation_buffer - 2.5)',
    }),
    money('buffer_to_full_amount', 'Amount of capital above a full buffer', {
      sql: '((capital_conservation_buffer - 2.5) / 100 * risk_weighted_assets)',
    }),
    code('nearest_measure', 'Measure nearest to its threshold', {
      nullable: true,
      doc: 'Which of total_capital, tier1, cet1 and leverage has the least percentage points above well capitalised, or lacks most.',
      sql: `nullIf(arraySort(arrayConcat(${nearest}))[1].2, '')`,
    }),
  ],
  examples: [
    {
      title: 'Less than five points of leverage above well capitalised',
      query: 'max_leverage_to_well=5&sort=leverage_to_well',
    },
    {
      title: 'Worse than well capitalised',
      query: 'min_pca_category=2&fields=rssd_id,legal_name,pca_category,nearest_measure',
      expect: { columns: ['rssd_id', 'legal_name', 'pca_category', 'nearest_measure'] },
    },
  ],
})
