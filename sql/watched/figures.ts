/** The figures that are told of whatever a key watches. */

export interface Watched {
  readonly name: string
  readonly label: string
  /** Keys of the metric, one of which a universe has. */
  readonly of: readonly string[]
  readonly unit: 'money' | 'percent'
  /** Of sums that a year to date has, a change since the quarter before says nothing. */
  readonly changes: boolean
  readonly doc?: string
}

export const watched: readonly Watched[] = [
  { name: 'total_assets', label: 'Total assets', of: ['total_assets'], unit: 'money', changes: true },
  { name: 'total_loans', label: 'Total loans', of: ['total_loans'], unit: 'money', changes: true },
  {
    ...{ name: 'total_deposits', label: 'Total deposits', of: ['total_deposits', 'total_shares'] },
    ...{ unit: 'money', changes: true, doc: 'Of credit unions total shares.' },
  },
  {
    ...{ name: 'net_income', label: 'Net income', of: ['net_income'], unit: 'money', changes: false },
    doc: 'Year to date.',
  },
  { name: 'roa', label: 'Return on assets', of: ['roa'], unit: 'percent', changes: true },
  { name: 'nim', label: 'Net interest margin', of: ['nim'], unit: 'percent', changes: true },
  {
    ...{ name: 'capital_ratio', label: 'Capital ratio', of: ['tier1_leverage_ratio', 'net_worth_ratio'] },
    ...{
      unit: 'percent',
      changes: true,
      doc: 'Tier 1 leverage ratio; of credit unions the net worth ratio.',
    },
  },
  {
    name: 'noncurrent_ratio',
    label: 'Noncurrent loans ratio',
    of: ['noncurrent_loans_ratio', 'delinquency_ratio'],
    ...{ unit: 'percent', changes: true, doc: 'Of credit unions loans delinquent for 60 days or more.' },
  },
]
