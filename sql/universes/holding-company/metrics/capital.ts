import { area } from '../../../formula/metrics/metric.ts'
import { item, line, metric, percentOf, report, sum } from './terms.ts'

const { money, percent, ratio } = area('capital')

/** Regulatory capital: Schedule HC-R files BHCA from 2014 (advanced approaches) or 2015, and BHCK before. */
const regulatory = (code: string) => item(`BHCA${code}`, `BHCK${code}`)

export const capital = [
  money('cet1_capital', {
    label: 'Common equity tier 1 capital',
    formula: item('BHCAP859', 'BHCWP859'),
    source: report('BHSR1392'),
  }),
  money('tier1_capital', {
    label: 'Tier 1 capital',
    formula: regulatory('8274'),
    source: line('HC-R Part I 26'),
  }),
  money('total_capital', {
    label: 'Total capital',
    formula: regulatory('3792'),
    source: line('HC-R Part I 35.a'),
  }),
  money('risk_weighted_assets', {
    label: 'Risk-weighted assets',
    formula: regulatory('A223'),
    source: line('HC-R Part I 40.a'),
    description: 'By the standardised approach.',
  }),
  money('risk_weighted_assets_advanced', {
    label: 'Risk-weighted assets, advanced approaches',
    formula: item('BHCWA223'),
    source: line('HC-R Part I 40.b'),
  }),
  money('total_capital_advanced', {
    label: 'Total capital, advanced approaches',
    formula: item('BHCW3792'),
    source: line('HC-R Part I 35.b'),
  }),
  money('leverage_assets', {
    label: 'Average assets for the leverage ratio',
    formula: regulatory('A224'),
    source: line('HC-R Part I 30'),
  }),
  money('leverage_exposure', {
    label: 'Total leverage exposure',
    formula: `IF(${item('BHCAH036')} > 0, 100 * ${regulatory('8274')} / ${item('BHCAH036')}, NULL)`,
    source: line('HC-R Part I 32'),
    description: 'What tier 1 capital and the supplementary leverage ratio make it.',
  }),
  percent('cet1_ratio', {
    label: 'Common equity tier 1 ratio',
    direction: 'higher',
    formula: percentOf('cet1_capital', 'risk_weighted_assets'),
    source: report('BHSR1334'),
  }),
  percent('tier1_ratio', {
    label: 'Tier 1 ratio',
    direction: 'higher',
    formula: percentOf('tier1_capital', 'risk_weighted_assets'),
    source: report('BHSR1336'),
  }),
  percent('total_capital_ratio', {
    label: 'Total capital ratio',
    direction: 'higher',
    formula: percentOf('total_capital', 'risk_weighted_assets'),
    source: report('BHSR1338'),
  }),
  percent('tier1_leverage_ratio', {
    label: 'Tier 1 leverage ratio',
    direction: 'higher',
    formula: percentOf('tier1_capital', 'leverage_assets'),
    source: report('BHSR1340'),
  }),
  percent('supplementary_leverage_ratio', {
    label: 'Supplementary leverage ratio',
    direction: 'higher',
    formula: percentOf('tier1_capital', 'leverage_exposure'),
    source: report('BHCAH036'),
    description: 'Of advanced approaches and category III holders alone.',
  }),
  percent('cet1_ratio_advanced', {
    label: 'Common equity tier 1 ratio, advanced approaches',
    direction: 'higher',
    formula: percentOf('cet1_capital', 'risk_weighted_assets_advanced'),
    source: report('BHSR1335'),
  }),
  percent('tier1_ratio_advanced', {
    label: 'Tier 1 ratio, advanced approaches',
    direction: 'higher',
    formula: percentOf('tier1_capital', 'risk_weighted_assets_advanced'),
    source: report('BHSR1337'),
  }),
  percent('total_capital_ratio_advanced', {
    label: 'Total capital ratio, advanced approaches',
    direction: 'higher',
    formula: percentOf('total_capital_advanced', 'risk_weighted_assets_advanced'),
    source: report('BHSR1339'),
  }),
  percent('capital_buffer', {
    label: 'Capital conservation buffer',
    direction: 'higher',
    formula: `MIN(MIN(${metric('cet1_ratio')} - 4.5, ${metric('tier1_ratio')} - 6), ${metric('total_capital_ratio')} - 8)`,
    source: 'FR Y-9C HC-R Part I 46.a (BHCAH311)',
    description: 'The least of what the three ratios have above 4.5, 6 and 8 percent; in percentage points.',
  }),
  money('stress_capital_buffer_amount', {
    label: 'Stress capital buffer of risk-weighted assets',
    formula: `${item('BHCALE85')} * ${metric('risk_weighted_assets')} / 100`,
    source: line('HC-R Part I 60.a(1)'),
  }),
  percent('stress_capital_buffer', {
    label: 'Stress capital buffer requirement',
    formula: percentOf('stress_capital_buffer_amount', 'risk_weighted_assets'),
    source: 'FR Y-9C HC-R Part I 60.a(1) (BHCALE85)',
  }),
  percent('equity_ratio', {
    label: 'Equity to assets',
    direction: 'higher',
    formula: percentOf('total_equity', 'total_assets'),
    source: report('BHSR357'),
  }),
  money('equity_and_minority_interest', {
    label: 'Equity with noncontrolling interests',
    formula: sum(metric('total_equity'), metric('minority_interest')),
    source: report('BHSR1317'),
  }),
  percent('equity_and_minority_ratio', {
    label: 'Equity with noncontrolling interests to assets',
    direction: 'higher',
    formula: percentOf('equity_and_minority_interest', 'total_assets'),
    source: report('BHSR1316'),
  }),
  ratio('net_loans_to_equity', {
    label: 'Net loans to equity, times',
    direction: 'lower',
    formula: `PCT(${metric('net_loans')}, ${metric('total_equity')})`,
    source: report('BHSR358'),
  }),
  money('tangible_common_equity', {
    label: 'Tangible common equity',
    formula: `${metric('total_equity')} - ExistingOf(${metric('preferred_stock')}, 0) - ExistingOf(${metric('goodwill')}, 0) - ExistingOf(${metric('other_intangible_assets')}, 0)`,
    source: line('HC 27.a, 23, HC-M 12'),
  }),
  percent('tangible_common_equity_ratio', {
    label: 'Tangible common equity to tangible assets',
    direction: 'higher',
    formula: `PCTOF(${metric('tangible_common_equity')}, ${metric('total_assets')} - ExistingOf(${metric('goodwill')}, 0) - ExistingOf(${metric('other_intangible_assets')}, 0))`,
    source: line('HC 27.a, 23, HC-M 12'),
  }),
] as const
