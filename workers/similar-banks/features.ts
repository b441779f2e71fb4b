/** What two banks are alike in. Each group weighs the same however many features describe it. */
export type Group = 'size' | 'loan_mix' | 'funding_mix'

export interface Feature {
  /** SQL over the columns of `bank_quarters`; NULL where the bank did not file what it needs. */
  readonly sql: string
  readonly group: Group
}

const metrics = (group: Group, ...keys: readonly string[]): Record<string, Feature> =>
  Object.fromEntries(keys.map((key) => [key, { sql: key, group }]))

/** The features of similarity. Size as a logarithm: banks differ by factors, not by amounts. */
export const features: Readonly<Record<string, Feature>> = {
  log_total_assets: { sql: 'if(total_assets > 0, log(total_assets), NULL)', group: 'size' },
  ...metrics(
    'loan_mix',
    'loans_to_assets_ratio',
    'construction_loans_ratio',
    'nonfarm_nonresidential_loans_ratio',
    'multifamily_loans_ratio',
    'residential_loans_ratio',
    'agricultural_loans_ratio',
    'commercial_industrial_loans_ratio',
    'consumer_loans_ratio',
  ),
  ...metrics(
    'funding_mix',
    'core_deposits_ratio',
    'noninterest_bearing_deposits_ratio',
    'time_deposits_ratio',
    'brokered_deposits_ratio',
    'uninsured_deposits_ratio',
    'wholesale_funding_ratio',
    'equity_ratio',
  ),
}

/** The universe of a quarter as the task reads it (JSONCompactColumns), in a fixed order of rows. */
export const similarUniverse = (reportDate: string): string =>
  `SELECT rssd_id, hq_state, ${Object.entries(features)
    .map(([name, { sql }]) => `${sql} AS ${name}_`)
    .join(', ')}
FROM bank_quarters
WHERE report_date = ${reportDate}
ORDER BY rssd_id`
