import { area } from './metric.ts'
import { consolidated, metric, orZero, percentOf, regulatory, sum } from './terms.ts'

const { money, count, percent, code } = area('capital')

/** A ratio that a filer need not report (community bank leverage ratio banks) does not lower its category. */
const reported = (key: string) => `ExistingOf(${metric(key)}, 100)`
const since2015 = "Context.Period.EndDate >= '2015-01-01'"

/** Ratios at or above these levels, those of 12 CFR 324.403; CET1 is a measure since 2015. */
const meets = (
  total: number,
  tier1: readonly [now: number, before2015: number],
  cet1: number,
  leverage: number,
) =>
  [
    `${reported('total_capital_ratio')} >= ${total}`,
    `${reported('tier1_ratio')} >= IF(${since2015}, ${tier1[0]}, ${tier1[1]})`,
    `(NOT ${since2015} OR ${reported('cet1_ratio')} >= ${cet1})`,
    `${metric('tier1_leverage_ratio')} >= ${leverage}`,
  ].join(' AND ')

/**
 * Least leverage ratio at which an electing bank is deemed well capitalised: the requirement (8 % from 2020Q2,
 * 8.5 % in 2021, else 9 %) less the point of the grace period.
 */
const cblrDeemed =
  "IF(IN(Context.Period.EndDate, '2020-06-30', '2020-09-30', '2020-12-31'), 7, IF(Context.Period.EndDate >= '2021-01-01' AND Context.Period.EndDate < '2022-01-01', 7.5, 8))"

/** Before 2014 the form's own total of the leverage ratio's denominator was left out of the bulk files. */
const disallowed = sum(...['B590', 'B591', '5610', 'B596'].map(consolidated))

/** Schedule RC-R Part I. */
export const capital = [
  money('cet1_capital', {
    label: 'Common equity tier 1 capital',
    direction: 'higher',
    formula: `cc:RCAXP859[P0]`,
    source: 'RC-R I 19; FDIC RBCT1C',
    description: 'Filed by advanced approaches banks since 2014, by all since 2015.',
  }),
  money('tier1_capital', {
    label: 'Tier 1 capital',
    direction: 'higher',
    formula: regulatory('8274'),
    source: 'RC-R I 26; FDIC RBCT1J',
  }),
  money('total_capital', {
    label: 'Total risk-based capital',
    direction: 'higher',
    formula: regulatory('3792'),
    source: 'RC-R I 47; FDIC RBC',
  }),
  money('risk_weighted_assets', {
    label: 'Risk-weighted assets',
    formula: regulatory('A223'),
    source: 'RC-R I 48; FDIC RWAJ',
    description: 'By the standardised approach. Absent where the community bank leverage ratio is elected.',
  }),
  money('leverage_assets', {
    label: 'Average assets for the leverage ratio',
    formula: `ExistingOf(${regulatory('A224')}, ${consolidated('3368')} - ${orZero(disallowed)})`,
    source: 'RC-R I 30; FDIC AVASSETJ',
  }),
  percent('tier1_leverage_ratio', {
    label: 'Tier 1 leverage ratio',
    direction: 'higher',
    formula: percentOf('tier1_capital', 'leverage_assets'),
    source: 'FDIC RBC1AAJ; UBPRD486',
  }),
  percent('cet1_ratio', {
    label: 'Common equity tier 1 ratio',
    direction: 'higher',
    formula: percentOf('cet1_capital_risk_based', 'risk_weighted_assets'),
    source: 'FDIC RBCT1CER',
    description: 'By the standardised approach.',
  }),
  percent('tier1_ratio', {
    label: 'Tier 1 risk-based capital ratio',
    direction: 'higher',
    formula: percentOf('tier1_capital_risk_based', 'risk_weighted_assets'),
    source: 'FDIC RBC1RWAJ; UBPRD487',
  }),
  percent('total_capital_ratio', {
    label: 'Total risk-based capital ratio',
    direction: 'higher',
    formula: percentOf('total_capital', 'risk_weighted_assets'),
    source: 'FDIC RBCRWAJ; UBPRD488',
  }),
  percent('equity_ratio', {
    label: 'Equity to assets',
    direction: 'higher',
    formula: percentOf('total_equity', 'total_assets'),
    source: 'FDIC EQV',
  }),
  percent('tangible_equity_ratio', {
    label: 'Tangible equity to tangible assets',
    direction: 'higher',
    formula: `PCTOF(${metric('tangible_equity')}, ${metric('total_assets')} - ${orZero(metric('intangible_assets'))})`,
    source: 'RC 27.a - 10 to 12 - 10',
  }),
  percent('supplementary_leverage_ratio', {
    label: 'Supplementary leverage ratio',
    direction: 'higher',
    formula: percentOf('tier1_capital_slr', 'leverage_exposure'),
    source: 'RC-R I 55',
    description: 'Advanced approaches and Category III banks only.',
  }),
  count('cblr_elected', {
    label: 'Community bank leverage ratio elected',
    formula: `cc:RCAXLE74[P0]`,
    source: 'RC-R I 31.a; FDIC CBLRIND',
    description: '1 where the framework is elected, 0 where not; asked since 2020.',
  }),
  percent('community_bank_leverage_ratio', {
    label: 'Community bank leverage ratio',
    direction: 'higher',
    formula: percentOf('cblr_tier1_capital', 'cblr_leverage_assets'),
    source: 'RC-R I 31',
    description: 'The leverage ratio of banks that elect the framework; absent for others.',
  }),
  percent('capital_conservation_buffer', {
    label: 'Capital above the minimum ratios',
    direction: 'higher',
    formula: `MIN(${metric('cet1_ratio')} - 4.5, ${metric('tier1_ratio')} - 6, ${metric('total_capital_ratio')} - 8)`,
    source: 'RC-R I 52 (12 CFR 324.11)',
  }),
  percent('risk_weighted_assets_ratio', {
    label: 'Risk-weighted assets to total assets',
    formula: percentOf('risk_weighted_assets', 'risk_based_assets'),
    source: 'RC-R I 48 to RC 12',
  }),
  percent('dividend_payout_ratio', {
    label: 'Dividends to net income',
    formula: `IF(${metric('net_income')} > 0, ${percentOf('dividends', 'net_income')}, NULL)`,
    source: 'UBPR7402',
  }),
  code('pca_category', {
    label: 'Prompt corrective action category by ratios',
    direction: 'lower',
    formula: `IF(${percentOf('tangible_capital', 'total_assets')} <= 2, 5, IF(IsNil(${metric('tier1_leverage_ratio')}), NULL, IF(${metric('cblr_elected')} = 1 AND ${metric('tier1_leverage_ratio')} > ${cblrDeemed}, 1, IF(${meets(10, [8, 6], 6.5, 5)}, 1, IF(${meets(8, [6, 4], 4.5, 4)}, 2, IF(${meets(6, [4, 3], 3, 3)}, 3, 4))))))`,
    source: '12 CFR 324.403',
    description:
      '1 well capitalised, 2 adequately, 3 under-, 4 significantly under-, 5 critically undercapitalised. By ratios alone: a supervisor may place a bank lower.',
  }),
]
