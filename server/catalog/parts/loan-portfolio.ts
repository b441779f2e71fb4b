/** What bank-loan-portfolio is made of: a query and its columns for each part. */

import { quarterBeforeSql } from '../../../sql/derive/quarters.ts'
import { composition, loanKinds, shareOf } from '../../../sql/formula/metrics/loan-book.ts'
import { quotedList } from '../../../sql/quoted.ts'
import { banks } from '../../../sql/universes/bank/index.ts'
import {
  type Column,
  code,
  date,
  figure,
  flag,
  money,
  over,
  percent,
  reportDate,
  rssdId,
  text,
} from '../columns.ts'
import { bankRow, places } from './bank-row.ts'

export interface Part {
  readonly label: string
  readonly columns: readonly Column[]
  /** Columns that make a row unique and order the rows. */
  readonly order: readonly string[]
  readonly sql: string
}

const place = figure('position', 'Position', { nullable: false, doc: 'Order of the schedule.' })
const type = code('type', 'Type of loan')
const label = text('label', 'Label')
const amountOfType = [
  rssdId,
  reportDate,
  over(place, { type: 'UInt16' }),
  type,
  label,
  money('amount', 'Amount'),
]

/** One row a type of loan; the types add up to all loans. */
const compositionPart: Part = {
  label: 'Composition',
  order: ['position'],
  columns: [
    ...amountOfType,
    percent('share', 'Share of total loans'),
    money('amount_year_ago', 'Amount a year ago'),
    percent('growth_1y', 'Growth in one year', { doc: 'As reported: not adjusted for mergers.' }),
    percent('cohort_median_share', 'Median share in the size cohort'),
  ],
  sql: `
SELECT {rssd_id:UInt32} AS rssd_id, {as_of:Date} AS report_date, o.position AS position, o.type AS type, o.label AS label,
  o.amount AS amount, o.share AS share, y.metrics[o.place] AS amount_year_ago,
  if(amount_year_ago > 0, 100 * (amount - amount_year_ago) / amount_year_ago, NULL) AS growth_1y,
  m.median AS cohort_median_share
FROM (
  SELECT rssd_id, cohort, position, type, label, place, share_metric, metrics[place] AS amount, metrics[share_place] AS share
  FROM ${bankRow()}
  ARRAY JOIN
    range(1, ${composition.length + 1})::Array(UInt16) AS position,
    ${quotedList(composition.map(({ balance }) => balance.replace(/_loans$/, '')))} AS type,
    ${quotedList(composition.map((one) => one.label))} AS label,
    ${places(composition.map(({ balance }) => balance))} AS place,
    ${places(composition.map(({ balance }) => shareOf(balance)))} AS share_place,
    ${quotedList(composition.map(({ balance }) => shareOf(balance)))} AS share_metric
) AS o
LEFT JOIN ${bankRow(4)} AS y ON y.rssd_id = o.rssd_id
LEFT JOIN (
  SELECT toString(cohort) AS cohort, toString(metric) AS metric, median FROM cohort_benchmarks
  WHERE report_date = {as_of:Date} AND metric IN ${quotedList(composition.map(({ balance }) => shareOf(balance)))}
) AS m ON m.cohort = toString(o.cohort) AND m.metric = o.share_metric
ORDER BY position`,
}

interface Concentration {
  readonly key: string
  readonly label: string
  readonly amount: string
  readonly percent: string
  /** The interagency guidance of 2006 on commercial real estate. */
  readonly guidance?: number
  readonly growth?: { readonly metric: string; readonly guidance: number }
}

const concentrations: readonly Concentration[] = [
  {
    key: 'construction',
    label: 'Construction and land development',
    amount: 'construction_loans',
    percent: 'construction_concentration',
    guidance: 100,
  },
  {
    key: 'commercial_real_estate',
    label: 'Commercial real estate that is not owner-occupied',
    amount: 'cre_loans',
    percent: 'cre_concentration',
    guidance: 300,
    growth: { metric: 'cre_growth_3y', guidance: 50 },
  },
  {
    key: 'real_estate',
    label: 'All real estate',
    amount: 'real_estate_loans',
    percent: 'real_estate_concentration',
  },
  {
    key: 'residential',
    label: '1-4 family residential',
    amount: 'residential_loans',
    percent: 'residential_concentration',
  },
  {
    key: 'commercial_industrial',
    label: 'Commercial and industrial',
    amount: 'commercial_industrial_loans',
    percent: 'commercial_industrial_concentration',
  },
  { key: 'consumer', label: 'Consumer', amount: 'consumer_loans', percent: 'consumer_concentration' },
  {
    key: 'nondepository_financial',
    label: 'Nondepository financial institutions',
    amount: 'nondepository_financial_loans',
    percent: 'nondepository_financial_concentration',
  },
]

const numbers = (values: readonly (number | undefined)[]) =>
  `[${values.map((value) => value ?? 'NULL').join(', ')}]::Array(Nullable(Float64))`

