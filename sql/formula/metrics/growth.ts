import { area } from './metric.ts'

const { percent } = area('growth')

const growing = [
  ['asset', 'Total assets', 'total_assets', 'RC 12'],
  ['loan', 'Total loans', 'total_loans', 'RC 4'],
  ['deposit', 'Total deposits', 'total_deposits', 'RC 13'],
] as const

/** Change against an earlier quarter, as reported: not adjusted for mergers. */
export const growth = [
  ...growing.flatMap(([key, label, of, line]) => [
    percent(`${key}_growth_1q`, {
      label: `${label}: growth in the quarter`,
      formula: `CHANGEQI(#m:${of}, 1)`,
      source: `${line} against one quarter earlier`,
    }),
    percent(`${key}_growth_1y`, {
      label: `${label}: growth in one year`,
      formula: `CHANGEYI(#m:${of}, 1)`,
      source: of === 'total_assets' ? 'UBPR7316' : `${line} against one year earlier`,
    }),
    percent(`${key}_growth_3y`, {
      label: `${label}: growth in three years`,
      formula: `CHANGEYI(#m:${of}, 3)`,
      source: `${line} against three years earlier`,
      description: 'Over the whole three years, not a yearly rate.',
    }),
  ]),
  percent('equity_growth_1y', {
    label: 'Equity: growth in one year',
    direction: 'higher',
    formula: 'CHANGEYA(#m:total_equity, 1)',
    source: 'RC 27.a against one year earlier',
  }),
  percent('tier1_capital_growth_1y', {
    label: 'Tier 1 capital: growth in one year',
    direction: 'higher',
    formula: 'CHANGEYA(#m:tier1_capital, 1)',
    source: 'UBPR7408',
  }),
  percent('core_deposit_growth_1y', {
    label: 'Core deposits: growth in one year',
    direction: 'higher',
    formula: 'CHANGEYI(#m:core_deposits, 1)',
    source: 'UBPRK434 against one year earlier',
  }),
  percent('cre_growth_3y', {
    label: 'Commercial real estate loans: growth in three years',
    formula: 'CHANGEYI(#m:cre_loans, 3)',
    source: 'Interagency CRE guidance (2006)',
    description: 'Over the whole three years, as the guidance measures it.',
  }),
  percent('noncurrent_loans_growth_1y', {
    label: 'Noncurrent loans: growth in one year',
    direction: 'lower',
    formula: 'CHANGEYI(#m:noncurrent_loans, 1)',
    source: 'RC-N B + C against one year earlier',
  }),
  percent('net_income_growth_1y', {
    label: 'Net income of the quarter: growth in one year',
    direction: 'higher',
    formula: 'CHANGEYA(#m:net_income_quarter, 1)',
    source: 'RI 14 of the quarter against the same quarter a year earlier',
  }),
  percent('net_interest_income_growth_1y', {
    label: 'Net interest income of the quarter: growth in one year',
    direction: 'higher',
    formula: 'CHANGEYA(#m:net_interest_income_quarter, 1)',
    source: 'RI 3 of the quarter against the same quarter a year earlier',
  }),
]
