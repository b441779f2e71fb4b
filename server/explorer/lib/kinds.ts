/** The kinds of institution that the explorer shows, and what the API calls them. */
import { bankTrends, creditUnionTrends, holdingCompanyTrends } from './headline.ts'
import type { Universe } from './metrics.ts'

export type Kind = 'bank' | 'credit-union' | 'holding-company'

/** A filter by one of a few values. */
export interface Choice {
  /** The parameter of the API, and the column. */
  readonly name: string
  readonly label: string
  readonly all: string
  /** Values as the API takes them, with their names. */
  readonly options: readonly (readonly [value: string, name: string])[]
}

export interface KindOf {
  readonly kind: Kind
  readonly universe: Universe
  /** In a sentence: `credit union`, and of several. */
  readonly noun: string
  readonly plural: string
  /** Columns of its number and of its state. */
  readonly id: string
  readonly state: string
  /** Drawn through time. */
  readonly trends: readonly string[]
  readonly datasets: {
    readonly snapshot: 'bank-snapshot' | 'credit-union-snapshot' | 'holding-company-snapshot'
    readonly trends: 'bank-trends' | 'credit-union-trends' | 'holding-company-trends'
    readonly screener: 'bank-screener' | 'credit-union-screener' | 'holding-company-directory'
  }
  readonly screen: {
    /** Of the page. */
    readonly path: string
    /** What is always asked of it. */
    readonly always: Readonly<Record<string, string>>
    readonly choices: readonly Choice[]
    /** Columns of figures where none are chosen. */
    readonly show: readonly string[]
    readonly lede: string
  }
}

export const kinds: Readonly<Record<Kind, KindOf>> = {
  bank: {
    ...{ kind: 'bank', universe: 'bank', noun: 'bank', plural: 'banks', id: 'rssd_id', state: 'hq_state' },
    trends: bankTrends,
    datasets: { snapshot: 'bank-snapshot', trends: 'bank-trends', screener: 'bank-screener' },
    screen: {
      ...{ path: '/screen', always: {} },
      choices: [
        {
          ...{ name: 'regulator', label: 'Regulator', all: 'All regulators' },
          options: [
            ['OCC', 'OCC'],
            ['FDIC', 'FDIC'],
            ['FED', 'Federal Reserve'],
          ],
        },
      ],
      show: ['total_assets', 'roa', 'nim', 'tier1_leverage_ratio', 'noncurrent_loans_ratio'],
      lede: 'Every bank of the latest quarter.',
    },
  },
  'credit-union': {
    ...{ kind: 'credit-union', universe: 'credit_union', noun: 'credit union', plural: 'credit unions' },
    ...{ id: 'cu_number', state: 'state', trends: creditUnionTrends },
    datasets: {
      snapshot: 'credit-union-snapshot',
      trends: 'credit-union-trends',
      screener: 'credit-union-screener',
    },
    screen: {
      ...{ path: '/screen/credit-unions', always: {} },
      choices: [
        {
          ...{ name: 'charter_type', label: 'Charter', all: 'All charters' },
          options: [
            ['1', 'Federal'],
            ['2', 'State'],
          ],
        },
        {
          ...{ name: 'low_income', label: 'Low income', all: 'Designated or not' },
          options: [
            ['1', 'Designated'],
            ['0', 'Not designated'],
          ],
        },
      ],
      show: ['total_assets', 'members', 'roa', 'net_worth_ratio', 'delinquency_ratio'],
      lede: 'Every credit union of the latest quarter.',
    },
  },
  'holding-company': {
    ...{ kind: 'holding-company', universe: 'holding_company', noun: 'holding company' },
    ...{ plural: 'holding companies', id: 'rssd_id', state: 'hq_state', trends: holdingCompanyTrends },
    datasets: {
      snapshot: 'holding-company-snapshot',
      trends: 'holding-company-trends',
      screener: 'holding-company-directory',
    },
    screen: {
      path: '/screen/holding-companies',
      always: { active: '1' },
      choices: [],
      show: ['total_assets', 'roa', 'nim', 'cet1_ratio', 'double_leverage'],
      lede: 'Every holding company that filed lately, by its newest report; small ones file of the parent alone.',
    },
  },
}