/** One row an exposure, against tier 1 capital and the allowance. */
const concentrationPart: Part = {
  label: 'Concentration',
  order: ['position'],
  columns: [
    ...amountOfType,
    money('capital', 'Tier 1 capital and allowance'),
    percent('percent_of_capital', 'To tier 1 capital and allowance'),
    percent('guidance', 'Level of the guidance', {
      doc: 'Of the interagency guidance of 2006; null where it has none.',
    }),
    flag('at_or_above', 'At or above the level', { nullable: true }),
    percent('growth_36_months', 'Growth in 36 months', {
      doc: 'Of the exposures that the guidance asks it of.',
    }),
    percent('growth_guidance', 'Growth that the guidance names'),
    flag('growth_at_or_above', 'Growth at or above it', { nullable: true }),
    flag('meets_guidance', 'Meets the guidance', {
      nullable: true,
      doc: 'All that the guidance asks of the exposure is so: supervisors look closer. Neither a limit nor a safe harbour.',
    }),
  ],
  sql: `
SELECT rssd_id, {as_of:Date} AS report_date, position, type, label, metrics[amount_place] AS amount,
  metrics[${banks.position('tier1_and_allowance')}] AS capital, metrics[percent_place] AS percent_of_capital, guidance,
  percent_of_capital >= guidance AS at_or_above_level,
  CAST(at_or_above_level, 'Nullable(Bool)') AS at_or_above,
  if(isNull(growth_guidance), NULL, metrics[growth_place]) AS growth_36_months, growth_guidance,
  CAST(growth_36_months >= growth_guidance, 'Nullable(Bool)') AS growth_at_or_above,
  CAST(if(isNull(growth_guidance), at_or_above_level, at_or_above_level AND growth_36_months >= growth_guidance), 'Nullable(Bool)') AS meets_guidance
FROM ${bankRow()}
ARRAY JOIN
  range(1, ${concentrations.length + 1})::Array(UInt16) AS position,
  ${quotedList(concentrations.map(({ key }) => key))} AS type,
  ${quotedList(concentrations.map((one) => one.label))} AS label,
  ${places(concentrations.map(({ amount }) => amount))} AS amount_place,
  ${places(concentrations.map((one) => one.percent))} AS percent_place,
  ${places(concentrations.map(({ growth }) => growth?.metric ?? 'cre_growth_3y'))} AS growth_place,
  ${numbers(concentrations.map(({ guidance }) => guidance))} AS guidance,
  ${numbers(concentrations.map(({ growth }) => growth?.guidance))} AS growth_guidance
ORDER BY position`,
}

const ofKinds = (name: string) => places(loanKinds.map(({ key }) => `${name}_${key}`))

/** One row a quarter and kind of loan that Schedules RC-N and RI-B tell apart. */
const assetQualityPart: Part = {
  label: 'Asset quality',
  order: ['report_date', 'position'],
  columns: [
    rssdId,
    date('report_date', 'Report date', { doc: 'Last day of the quarter reported.' }),
    over(place, { type: 'UInt16' }),
    type,
    label,
    money('balance', 'Balance'),
    money('past_due_30_89', 'Past due 30-89 days'),
    money('past_due_90', 'Past due 90 days or more and accruing'),
    money('nonaccrual', 'Nonaccrual'),
    percent('past_due_30_89_ratio', 'Past due 30-89 days to balance'),
    percent('noncurrent_ratio', 'Past due 90 days or nonaccrual to balance'),
    money('net_chargeoffs', 'Net charge-offs of the quarter', {
      doc: 'Null where the quarter before was not filed.',
    }),
    percent('net_chargeoffs_ratio', 'Net charge-offs of the quarter to average balance, annualised', {
      doc: 'The average is of this quarter-end and the one before.',
    }),
  ],
  sql: `
SELECT rssd_id, report_date, position, type, label, balance, past_due_30_89, past_due_90, nonaccrual,
  if(balance > 0, 100 * past_due_30_89 / balance, NULL) AS past_due_30_89_ratio,
  if(balance > 0, 100 * (ifNull(past_due_90, 0) + ifNull(nonaccrual, 0)) / balance, NULL) AS noncurrent_ratio,
  net_chargeoffs,
  if(balance + balance_before > 0, 100 * 4 * net_chargeoffs / ((balance + balance_before) / 2), NULL) AS net_chargeoffs_ratio
FROM (
  SELECT *,
    lagInFrame(report_date) OVER before = ${quarterBeforeSql('report_date', 1)} AS follows,
    if(follows, lagInFrame(balance) OVER before, NULL) AS balance_before,
    multiIf(toMonth(report_date) = 3, year_to_date, follows, year_to_date - lagInFrame(year_to_date) OVER before, NULL) AS net_chargeoffs,
    row_number() OVER (PARTITION BY type ORDER BY report_date DESC) AS back
  FROM (
    SELECT rssd_id, report_date, position, type, label, metrics[balance_place] AS balance, metrics[late30] AS past_due_30_89,
      metrics[late90] AS past_due_90, metrics[nonaccrual_place] AS nonaccrual, metrics[losses] AS year_to_date
    FROM (
      SELECT rssd_id, report_date, metrics FROM bank_rows
      WHERE rssd_id = {rssd_id:UInt32} AND report_date <= {as_of:Date}
      ORDER BY report_date DESC LIMIT {quarters:UInt32} + 1
    )
    ARRAY JOIN
      range(1, ${loanKinds.length + 1})::Array(UInt16) AS position,
      ${quotedList(loanKinds.map(({ key }) => key))} AS type,
      ${quotedList(loanKinds.map((one) => one.label))} AS label,
      ${places(loanKinds.map(({ balance }) => balance))} AS balance_place,
      ${ofKinds('past_due_30_89')} AS late30,
      ${ofKinds('past_due_90')} AS late90,
      ${ofKinds('nonaccrual')} AS nonaccrual_place,
      ${ofKinds('net_chargeoffs')} AS losses
  )
  WINDOW before AS (PARTITION BY type ORDER BY report_date ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
WHERE back <= {quarters:UInt32}
ORDER BY report_date, position`,
}

export const loanPortfolio = {
  composition: compositionPart,
  concentration: concentrationPart,
  asset_quality: assetQualityPart,
} as const
